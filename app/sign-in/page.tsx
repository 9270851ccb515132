import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { AuthFrame } from '@/components/auth-frame'
import { findUser } from '@/lib/auth/session'
import { safePath } from '@/lib/web/safe-path'
import { SignInForm } from './sign-in-form'

export const metadata: Metadata = { title: 'Sign in' }

type SignInPageProps = { readonly searchParams: Promise<{ readonly from?: string | string[] }> }

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const from = safePath((await searchParams).from, '/studio')
  if (await findUser()) redirect(from)
  return (
    <AuthFrame
      title="Sign in"
      lead="Pictures that are under way went on without you."
      other={
        <>
          No account yet?{' '}
          <Link
            href="/sign-up"
            className="font-medium text-foreground underline underline-offset-4"
          >
            Create one
          </Link>
        </>
      }
    >
      <SignInForm from={from} />
    </AuthFrame>
  )
}
