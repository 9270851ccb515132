'use client'

import { useEffect } from 'react'
import { badgedTitle } from '@/lib/web/attempt-words'
import { useAttempts } from '@/lib/web/use-darkroom'

/** How many are under way, in front of the tab's title, whichever page gives it. */
export function WorkingBadge() {
  const working = useAttempts().attempts.filter(({ poll_after_ms: poll }) => poll !== null).length
  useEffect(() => {
    const apply = () => {
      const title = badgedTitle(document.title, working)
      if (document.title !== title) document.title = title
    }
    apply()
    // A page that comes later, or in parts, brings its own title.
    const observer = new MutationObserver(apply)
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [working])
  return null
}
