'use client'

import { useTranslations } from 'next-intl'
import { History, Keyboard } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { browserStorage } from '@/lib/web/browser-storage'
import { shortcutOf, usesSingleKeys } from '@/lib/web/shortcuts'
import { NotifyToggle } from './notify-toggle'
import { Button } from './ui/button'

// Fetched when it is opened: most visits open neither.
const PromptHistory = lazy(async () => ({
  default: (await import('./prompt-history')).PromptHistory,
}))
const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list')).ShortcutList }))

const TEXT = 'input, textarea, select, [contenteditable], dialog, [role="menu"]'

type StudioToolsProps = { readonly onPrompt: (prompt: string) => void }

/** What helps with composing and following, out of the way until it is wanted. */
export function StudioTools({ onPrompt }: StudioToolsProps) {
  const t = useTranslations('studio.tools')
  const [open, setOpen] = useState<'prompts' | 'shortcuts'>()
  const close = () => setOpen(undefined)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isElsewhere = event.target instanceof Element && event.target.closest(TEXT) !== null
      const { key, ctrlKey, metaKey, altKey, repeat, isComposing } = event
      const stroke = { key, ctrlKey, metaKey, altKey, repeat, isComposing, isElsewhere }
      const act = usesSingleKeys(browserStorage()) ? shortcutOf(stroke) : undefined
      if (!act) return
      event.preventDefault()
      if (act === 'list') setOpen('shortcuts')
      else document.getElementById('prompt')?.focus()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <div className="-mx-3 flex flex-wrap">
      <Button variant="ghost" className="px-3!" onClick={() => setOpen('prompts')}>
        <History aria-hidden="true" />
        {t('prompts')}
      </Button>
      <NotifyToggle />
      <Button variant="ghost" className="px-3! max-sm:hidden" onClick={() => setOpen('shortcuts')}>
        <Keyboard aria-hidden="true" />
        {t('shortcuts')}
      </Button>
      <Suspense>
        {open === 'prompts' && <PromptHistory onChoose={onPrompt} onClose={close} />}
        {open === 'shortcuts' && <ShortcutList onClose={close} />}
      </Suspense>
    </div>
  )
}
