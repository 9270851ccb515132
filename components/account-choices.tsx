'use client'

import { useTranslations } from 'next-intl'
import { useTheme } from 'next-themes'
import { useState } from 'react'
import { tellByMailAction } from '@/app/(app)/account/actions'
import { notifyState, turnNotify, type NotifyState } from '@/lib/web/notify'
import { useHydrated } from '@/lib/web/use-hydrated'
import { AccountSection } from './account-section'
import { Choice } from './choice'
import { useAccountAct } from './use-account-act'

const THEMES = ['system', 'light', 'dark'] as const

/** The theme alone, for guests too: it is this browser's. */
export function ThemeChoice() {
  const t = useTranslations('accountPage.choices')
  const isHydrated = useHydrated()
  const { theme, setTheme } = useTheme()
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{t('theme')}</legend>
      <div className="grid grid-cols-3 gap-2">
        {THEMES.map((name) => (
          <Choice
            key={name}
            name="theme"
            value={name}
            isChosen={isHydrated && theme === name}
            onChoose={() => setTheme(name)}
            className="flex min-h-10 items-center justify-center px-2 py-2 text-center text-sm"
          >
            {t(name)}
          </Choice>
        ))}
      </div>
    </fieldset>
  )
}

type CheckProps = {
  readonly label: string
  readonly isOn: boolean
  readonly isDisabled?: boolean
  readonly onChange: (isOn: boolean) => void
}

function Check({ label, isOn, isDisabled = false, onChange }: CheckProps) {
  return (
    <label className="flex min-h-10 items-center gap-3 text-sm">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
        className="size-5 shrink-0 accent-foreground"
      />
      {label}
    </label>
  )
}

function NotifyChoice() {
  const t = useTranslations('accountPage.choices')
  const isHydrated = useHydrated()
  const [changed, setChanged] = useState<NotifyState>()
  const state = changed ?? (isHydrated ? notifyState() : 'off')
  return (
    <>
      <Check
        label={t('notify')}
        isOn={state === 'on'}
        isDisabled={!isHydrated || state === 'impossible'}
        onChange={(isOn) => void turnNotify(isOn).then(setChanged)}
      />
      {state === 'impossible' && <p className="text-sm text-muted">{t('notifyImpossible')}</p>}
      {state === 'refused' && (
        <p role="status" className="text-sm text-muted">
          {t('notifyRefused')}
        </p>
      )}
    </>
  )
}

function MailChoice({ isOn }: { readonly isOn: boolean }) {
  const t = useTranslations('accountPage.choices')
  const { isBusy, problem, run } = useAccountAct()
  const [isWanted, setWanted] = useState(isOn)
  const change = async (wanted: boolean) => {
    setWanted(wanted)
    if (!(await run(() => tellByMailAction(wanted)))) setWanted(!wanted)
  }
  return (
    <>
      <Check
        label={t('mail')}
        isOn={isWanted}
        isDisabled={isBusy}
        onChange={(wanted) => void change(wanted)}
      />
      {problem !== undefined && (
        <p role="alert" className="text-sm text-safelight-ink">
          {problem}
        </p>
      )}
    </>
  )
}

type AccountChoicesProps = {
  /** Undefined where no mail is sent. */
  readonly isToldByEmail: boolean | undefined
}

export function AccountChoices({ isToldByEmail }: AccountChoicesProps) {
  const t = useTranslations('accountPage')
  return (
    <AccountSection id="choices" title={t('choices.title')}>
      <ThemeChoice />
      <div className="mt-4">
        <NotifyChoice />
        {isToldByEmail !== undefined && <MailChoice isOn={isToldByEmail} />}
      </div>
    </AccountSection>
  )
}
