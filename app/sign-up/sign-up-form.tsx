'use client'

import { useState, type SyntheticEvent } from 'react'
import { FormField } from '@/components/form-field'
import { Button } from '@/components/ui/button'
import { signInWithPassword } from '@/lib/auth/client'
import { emailProblem, formText } from '@/lib/web/form-text'
import { useHydrated } from '@/lib/web/use-hydrated'
import { registerAction } from './actions'

type Problems = { readonly email?: string; readonly password?: string; readonly form?: string }
type Credentials = { readonly email: string; readonly password: string }

export function SignUpForm() {
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
        label="Email"
        type="email"
        autoComplete="username"
        problem={problems.email}
      />
      <FormField
        name="password"
        label="Password"
        type="password"
        autoComplete="new-password"
        hint="At least 10 characters. Length is what makes it strong."
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
        {isBusy ? 'Creating account' : 'Create account'}
      </Button>
    </form>
  )
}

/** What stands in the way, at the field that it concerns; nothing once the person is on the way in. */
async function signUp(credentials: Credentials): Promise<Problems> {
  try {
    const registered = await registerAction(credentials)
    if (!registered.ok) {
      const { field, message } = registered.refusal
      return field === 'email' || field === 'password' ? { [field]: message } : { form: message }
    }
    const signedIn = await signInWithPassword(credentials)
    if (!signedIn.ok) return { form: `The account is made. ${signedIn.message}` }
    window.location.assign('/studio')
    return {}
  } catch {
    // The answer was lost. The account may have been made, and signing in would tell.
    return { form: 'The answer got lost. The account may be made already: try to sign in.' }
  }
}
