'use client'

import { useState, type SyntheticEvent } from 'react'
import { FormField } from '@/components/form-field'
import { Button } from '@/components/ui/button'
import { signInWithPassword } from '@/lib/auth/client'
import { emailProblem, formText } from '@/lib/web/form-text'
import { useHydrated } from '@/lib/web/use-hydrated'

type Problems = { readonly email?: string; readonly password?: string }

export function SignInForm({ from }: { readonly from: string }) {
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
        ...(password === '' && { password: 'Enter your password.' }),
      })
      return
    }
    setBusy(true)
    setProblems({})
    const answer = await signIn({ email, password })
    if (answer.ok) {
      // A full page load: nothing of whoever used this tab before stays in it.
      window.location.assign(from)
    } else {
      setProblems({ password: answer.message })
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
        label="Email"
        type="email"
        autoComplete="username"
        problem={problems.email}
      />
      <FormField
        name="password"
        label="Password"
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
        {isBusy ? 'Signing in' : 'Sign in'}
      </Button>
    </form>
  )
}

async function signIn(input: { readonly email: string; readonly password: string }) {
  try {
    return await signInWithPassword(input)
  } catch {
    // The network failed. Nothing is known but that, and trying again does no harm.
    return { ok: false, message: 'Darkroom does not answer. Try again in a moment.' } as const
  }
}
