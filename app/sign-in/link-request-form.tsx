'use client'

import { useTranslations } from 'next-intl'
import { useState, type SyntheticEvent } from 'react'
import { FormField } from '@/components/form-field'
import { Button } from '@/components/ui/button'
import { formText } from '@/lib/web/form-text'
import { useHydrated } from '@/lib/web/use-hydrated'
import { askForLinkAction } from './actions'
import { useEmailProblem, useSignInWords } from './use-sign-in-words'

type LinkRequestFormProps = { readonly kind: 'sign-in-link' | 'password-reset' }

/** Asks for a mail. What it says afterwards is the same whether or not there is such an account. */
export function LinkRequestForm({ kind }: LinkRequestFormProps) {
  const t = useTranslations('signIn')
  const say = useSignInWords()
  const emailProblem = useEmailProblem()
  const isHydrated = useHydrated()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [sentTo, setSentTo] = useState<string>()

  const submit = async (email: string) => {
    const notAnEmail = emailProblem(email)
    setProblem(notAnEmail)
    if (notAnEmail !== undefined) return
    setBusy(true)
    const answer = await askForLinkAction({ kind, email }).catch(() => undefined)
    setBusy(false)
    if (answer?.ok === true) setSentTo(email)
    else if (!answer) setProblem(t('noAnswer'))
    else if (answer.refusal.code === 'throttled') setProblem(say({ ok: false, ...answer.refusal }))
    else setProblem(t('emailWrong'))
  }
  const onSubmit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isBusy) void submit(formText(new FormData(event.currentTarget), 'email').trim())
  }

  if (sentTo !== undefined) {
    return (
      <div role="status" className="rounded-lg border bg-surface p-5">
        <p className="font-medium">{t('link.sentTitle')}</p>
        <p className="mt-1 text-sm break-words text-muted">{t('link.sent', { email: sentTo })}</p>
      </div>
    )
  }
  return (
    <form method="post" noValidate onSubmit={onSubmit} className="flex flex-col gap-3">
      <FormField
        name="email"
        label={t('email')}
        type="email"
        autoComplete="username"
        problem={problem}
      />
      <Button type="submit" size="large" focusableWhenDisabled disabled={!isHydrated || isBusy}>
        {isBusy ? t('link.sending') : t('link.send')}
      </Button>
    </form>
  )
}
