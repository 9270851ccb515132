import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { AuthFrame } from '@/components/auth-frame'
import { externalWays } from '@/lib/auth/external-providers'
import { findUser } from '@/lib/auth/session'
import { environment } from '@/lib/env'
import { safePath } from '@/lib/web/safe-path'
import { ExternalButtons } from './external-buttons'
import { SignInForm } from './sign-in-form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('signIn'))('title') }
}

type Params = Readonly<Record<'from' | 'problem' | 'with' | 'error', string | string[] | undefined>>
type SignInPageProps = { readonly searchParams: Promise<Partial<Params>> }

const linkClasses = 'font-medium text-foreground underline underline-offset-4'

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const params = await searchParams
  const from = safePath(params.from, '/studio')
  if (await findUser()) redirect(params.problem === undefined ? from : '/account')
  const t = await getTranslations('signIn')
  const env = environment()
  const ways = externalWays(env)
  return (
    <AuthFrame
      title={t('title')}
      lead={t('lead')}
      other={
        <>
          {t('noAccount')}{' '}
          <Link href="/sign-up" className={linkClasses}>
            {t('createOne')}
          </Link>
        </>
      }
    >
      <ExternalNotice params={params} />
      <SignInForm from={from} />
      {env.SMTP_URL !== undefined && (
        <p className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
          <Link href="/forgot-password" className={linkClasses}>
            {t('forgot')}
          </Link>
          <Link href="/sign-in/link" className={linkClasses}>
            {t('byLink')}
          </Link>
        </p>
      )}
      <ExternalButtons ways={ways.map(({ id, name }) => ({ id, name }))} from={from} />
    </AuthFrame>
  )
}

const PROBLEMS = ['unproved', 'no_email', 'suspended', 'taken', 'failed'] as const

/** Why somebody who came back from an issuer was not let in. */
async function ExternalNotice({ params }: { readonly params: Partial<Params> }) {
  const problem =
    PROBLEMS.find((name) => name === params.problem) ??
    (typeof params.error === 'string' ? 'failed' : undefined)
  if (problem === undefined) return null
  const t = await getTranslations('signIn')
  const ways = externalWays(environment())
  const name = (ways.find(({ id }) => id === params.with) ?? ways[0])?.name ?? 'OpenID'
  return (
    <p role="alert" className="rounded-lg border border-safelight bg-safelight-wash p-4 text-sm">
      {t(`external.${problem}`, { name })}
    </p>
  )
}
