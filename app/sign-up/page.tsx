import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { AuthFrame } from '@/components/auth-frame'
import { findUser } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { creditWords } from '@/lib/web/credit-words'
import { SignUpForm } from './sign-up-form'

export const metadata: Metadata = { title: 'Create account' }

export default async function SignUpPage() {
  if (await findUser()) redirect('/studio')
  const { signupCredits } = deps()
  return (
    <AuthFrame
      title="Create account"
      lead={
        signupCredits > 0
          ? `You start with ${creditWords(signupCredits)}, once and free of charge.`
          : 'Your pictures and your credits are kept under your address.'
      }
      other={
        <>
          Already here before?{' '}
          <Link
            href="/sign-in"
            className="font-medium text-foreground underline underline-offset-4"
          >
            Sign in
          </Link>
        </>
      }
    >
      <SignUpForm />
    </AuthFrame>
  )
}
