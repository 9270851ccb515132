'use client'

import { useEffect } from 'react'

/** Has the browser keep what it shows when a page cannot be reached. Without it the browser's own is shown. */
export function AwayWorker() {
  useEffect(() => {
    // Absent where browsers have none: private windows, plain addresses other than this machine's.
    const { serviceWorker } = navigator as Partial<Navigator>
    serviceWorker?.register('/away.js').catch(() => undefined)
  }, [])
  return null
}
