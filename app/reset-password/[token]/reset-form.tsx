'use client'

import { useTranslations } from 'next-intl'
import Link from 'next/link'
import { useState, type SyntheticEvent } from 'react'
import { resetPasswordAction } from '@/app/sign-in/actions'
import { useSignInWords } from '@/app/sign-in/use-sign-in-words'
import { FormField } from '@/components/form-field'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '@/lib/domain/password'
import { formText } from '@/lib/web/form-text'
import { useHydrated } from '@/lib/web/use-hydrated'

export function ResetForm({ token }: { readonly token: string }) {
  const t = useTranslations('signIn')
  const say = useSignInWords()
  const isHydrated = useHydrated()
  const [isBusy, setBusy] = useState(false)
  const [isDone, setDone] = useState(false)
  const [problem, setProblem] = useState<string>()

  const submit = async (password: string) => {
    setBusy(true)
    const answer = await resetPasswordAction({ token, password }).catch(() => undefined)
    setBusy(false)
    if (answer?.ok === true) setDone(true)
    else if (!answer) setProblem(t('noAnswer'))
    else if (answer.refusal.code === 'throttled') setProblem(say({ ok: false, ...answer.refusal }))
    else if (answer.refusal.code === 'link-over') setProblem(t('link.overLead'))
    else setProblem(t('up.length', { min: PASSWORD_LENGTH_MIN, max: PASSWORD_LENGTH_MAX }))
  }
  const onSubmit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isBusy) void submit(formText(new FormData(event.currentTarget), 'password'))
  }

  if (isDone) {
    return (
      <div role="status" className="flex flex-col gap-4">
        <p>{t('reset.done')}</p>
        <Link href="/sign-in" className={buttonVariants({ size: 'large' })}>
          {t('signIn')}
        </Link>
      </div>
    )
  }
  return (
    // The method matters only before the page is ready: a password must never get into an address.
    <form method="post" noValidate onSubmit={onSubmit} className="flex flex-col gap-3">
      <FormField
        name="password"
        label={t('reset.new')}
        type="password"
        autoComplete="new-password"
        hint={t('up.hint', { min: PASSWORD_LENGTH_MIN })}
        problem={problem}
      />
      <Button type="submit" size="large" focusableWhenDisabled disabled={!isHydrated || isBusy}>
        {isBusy ? t('reset.saving') : t('reset.save')}
      </Button>
    </form>
  )
}
