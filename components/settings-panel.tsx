'use client'

import { useTranslations } from 'next-intl'
import { ChevronDown } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { cn } from '@/lib/web/class-names'

type SettingsPanelProps = { readonly summary: string; readonly children: ReactNode }

/** On a narrow screen the settings are one line until opened, so that the newest picture is in sight. */
export function SettingsPanel({ summary, children }: SettingsPanelProps) {
  const t = useTranslations('studio.settings')
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex flex-col gap-5">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls="settings"
        onClick={() => setOpen(!isOpen)}
        className="flex h-11 items-center justify-between gap-3 rounded-md border border-line-strong/60 px-3.5 text-sm lg:hidden"
      >
        <span className="truncate tabular-nums">
          <span className="sr-only">{t('label')} </span>
          {summary}
        </span>
        <ChevronDown
          aria-hidden="true"
          className={cn('size-4 shrink-0 transition-transform', isOpen && 'rotate-180')}
        />
      </button>
      <div id="settings" className={cn('flex flex-col gap-5', !isOpen && 'max-lg:hidden')}>
        {children}
      </div>
    </div>
  )
}
