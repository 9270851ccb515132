'use client'

import { useTranslations } from 'next-intl'
import type { SubmitEvent } from 'react'
import { toast } from '@/lib/web/toast'
import { renameAction } from '@/app/(app)/account/actions'
import type { ProfileView } from '@/lib/web/account-views'
import { formText } from '@/lib/web/form-text'
import { AccountSection } from './account-section'
import { FormField } from './form-field'
import { Button } from './ui/button'
import { useAccountAct } from './use-account-act'

export function AccountProfile({ profile }: { readonly profile: ProfileView }) {
  const t = useTranslations('accountPage')
  const { isBusy, refusal, problem, run } = useAccountAct()
  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = formText(new FormData(event.currentTarget), 'name')
    if (await run(() => renameAction(name))) toast.success(t('saved'))
  }
  return (
    <AccountSection id="profile" title={t('profile.title')}>
      <dl className="mb-4 text-sm">
        <dt className="font-medium">{t('profile.email')}</dt>
        <dd className="mt-1 break-all">{profile.email}</dd>
        <dd className="mt-0.5 text-muted">
          {profile.is_verified ? t('profile.verified') : t('profile.unverified')}
        </dd>
      </dl>
      <form onSubmit={(event) => void save(event)} className="flex flex-col items-start gap-1">
        <div className="w-full">
          <FormField
            name="name"
            label={t('profile.name')}
            autoComplete="name"
            maxLength={100}
            defaultValue={profile.name}
            problem={refusal?.code === 'invalid-name' ? t('profile.nameProblem') : problem}
          />
        </div>
        <Button type="submit" variant="outline" disabled={isBusy} focusableWhenDisabled>
          {t('profile.save')}
        </Button>
      </form>
    </AccountSection>
  )
}
