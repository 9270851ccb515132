'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { useAttempts } from '@/lib/web/use-darkroom'
import type { AttemptView, BalanceView } from '@/lib/web/views'

/** What a page says about money equals the ledger: when the balance moves, the page is made anew. */
export function RefreshOnMoney({ balance }: { readonly balance: BalanceView }) {
  const live = useAttempts().balance
  useRefreshOnce(moneyKey(live), moneyKey(balance))
  return null
}

const moneyKey = ({ granted, available, held, spent, allowance }: BalanceView) =>
  [granted, available, held, spent, allowance.day, allowance.remaining].join(' ')

/** The history and the money lines of an attempt come from the server: fetched again when it moves on. */
export function RefreshOnAttempt({ attempt }: { readonly attempt: AttemptView }) {
  const live = useAttempts().attempts.find(({ id }) => id === attempt.id)
  useRefreshOnce(attemptKey(live ?? attempt), attemptKey(attempt))
  return null
}

const attemptKey = ({ state, settlement, updated_at }: AttemptView) =>
  [state, settlement, updated_at].join(' ')

// Once per piece of news: a page that still differs afterwards is the newer of the two.
function useRefreshOnce(news: string, rendered: string): void {
  const router = useRouter()
  const lastNews = useRef(rendered)
  useEffect(() => {
    if (news === lastNews.current) return
    lastNews.current = news
    if (news !== rendered) router.refresh()
  }, [news, rendered, router])
}
