'use client'

import { useTranslations } from 'next-intl'
import { useState, type SyntheticEvent } from 'react'
import { useEmailProblem, useSignInWords } from '@/app/sign-in/use-sign-in-words'
import { FormField } from '@/components/form-field'
import { Button } from '@/components/ui/button'
import { signInWithPassword } from '@/lib/auth/client'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '@/lib/domain/password'
import { formText } from '@/lib/web/form-text'
import { useHydrated } from '@/lib/web/use-hydrated'
import { registerAction } from './actions'

type Problems = { readonly email?: string; readonly password?: string; readonly form?: string }
type Credentials = { readonly email: string; readonly password: string }

export function SignUpForm() {
  const t = useTranslations('signIn')
  const emailProblem = useEmailProblem()
  const signUp = useSignUp()
  const isHydrated = useHydrated()
  const [isBusy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Problems>({})

  const submit = async (form: FormData) => {
    const email = formText(form, 'email').trim()
    const notAnEmail = emailProblem(email)
    if (notAnEmail !== undefined) {
      setProblems({ email: notAnEmail })
      return
    }
    setBusy(true)
    setProblems(await signUp({ email, password: formText(form, 'password') }))
    setBusy(false)
  }
  const onSubmit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isBusy) void submit(new FormData(event.currentTarget))
  }

  return (
    // The method matters only before the page is ready: a password must never get into an address.
    <form method="post" noValidate onSubmit={onSubmit} className="flex flex-col gap-3">
      <FormField
        name="email"
        label={t('email')}
        type="email"
        autoComplete="username"
        problem={problems.email}
      />
      <FormField
        name="password"
        label={t('password')}
        type="password"
        autoComplete="new-password"
        hint={t('up.hint', { min: PASSWORD_LENGTH_MIN })}
        problem={problems.password}
      />
      {problems.form !== undefined && (
        <p role="alert" className="text-sm text-safelight-ink">
          {problems.form}
        </p>
      )}
      <Button
        type="submit"
        size="large"
        focusableWhenDisabled
        disabled={!isHydrated || isBusy}
        className="mt-1"
      >
        {isBusy ? t('up.creating') : t('up.create')}
      </Button>
    </form>
  )
}

/** Answers what stands in the way, at the field that it concerns; nothing once the person is on the way in. */
function useSignUp(): (credentials: Credentials) => Promise<Problems> {
  const t = useTranslations('signIn')
  const say = useSignInWords()

  const problemsOf = (
    refusal: Extract<Awaited<ReturnType<typeof registerAction>>, { ok: false }>['refusal'],
  ): Problems => {
    if (refusal.code === 'throttled') {
      return { form: say({ ok: false, code: 'throttled', seconds: refusal.seconds }) }
    }
    if (refusal.code === 'email-taken') return { email: t('up.taken') }
    if (refusal.field === 'email') return { email: t('emailWrong') }
    if (refusal.field === 'password') {
      return { password: t('up.length', { min: PASSWORD_LENGTH_MIN, max: PASSWORD_LENGTH_MAX }) }
    }
    return { form: t('up.unusable') }
  }

  return async (credentials) => {
    try {
      const registered = await registerAction(credentials)
      if (!registered.ok) return problemsOf(registered.refusal)
      const signedIn = await signInWithPassword(credentials)
      if (!signedIn.ok) return { form: t('up.madeBut') }
      window.location.assign('/studio')
      return {}
    } catch {
      // The answer was lost. The account may have been made, and signing in would tell.
      return { form: t('up.lost') }
    }
  }
}
