'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { browserStorage } from '@/lib/web/browser-storage'
import { keepSingleKeys, shortcuts, usesSingleKeys } from '@/lib/web/shortcuts'
import { Dialog } from './ui/dialog'

export function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('studio.shortcuts')
  const [isOn, setOn] = useState(() => usesSingleKeys(browserStorage()))
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <dl className="divide-y">
        {shortcuts.map(({ keys, does }) => (
          <div key={does} className="flex items-center justify-between gap-6 py-2.5">
            <dd className="text-sm">{t(does)}</dd>
            <dt className="flex shrink-0 gap-1.5">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="rounded border border-line-strong bg-raised px-2 py-1 font-mono text-xs"
                >
                  {key === 'ctrl' ? t('ctrl') : key}
                </kbd>
              ))}
            </dt>
          </div>
        ))}
      </dl>
      <label className="flex min-h-10 items-center gap-3 text-sm">
        <input
          type="checkbox"
          checked={isOn}
          className="size-5 accent-foreground"
          onChange={({ target }) => {
            setOn(target.checked)
            keepSingleKeys(browserStorage(), target.checked)
          }}
        />
        {t('single')}
      </label>
    </Dialog>
  )
}
