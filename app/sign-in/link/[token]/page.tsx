import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { LinkOver } from '@/app/sign-in/link-over'
import { AuthFrame } from '@/components/auth-frame'
import { deps } from '@/lib/deps'
import { lookAtMailLink } from '@/lib/use-cases/mail-links'
import { LinkSignIn } from './link-sign-in'

export async function generateMetadata(): Promise<Metadata> {
  // The address is a secret: nobody is told from which page somebody came.
  return { title: (await getTranslations('signIn'))('link.title'), referrer: 'no-referrer' }
}

type Props = { readonly params: Promise<{ readonly token: string }> }

/** Opening it uses nothing up: programs that scan mails open links too. Only the button does. */
export default async function SignInLinkPage({ params }: Props) {
  const { token } = await params
  const link = await lookAtMailLink(deps(), token, 'sign-in-link')
  if (!link) return <LinkOver askAt="/sign-in/link" />
  const t = await getTranslations('signIn')
  return (
    <AuthFrame title={t('link.title')} lead={t('link.lead')} other={null}>
      {link.dropsPassword && (
        <p className="rounded-lg border border-safelight bg-safelight-wash p-4 text-sm">
          {t('link.drops')}
        </p>
      )}
      <LinkSignIn token={token} />
    </AuthFrame>
  )
}
