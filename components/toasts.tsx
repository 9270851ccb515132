'use client'

import { lazy, Suspense, useEffect, useState } from 'react'
import { attachBoard } from '@/lib/web/toast'

const Toaster = lazy(async () => ({ default: (await import('./ui/sonner')).Toaster }))

/** Where short messages appear; nothing of it is loaded before the first. */
export function Toasts() {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    if (isWanted) return undefined
    return attachBoard({ wake: () => setWanted(true), show: undefined })
  }, [isWanted])
  if (!isWanted) return null
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  )
}
