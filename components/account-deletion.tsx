'use client'

import { useTranslations } from 'next-intl'
import { useState, type SubmitEvent } from 'react'
import { deleteAccountAction } from '@/app/(app)/account/actions'
import { signOutEverywhere } from '@/lib/auth/client'
import type { ProfileView } from '@/lib/web/account-views'
import { forgetAllOf } from '@/lib/web/forget-account'
import { formText } from '@/lib/web/form-text'
import { AccountSection } from './account-section'
import { FormField } from './form-field'
import { Button } from './ui/button'
import { Dialog } from './ui/dialog'
import { useAccountAct } from './use-account-act'

type AccountDeletionProps = {
  readonly accountId: string
  readonly profile: ProfileView
  /** What deleting takes, and what is under way. */
  readonly counts: { readonly available: number; readonly open: number }
}

export function AccountDeletion(props: AccountDeletionProps) {
  const t = useTranslations('accountPage.delete')
  const [isOpen, setOpen] = useState(false)
  return (
    <AccountSection id="delete" title={t('title')} lead={t('lead')}>
      <Button variant="outline" onClick={() => setOpen(true)}>
        {t('open')}
      </Button>
      {isOpen && (
        <Dialog title={t('title')} onClose={() => setOpen(false)}>
          <DeletionForm {...props} onKeep={() => setOpen(false)} />
        </Dialog>
      )}
    </AccountSection>
  )
}

function DeletionForm({
  accountId,
  profile,
  counts,
  onKeep,
}: AccountDeletionProps & { readonly onKeep: () => void }) {
  const t = useTranslations('accountPage.delete')
  const { isBusy, refusal, problem, run } = useAccountAct()
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const given = {
      confirmation: formText(data, 'confirmation'),
      password: formText(data, 'deletion-password'),
    }
    if (!(await run(() => deleteAccountAction(given)))) return
    forgetAllOf(accountId)
    await signOutEverywhere()
  }
  const isAboutPassword = refusal?.code === 'wrong-password'
  return (
    <form
      // Before the page is ready a password must not get into an address.
      method="post"
      onSubmit={(event) => void submit(event)}
      className="flex min-h-0 flex-col gap-3 overflow-y-auto text-sm leading-relaxed"
    >
      <p>{t('goes')}</p>
      <p>{t('stays')}</p>
      <p>
        {t('credits', { count: counts.available })} {t('openOnes', { count: counts.open })}
      </p>
      <p className="text-muted">{t('again')}</p>
      <FormField
        name="confirmation"
        label={t('confirm', { email: profile.email })}
        autoComplete="off"
        autoCapitalize="none"
        problem={isAboutPassword ? undefined : problem}
      />
      {profile.has_password && (
        <FormField
          name="deletion-password"
          label={t('password')}
          type="password"
          autoComplete="current-password"
          problem={isAboutPassword ? problem : undefined}
        />
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="outline" onClick={onKeep}>
          {t('keep')}
        </Button>
        <Button type="submit" disabled={isBusy} focusableWhenDisabled>
          {isBusy ? t('deleting') : t('now')}
        </Button>
      </div>
    </form>
  )
}
