'use client'

import type { AttemptView } from '@/lib/web/views'
import { useWords } from '@/lib/web/use-words'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { announcements, endings } from '@/lib/web/attempt-words'
import { attemptsQuery } from '@/lib/web/attempts-query'
import { notify } from '@/lib/web/notify'
import { useDarkroom, useOutbox } from '@/lib/web/use-darkroom'

/** The one observer that polls. Everything else on the page reads what it brings. */
export function AttemptsPoll() {
  const { accountId, sender } = useDarkroom()
  const { items } = useOutbox()
  const router = useRouter()
  const say = useWords()
  // News is told in the language of the moment; another language is no news.
  const onNews = useEffectEvent((before: readonly AttemptView[], after: readonly AttemptView[]) => {
    notify(endings(before, after, say), (id) => router.push(`/images/${id}`))
    return announcements(before, after, say)
  })
  const { data } = useQuery(attemptsQuery(accountId))
  const attempts = data?.attempts
  const known = useRef(attempts)
  const [news, setNews] = useState('')

  // A listed request has arrived, whatever became of its answer.
  useEffect(() => {
    if (attempts && items.length > 0) sender.acknowledge(attempts.map((each) => each.request_id))
  }, [attempts, items, sender])

  useEffect(() => {
    if (!attempts) return
    const sentences = onNews(known.current ?? [], attempts)
    known.current = attempts
    if (sentences.length > 0) setNews(sentences.join(' '))
  }, [attempts])

  return (
    <div role="status" aria-live="polite" className="sr-only">
      {news}
    </div>
  )
}
