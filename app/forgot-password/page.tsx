import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { LinkRequestForm } from '@/app/sign-in/link-request-form'
import { AuthFrame } from '@/components/auth-frame'
import { environment } from '@/lib/env'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('signIn'))('reset.askTitle') }
}

/** There is no such page where no mail is sent. */
export default async function ForgotPasswordPage() {
  if (environment().SMTP_URL === undefined) notFound()
  const t = await getTranslations('signIn')
  return (
    <AuthFrame
      title={t('reset.askTitle')}
      lead={t('reset.askLead')}
      other={
        <Link href="/sign-in" className="font-medium text-foreground underline underline-offset-4">
          {t('link.back')}
        </Link>
      }
    >
      <LinkRequestForm kind="password-reset" />
    </AuthFrame>
  )
}
