'use client'

import { useLocale, useTranslations } from 'next-intl'
import { useTransition } from 'react'
import { chooseLanguageAction } from '@/app/translations/actions'
import { languageNames, LOCALES, type Locale } from '@/lib/web/locales'
import { MenuGroup, MenuGroupLabel, MenuRadioGroup, MenuRadioItem } from './ui/menu'

/** The languages, as a part of a menu. */
export function LanguageMenuGroup() {
  const t = useTranslations('common')
  const locale = useLocale()
  const [, startChange] = useTransition()
  const choose = (wanted: Locale) => startChange(() => chooseLanguageAction(wanted))
  return (
    <MenuGroup>
      <MenuGroupLabel>{t('language')}</MenuGroupLabel>
      <MenuRadioGroup value={locale} onValueChange={choose}>
        {LOCALES.map((name) => (
          <MenuRadioItem key={name} value={name} lang={name} closeOnClick>
            {languageNames[name]}
          </MenuRadioItem>
        ))}
      </MenuRadioGroup>
    </MenuGroup>
  )
}
