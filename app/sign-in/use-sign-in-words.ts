'use client'

import { useTranslations } from 'next-intl'
import type { SignInResult } from '@/lib/auth/client'

type Problem = Extract<SignInResult, { readonly ok: false }> | { readonly code: 'no-answer' }

const MINUTE_S = 60

/** Says in the reader's language why somebody was not let in. */
export function useSignInWords(): (problem: Problem) => string {
  const t = useTranslations('signIn')
  return (problem) => {
    switch (problem.code) {
      case 'wrong':
        return t('wrong')
      case 'failed':
        return t('failed')
      case 'no-answer':
        return t('noAnswer')
      case 'throttled':
        return t('throttled', { minutes: Math.ceil(problem.seconds / MINUTE_S) })
    }
  }
}

/** Undefined for a string that could be an address; the server has the last word. */
export function useEmailProblem(): (email: string) => string | undefined {
  const t = useTranslations('signIn')
  return (email) => {
    if (email.trim() === '') return t('emailEmpty')
    return /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? undefined : t('emailWrong')
  }
}
