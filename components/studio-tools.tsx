'use client'

import { useTranslations } from 'next-intl'
import { Brush, History, Keyboard } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { browserStorage } from '@/lib/web/browser-storage'
import type { Draft } from '@/lib/web/draft'
import { shortcutOf, usesSingleKeys } from '@/lib/web/shortcuts'
import { NotifyToggle } from './notify-toggle'
import { Button } from './ui/button'

// Fetched when it is opened: most visits open none.
const PromptHistory = lazy(async () => ({
  default: (await import('./prompt-history')).PromptHistory,
}))
const StyleDialog = lazy(async () => ({ default: (await import('./style-dialog')).StyleDialog }))
const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list')).ShortcutList }))

const TEXT = 'input, textarea, select, [contenteditable], dialog, [role="menu"]'

type StudioToolsProps = {
  readonly draft: Draft
  readonly onEdit: (change: Partial<Draft>) => void
}

/** What helps with composing and following, out of the way until it is wanted. */
export function StudioTools({ draft, onEdit }: StudioToolsProps) {
  const t = useTranslations('studio.tools')
  const [open, setOpen] = useState<'prompts' | 'styles' | 'shortcuts'>()
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
      <Button variant="ghost" className="px-3!" onClick={() => setOpen('styles')}>
        <Brush aria-hidden="true" />
        {t('styles')}
      </Button>
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
        {open === 'styles' && <StyleDialog draft={draft} onEdit={onEdit} onClose={close} />}
        {open === 'prompts' && (
          <PromptHistory onChoose={(prompt) => onEdit({ prompt })} onClose={close} />
        )}
        {open === 'shortcuts' && <ShortcutList onClose={close} />}
      </Suspense>
    </div>
  )
}
