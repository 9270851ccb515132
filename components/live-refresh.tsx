'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

/**
 * Makes the page anew every so often, as the server has it by then. What is typed or chosen stays, and
 * nothing moves under somebody who is about to confirm something.
 */
export function LiveRefresh({ everyMs = 5_000 }: { readonly everyMs?: number }) {
  const router = useRouter()
  useEffect(() => {
    const timer = setInterval(() => {
      const isAsking = document.querySelector('dialog[open]') !== null
      if (document.visibilityState === 'visible' && !isAsking) router.refresh()
    }, everyMs)
    return () => clearInterval(timer)
  }, [everyMs, router])
  return null
}
