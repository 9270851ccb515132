import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { LinkRequestForm } from '@/app/sign-in/link-request-form'
import { AuthFrame } from '@/components/auth-frame'
import { environment } from '@/lib/env'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('signIn'))('link.askTitle') }
}

/** There is no such page where no mail is sent. */
export default async function SignInLinkPage() {
  if (environment().SMTP_URL === undefined) notFound()
  const t = await getTranslations('signIn')
  return (
    <AuthFrame
      title={t('link.askTitle')}
      lead={t('link.askLead')}
      other={
        <Link href="/sign-in" className="font-medium text-foreground underline underline-offset-4">
          {t('link.back')}
        </Link>
      }
    >
      <LinkRequestForm kind="sign-in-link" />
    </AuthFrame>
  )
}
