'use client'

import { useTranslations } from 'next-intl'
import { useState, type SubmitEvent } from 'react'
import { toast } from '@/lib/web/toast'
import { createKeyAction, revokeKeyAction } from '@/app/(app)/account/actions'
import type { KeyView } from '@/lib/web/account-views'
import { formText } from '@/lib/web/form-text'
import { AccountSection } from './account-section'
import { FormField } from './form-field'
import { LocalTime } from './local-time'
import { Button } from './ui/button'
import { useAccountAct } from './use-account-act'

/** The one time that a key is seen. */
function NewKey({ value, onDone }: { readonly value: string; readonly onDone: () => void }) {
  const t = useTranslations('accountPage.keys')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      toast.success(t('copied'))
    } catch {
      // Refused by the browser, or no secure connection. The text can still be selected.
      toast.error(t('notCopied'))
    }
  }
  return (
    <div role="status" className="mb-4 rounded-md border border-safelight bg-safelight-wash p-4">
      <p className="text-sm font-medium">{t('made')}</p>
      <code className="mt-2 block font-mono text-sm break-all select-all">{value}</code>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="outline" onClick={() => void copy()}>
          {t('copy')}
        </Button>
        <Button variant="ghost" onClick={onDone}>
          {t('done')}
        </Button>
      </div>
    </div>
  )
}

function KeyLine({
  apiKey,
  onRevoke,
}: {
  readonly apiKey: KeyView
  readonly onRevoke: () => void
}) {
  const t = useTranslations('accountPage.keys')
  const isRevoked = apiKey.revoked_at !== null
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-56 text-sm">
        <p className="font-medium break-words">{apiKey.name}</p>
        <p className="mt-0.5 text-muted">
          {t('created')} <LocalTime iso={apiKey.created_at} />
        </p>
        <p className="text-muted">
          {apiKey.last_used_at === null ? (
            t('never')
          ) : (
            <>
              {t('used')} <LocalTime iso={apiKey.last_used_at} />
            </>
          )}
        </p>
      </div>
      {isRevoked ? (
        <span className="text-sm text-muted">{t('revoked')}</span>
      ) : (
        <Button
          variant="outline"
          size="small"
          aria-label={t('revokeNamed', { name: apiKey.name })}
          onClick={onRevoke}
        >
          {t('revoke')}
        </Button>
      )}
    </li>
  )
}

export function AccountKeys({ keys }: { readonly keys: readonly KeyView[] }) {
  const t = useTranslations('accountPage')
  const { isBusy, problem, run } = useAccountAct()
  const [made, setMade] = useState<string>()
  const create = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const created = await run(() => createKeyAction(formText(new FormData(form), 'key-name')))
    if (!created) return
    setMade(created.value)
    form.reset()
  }
  return (
    <AccountSection id="keys" title={t('keys.title')} lead={t('keys.lead')}>
      {made !== undefined && <NewKey value={made} onDone={() => setMade(undefined)} />}
      <form onSubmit={(event) => void create(event)} className="flex flex-col items-start gap-1">
        <div className="w-full">
          <FormField
            name="key-name"
            label={t('keys.name')}
            autoComplete="off"
            maxLength={100}
            problem={problem}
          />
        </div>
        <Button type="submit" variant="outline" disabled={isBusy} focusableWhenDisabled>
          {t('keys.create')}
        </Button>
      </form>
      {keys.length === 0 ? (
        <p className="mt-4 text-sm text-muted">{t('keys.none')}</p>
      ) : (
        <ul className="mt-3 divide-y">
          {keys.map((one) => (
            <KeyLine
              key={one.id}
              apiKey={one}
              onRevoke={() => void run(() => revokeKeyAction(one.id))}
            />
          ))}
        </ul>
      )}
    </AccountSection>
  )
}
