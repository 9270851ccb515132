'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { announcements, endings } from '@/lib/web/attempt-words'
import { attemptsQuery } from '@/lib/web/attempts-query'
import { notify } from '@/lib/web/notify'
import { useDarkroom, useOutbox } from '@/lib/web/use-darkroom'

/** The one observer that polls. Everything else on the page reads what it brings. */
export function AttemptsPoll() {
  const { accountId, sender } = useDarkroom()
  const { items } = useOutbox()
  const router = useRouter()
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
    const before = known.current ?? []
    const sentences = announcements(before, attempts)
    notify(endings(before, attempts), (id) => router.push(`/images/${id}`))
    known.current = attempts
    if (sentences.length > 0) setNews(sentences.join(' '))
  }, [attempts, router])

  return (
    <div role="status" aria-live="polite" className="sr-only">
      {news}
    </div>
  )
}
