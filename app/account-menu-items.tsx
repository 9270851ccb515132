'use client'

import { CircleUser, LogOut, Settings } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { LanguageMenuGroup } from '@/components/language-menu-group'
import { buttonVariants } from '@/components/ui/button-variants'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/menu'
import { signOutEverywhere } from '@/lib/auth/client'
import { forgetAccount } from '@/lib/web/darkroom-client'

/** The menu itself, open from the start: it is loaded because somebody asked for it. */
export function AccountMenuItems({ email }: { readonly email: string }) {
  const t = useTranslations('account')
  const router = useRouter()
  const signOut = async () => {
    await signOutEverywhere()
    forgetAccount()
  }
  return (
    <Menu defaultOpen>
      <MenuTrigger
        aria-label={t('menu')}
        className={buttonVariants({ variant: 'ghost', size: 'icon' })}
      >
        <CircleUser aria-hidden="true" />
      </MenuTrigger>
      <MenuContent>
        <p className="max-w-64 truncate px-3 py-2 text-sm text-muted">
          {t('signedInAs')}
          <span className="block truncate font-medium text-foreground">{email}</span>
        </p>
        <MenuItem onClick={() => router.push('/account')}>
          <Settings aria-hidden="true" />
          {t('settings')}
        </MenuItem>
        <LanguageMenuGroup />
        <MenuItem onClick={() => void signOut()}>
          <LogOut aria-hidden="true" />
          {t('signOut')}
        </MenuItem>
      </MenuContent>
    </Menu>
  )
}
