import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { LinkOver } from '@/app/sign-in/link-over'
import { AuthFrame } from '@/components/auth-frame'
import { deps } from '@/lib/deps'
import { lookAtMailLink } from '@/lib/use-cases/mail-links'
import { ResetForm } from './reset-form'

export async function generateMetadata(): Promise<Metadata> {
  // The address is a secret: nobody is told from which page somebody came.
  return { title: (await getTranslations('signIn'))('reset.title'), referrer: 'no-referrer' }
}

type Props = { readonly params: Promise<{ readonly token: string }> }

export default async function ResetPasswordPage({ params }: Props) {
  const { token } = await params
  if (!(await lookAtMailLink(deps(), token, 'password-reset'))) {
    return <LinkOver askAt="/forgot-password" />
  }
  const t = await getTranslations('signIn')
  return (
    <AuthFrame title={t('reset.title')} lead={t('reset.lead')} other={null}>
      <ResetForm token={token} />
    </AuthFrame>
  )
}
