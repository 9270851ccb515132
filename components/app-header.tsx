import type { ReactNode } from 'react'
import { ConnectionNotice } from './connection-notice'
import { CreditBalance } from './credit-balance'
import { MainNav } from './main-nav'
import { ThemeToggle } from './theme-toggle'
import { Wordmark } from './wordmark'

type AppHeaderProps = { readonly isAdmin: boolean; readonly accountMenu: ReactNode }

export function AppHeader({ isAdmin, accountMenu }: AppHeaderProps) {
  return (
    <header className="sticky top-0 z-30 border-b bg-background/92 backdrop-blur-md">
      <div className="mx-auto flex max-w-[120rem] flex-wrap items-center gap-x-2 px-4 sm:gap-x-6 sm:px-6 lg:px-8">
        <div className="flex h-14 items-center">
          <Wordmark href="/studio" isCompact />
        </div>
        <div className="order-3 w-full md:order-none md:w-auto">
          <MainNav isAdmin={isAdmin} />
        </div>
        <div className="flex min-h-14 min-w-0 flex-1 flex-wrap items-center justify-end gap-0.5 sm:gap-1">
          <CreditBalance />
          <ThemeToggle />
          {accountMenu}
        </div>
      </div>
      <ConnectionNotice />
    </header>
  )
}
