'use client'

import { useTranslations } from 'next-intl'
import { useState, type SyntheticEvent } from 'react'
import { FormField } from '@/components/form-field'
import { Button } from '@/components/ui/button'
import { signInWithPassword } from '@/lib/auth/client'
import { formText } from '@/lib/web/form-text'
import { useHydrated } from '@/lib/web/use-hydrated'
import { useEmailProblem, useSignInWords } from './use-sign-in-words'

type Problems = { readonly email?: string; readonly password?: string }

export function SignInForm({ from }: { readonly from: string }) {
  const t = useTranslations('signIn')
  const say = useSignInWords()
  const emailProblem = useEmailProblem()
  const isHydrated = useHydrated()
  const [isBusy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Problems>({})

  const submit = async (form: FormData) => {
    const email = formText(form, 'email').trim()
    const password = formText(form, 'password')
    const notAnEmail = emailProblem(email)
    if (notAnEmail !== undefined || password === '') {
      setProblems({
        ...(notAnEmail !== undefined && { email: notAnEmail }),
        ...(password === '' && { password: t('passwordEmpty') }),
      })
      return
    }
    setBusy(true)
    setProblems({})
    // The network may fail. Nothing is known then but that, and trying again does no harm.
    const answer = await signInWithPassword({ email, password }).catch(
      () => ({ ok: false, code: 'no-answer' }) as const,
    )
    if (answer.ok) {
      // A full page load: nothing of whoever used this tab before stays in it.
      window.location.assign(from)
    } else {
      setProblems({ password: say(answer) })
      setBusy(false)
    }
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
        autoComplete="current-password"
        problem={problems.password}
      />
      <Button
        type="submit"
        size="large"
        focusableWhenDisabled
        disabled={!isHydrated || isBusy}
        className="mt-1"
      >
        {isBusy ? t('signingIn') : t('signIn')}
      </Button>
    </form>
  )
}
