import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { AppHeader } from '@/components/app-header'
import { DarkroomProvider } from '@/components/darkroom-provider'
import { findVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { mayReview } from '@/lib/domain/role'
import { readRecentAttempts } from '@/lib/use-cases/read-attempts'
import { cancelAttemptAction, lookAgainAction, startAttemptAction } from './(app)/studio/actions'
import { AccountMenu } from './account-menu'
import { GuestMenu } from './guest-menu'
import { ClientMessages } from './translations/client-messages'

// What the browser's part of these pages speaks. Whoever goes from page to page keeps them.
const NAMESPACES = [
  'account',
  'attempt',
  'common',
  'credits',
  'images',
  'references',
  'share',
  'signIn',
  'studio',
] as const

/** What surrounds every page of somebody who is signed in, or of a guest. Each page asks for itself who that is. */
export async function AppShell({ children }: { readonly children: ReactNode }) {
  const visitor = await findVisitor()
  // The page below knows its own address and sends the person to sign in and back.
  if (!visitor) return children
  const { accountId } = visitor
  const user = visitor.kind === 'user' ? visitor.user : undefined
  const t = await getTranslations('common')
  const initial = await readRecentAttempts(deps(), accountId)
  return (
    <ClientMessages namespaces={NAMESPACES}>
      <DarkroomProvider
        key={accountId}
        accountId={accountId}
        isGuest={visitor.kind === 'guest'}
        initial={initial}
        startAttempt={startAttemptAction}
        cancelAttempt={cancelAttemptAction}
        lookAgain={lookAgainAction}
      >
        <a
          href="#content"
          className="sr-only z-50 rounded-md bg-foreground px-4 py-2 text-background focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
        >
          {t('skip')}
        </a>
        <AppHeader
          isAdmin={user !== undefined && mayReview(user.role)}
          accountMenu={user ? <AccountMenu email={user.email} /> : <GuestMenu />}
        />
        <main
          id="content"
          className="mx-auto max-w-[120rem] px-4 pt-6 pb-16 sm:px-6 sm:pt-8 lg:px-8"
        >
          {children}
        </main>
      </DarkroomProvider>
    </ClientMessages>
  )
}
