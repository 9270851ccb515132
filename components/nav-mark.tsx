'use client'

import { useLinkStatus } from 'next/link'
import { cn } from '@/lib/web/class-names'

/** Inside of a link: a line under where one is, and one that grows under what was asked for and takes its time. */
export function NavMark({ isHere }: { readonly isHere: boolean }) {
  const { pending } = useLinkStatus()
  if (!isHere && !pending) return null
  return (
    <span
      aria-hidden="true"
      data-mark={isHere ? 'here' : 'coming'}
      className={cn(
        'absolute inset-x-3 bottom-0 h-0.5',
        isHere ? 'bg-foreground' : 'origin-left animate-approach bg-muted',
      )}
    />
  )
}
