'use client'

import { useTranslations } from 'next-intl'
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
  const t = useTranslations('images.more')
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
      {isLost && <p className="text-sm">{t('lost')}</p>}
      <Button variant="outline" onClick={load} disabled={isLoading} focusableWhenDisabled>
        {t(isLoading ? 'loading' : isLost ? 'again' : 'load')}
      </Button>
    </div>
  )
}
