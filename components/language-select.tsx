'use client'

import { Languages } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useTransition } from 'react'
import { chooseLanguageAction } from '@/app/translations/actions'
import { cn } from '@/lib/web/class-names'
import { findLocale, languageNames, LOCALES } from '@/lib/web/locales'
import { buttonVariants } from './ui/button-variants'

/** The browser's own list behind one sign: it needs no script of ours to open, and every reader knows it. */
export function LanguageSelect({ className }: { readonly className?: string }) {
  const t = useTranslations('common')
  const locale = useLocale()
  const [isChanging, startChange] = useTransition()
  return (
    <span
      className={cn(
        buttonVariants({ variant: 'ghost', size: 'icon' }),
        'relative has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-foreground',
        className,
      )}
    >
      <Languages aria-hidden="true" />
      <select
        aria-label={t('language')}
        aria-busy={isChanging}
        value={locale}
        // Invisible, in its place: a click anywhere on the sign opens it.
        className="absolute inset-0 cursor-pointer opacity-0"
        onChange={({ target }) => {
          const wanted = findLocale(target.value)
          if (wanted) startChange(() => chooseLanguageAction(wanted))
        }}
      >
        {LOCALES.map((name) => (
          <option key={name} value={name} lang={name} className="bg-surface text-foreground">
            {languageNames[name]}
          </option>
        ))}
      </select>
    </span>
  )
}
