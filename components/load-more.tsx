'use client'

import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from './ui/button'

type LoadMoreProps = {
  readonly hasMore: boolean
  readonly isLoading: boolean
  readonly isLost: boolean
  readonly load: () => void
}

/** Loads by itself when its end of the list comes near, and by a button where that does not work. */
export function LoadMore({ hasMore, isLoading, isLost, load }: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null)
  const onNear = useEffectEvent(() => {
    if (hasMore && !isLoading && !isLost) load()
  })
  useEffect(() => {
    if (!end.current || isLoading || !hasMore) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onNear()
      },
      { rootMargin: '800px' },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [isLoading, hasMore])
  if (!hasMore) return null
  return (
    <div ref={end} className="mt-6 flex flex-col items-center gap-3">
      {isLost && <p className="text-sm">The next images could not be loaded.</p>}
      <Button variant="outline" onClick={load} disabled={isLoading} focusableWhenDisabled>
        {isLoading ? 'Loading more…' : isLost ? 'Try again' : 'Load more'}
      </Button>
    </div>
  )
}
