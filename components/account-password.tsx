'use client'

import { useTranslations } from 'next-intl'
import type { SubmitEvent } from 'react'
import { toast } from '@/lib/web/toast'
import { changePasswordAction } from '@/app/(app)/account/actions'
import { PASSWORD_LENGTH_MIN } from '@/lib/domain/password'
import type { ProfileView } from '@/lib/web/account-views'
import { formText } from '@/lib/web/form-text'
import { AccountSection } from './account-section'
import { FormField } from './form-field'
import { Button } from './ui/button'
import { useAccountAct } from './use-account-act'

export function AccountPassword({ profile }: { readonly profile: ProfileView }) {
  const t = useTranslations('accountPage')
  const { isBusy, refusal, problem, run } = useAccountAct()
  const hasOne = profile.has_password
  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const change = { current: formText(data, 'current'), password: formText(data, 'password') }
    if (!(await run(() => changePasswordAction(change)))) return
    form.reset()
    toast.success(t('password.saved'))
  }
  const isAboutNew = refusal?.code === 'password-length' || !hasOne
  return (
    <AccountSection
      id="password"
      title={hasOne ? t('password.title') : t('password.setTitle')}
      {...(!hasOne && { lead: t('password.none') })}
    >
      <form
        // Before the page is ready a password must not get into an address.
        method="post"
        onSubmit={(event) => void save(event)}
        className="flex flex-col items-start gap-1"
      >
        {/* For password managers: whose password it is. */}
        <input
          type="text"
          name="username"
          autoComplete="username"
          defaultValue={profile.email}
          hidden
          readOnly
        />
        {hasOne && (
          <div className="w-full">
            <FormField
              name="current"
              label={t('password.current')}
              type="password"
              autoComplete="current-password"
              problem={isAboutNew ? undefined : problem}
            />
          </div>
        )}
        <div className="w-full">
          <FormField
            name="password"
            label={t('password.new')}
            type="password"
            autoComplete="new-password"
            hint={t('password.hint', { min: PASSWORD_LENGTH_MIN })}
            problem={isAboutNew ? problem : undefined}
          />
        </div>
        <Button type="submit" variant="outline" disabled={isBusy} focusableWhenDisabled>
          {hasOne ? t('password.save') : t('password.set')}
        </Button>
      </form>
    </AccountSection>
  )
}
