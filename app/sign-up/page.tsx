import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { ExternalButtons } from '@/app/sign-in/external-buttons'
import { AuthFrame } from '@/components/auth-frame'
import { externalWays } from '@/lib/auth/external-providers'
import { findUser } from '@/lib/auth/session'
import { findGuest } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { environment } from '@/lib/env'
import { countKept } from '@/lib/use-cases/read-own-account'
import { SignUpForm } from './sign-up-form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('signIn'))('up.title') }
}

export default async function SignUpPage() {
  if (await findUser()) redirect('/studio')
  const t = await getTranslations('signIn')
  const { signupCredits } = deps()
  const guest = await findGuest()
  const kept = guest && (await countKept(deps(), guest))
  return (
    <AuthFrame
      title={t('up.title')}
      lead={signupCredits > 0 ? t('up.credits', { count: signupCredits }) : t('up.plain')}
      other={
        <>
          {t('up.already')}{' '}
          <Link
            href="/sign-in"
            className="font-medium text-foreground underline underline-offset-4"
          >
            {t('up.signIn')}
          </Link>
        </>
      }
    >
      {kept !== undefined && kept.attempts > 0 && (
        <p className="rounded-lg border bg-surface p-4 text-sm">
          {t('up.kept', { attempts: kept.attempts, images: kept.images })}
        </p>
      )}
      <SignUpForm />
      <ExternalButtons
        ways={externalWays(environment()).map(({ id, name }) => ({ id, name }))}
        from="/studio"
      />
    </AuthFrame>
  )
}
