import type { Metadata } from 'next'
import { Download } from 'lucide-react'
import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { ClientMessages } from '@/app/translations/client-messages'
import { AccountChoices, ThemeChoice } from '@/components/account-choices'
import { AccountDeletion } from '@/components/account-deletion'
import { AccountKeys } from '@/components/account-keys'
import { AccountPassword } from '@/components/account-password'
import { AccountProfile } from '@/components/account-profile'
import { AccountSection } from '@/components/account-section'
import { AccountSessions } from '@/components/account-sessions'
import { AccountWays } from '@/components/account-ways'
import { PageHeading } from '@/components/page-heading'
import { buttonVariants } from '@/components/ui/button-variants'
import { externalWays } from '@/lib/auth/external-providers'
import type { CurrentUser } from '@/lib/auth/session'
import { requireVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import type { AccountId } from '@/lib/domain/ids'
import { environment } from '@/lib/env'
import { listApiKeys } from '@/lib/use-cases/api-keys'
import { listWays } from '@/lib/use-cases/sign-in-ways'
import { countKept, readProfile } from '@/lib/use-cases/read-own-account'
import { readBalance } from '@/lib/use-cases/read-ledger'
import { listSessions } from '@/lib/use-cases/sessions'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('accountPage'))('title') }
}

export default async function AccountPage() {
  const visitor = await requireVisitor('/account')
  return (
    <ClientMessages namespaces={['account', 'accountPage', 'common']}>
      {visitor.kind === 'user' ? (
        <OwnAccount user={visitor.user} />
      ) : (
        <GuestAccount accountId={visitor.accountId} />
      )}
    </ClientMessages>
  )
}

async function OwnAccount({ user }: { readonly user: CurrentUser }) {
  const { accountId, sessionId } = user
  const [t, profile, sessions, keys, counts, balance, ways] = await Promise.all([
    getTranslations('accountPage'),
    readProfile(deps(), accountId),
    listSessions(deps(), accountId, sessionId),
    listApiKeys(deps(), accountId),
    countKept(deps(), accountId),
    readBalance(deps(), accountId),
    listWays(deps(), accountId, externalWays(environment())),
  ])
  return (
    <div className="mx-auto max-w-5xl">
      <PageHeading title={t('title')}>{t('lead')}</PageHeading>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid gap-4">
          <AccountProfile profile={profile} />
          <AccountPassword profile={profile} />
          <AccountChoices
            isToldByEmail={
              environment().SMTP_URL === undefined ? undefined : profile.is_told_by_email
            }
          />
          <AccountWays ways={ways} />
        </div>
        <div className="grid gap-4">
          <AccountSessions sessions={sessions} />
          <AccountKeys keys={keys} />
          <AccountSection id="data" title={t('data.title')} lead={t('data.lead')}>
            <a
              href="/api/account/export"
              download
              className={buttonVariants({ variant: 'outline' })}
            >
              <Download aria-hidden="true" />
              {t('data.download')}
            </a>
          </AccountSection>
          <AccountDeletion
            accountId={accountId}
            profile={profile}
            counts={{ available: balance.available, open: counts.open }}
          />
        </div>
      </div>
    </div>
  )
}

async function GuestAccount({ accountId }: { readonly accountId: AccountId }) {
  const t = await getTranslations('accountPage')
  const { attempts, images } = await countKept(deps(), accountId)
  return (
    <div className="mx-auto max-w-2xl">
      <PageHeading title={t('guest.title')}>{t('guest.kept', { attempts, images })}</PageHeading>
      <div className="grid gap-4">
        <AccountSection id="guest" title={t('title')} lead={t('guest.lead')}>
          <div className="flex flex-wrap gap-2">
            <Link href="/sign-up" className={buttonVariants()}>
              {t('guest.signUp')}
            </Link>
            <Link href="/sign-in" className={buttonVariants({ variant: 'outline' })}>
              {t('guest.signIn')}
            </Link>
          </div>
        </AccountSection>
        <AccountSection id="choices" title={t('choices.title')}>
          <ThemeChoice />
        </AccountSection>
      </div>
    </div>
  )
}
