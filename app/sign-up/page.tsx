import { getTranslations } from 'next-intl/server'
import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { AuthFrame } from '@/components/auth-frame'
import { findUser } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { SignUpForm } from './sign-up-form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('signUp'))('title') }
}

export default async function SignUpPage() {
  if (await findUser()) redirect('/studio')
  const { signupCredits } = deps()
  const t = await getTranslations('signUp')
  return (
    <AuthFrame
      title={t('title')}
      lead={signupCredits > 0 ? t('leadWithCredits', { credits: signupCredits }) : t('lead')}
      other={
        <>
          {t('other')}{' '}
          <Link
            href="/sign-in"
            className="font-medium text-foreground underline underline-offset-4"
          >
            {t('signIn')}
          </Link>
        </>
      }
    >
      <SignUpForm />
    </AuthFrame>
  )
}
