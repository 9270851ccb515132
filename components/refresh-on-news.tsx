'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useRef } from 'react'
import { attemptsQuery } from '@/lib/web/attempts-query'
import { useAttempts, useDarkroom } from '@/lib/web/use-darkroom'
import type { AttemptView, BalanceView } from '@/lib/web/views'

/**
 * What a page says about money equals the ledger, everywhere on it: when the balance moves, the page is
 * made anew, and when the page knows another than the header, which asks only while something is open,
 * the header asks.
 */
export function RefreshOnMoney({ balance }: { readonly balance: BalanceView }) {
  const { accountId, queryClient } = useDarkroom()
  const live = moneyKey(useAttempts().balance)
  const rendered = moneyKey(balance)
  useRefreshOnce(live, rendered)
  const ask = useEffectEvent(() => {
    if (rendered !== live) void queryClient.refetchQueries(attemptsQuery(accountId))
  })
  useEffect(() => ask(), [rendered])
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
