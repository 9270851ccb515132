'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Result } from '@/lib/domain/result'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '@/lib/domain/password'
import type { AccountRefusal } from '@/lib/web/account-views'

type Act<Value> = () => Promise<Result<Value, AccountRefusal>>

/** Says a refusal in the reader's language. */
export function useRefusalWords(): (refusal: AccountRefusal) => string {
  const t = useTranslations('accountPage')
  return (refusal) => {
    switch (refusal.code) {
      case 'signed-out':
        return t('signedOut')
      case 'throttled':
        return t('throttled', { seconds: refusal.seconds })
      case 'wrong-password':
        return t('password.wrong')
      case 'password-length':
        return t('password.length', { min: PASSWORD_LENGTH_MIN, max: PASSWORD_LENGTH_MAX })
      case 'invalid-name':
        return t('keys.nameProblem')
      case 'too-many-keys':
        return t('keys.tooMany')
      case 'not-confirmed':
        return t('delete.notConfirmed')
      case 'has-role':
        return t('delete.hasRole')
      case 'last-way-in':
        return t('ways.last')
    }
  }
}

/** Does one thing at a time and keeps what was said against it. Undefined: it was not done. */
export function useAccountAct(): {
  readonly isBusy: boolean
  readonly refusal: AccountRefusal | undefined
  /** The refusal in words, or that no answer came. */
  readonly problem: string | undefined
  readonly run: <Value>(act: Act<Value>) => Promise<{ readonly value: Value } | undefined>
} {
  const t = useTranslations('accountPage')
  const say = useRefusalWords()
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<AccountRefusal>()
  const [isLost, setLost] = useState(false)

  const run = async <Value>(act: Act<Value>) => {
    setBusy(true)
    // Nothing is known but that no answer came, and asking again does no harm.
    const answer = await act().catch(() => undefined)
    setBusy(false)
    setLost(answer === undefined)
    setRefusal(answer?.ok === false ? answer.refusal : undefined)
    return answer?.ok === true ? { value: answer.value } : undefined
  }
  const problem = isLost ? t('noAnswer') : refusal && say(refusal)
  return { isBusy, refusal, problem, run }
}
