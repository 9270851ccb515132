'use client'

import { CircleUser, LogOut } from 'lucide-react'
import { buttonVariants } from '@/components/ui/button-variants'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/menu'
import { signOutEverywhere } from '@/lib/auth/client'
import { forgetAccount } from '@/lib/web/darkroom-client'

/** The menu itself, open from the start: it is loaded because somebody asked for it. */
export function AccountMenuItems({ email }: { readonly email: string }) {
  const signOut = async () => {
    await signOutEverywhere()
    forgetAccount()
  }
  return (
    <Menu defaultOpen>
      <MenuTrigger
        aria-label="Account"
        className={buttonVariants({ variant: 'ghost', size: 'icon' })}
      >
        <CircleUser aria-hidden="true" />
      </MenuTrigger>
      <MenuContent>
        <p className="max-w-64 truncate px-3 py-2 text-sm text-muted">
          Signed in as
          <span className="block truncate font-medium text-foreground">{email}</span>
        </p>
        <MenuItem onClick={() => void signOut()}>
          <LogOut aria-hidden="true" />
          Sign out
        </MenuItem>
      </MenuContent>
    </Menu>
  )
}
