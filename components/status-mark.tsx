'use client'

import { useWords } from '@/lib/web/use-words'
import {
  ArrowUpFromLine,
  Aperture,
  Check,
  CircleSlash,
  Clock,
  PackageOpen,
  Unplug,
  type LucideIcon,
} from 'lucide-react'
import type { StatusWord } from '@/lib/domain/attempt'
import { statusTitle } from '@/lib/web/attempt-words'
import { cn } from '@/lib/web/class-names'

// Never by colour alone: each status has its own sign. The safelight is for what is unresolved.
export const statusIcons: Record<StatusWord, LucideIcon> = {
  queued: Clock,
  submitting: ArrowUpFromLine,
  generating: Aperture,
  unresolved: Unplug,
  delivering: PackageOpen,
  delivered: Check,
  failed: CircleSlash,
}

const COLOURS: Record<StatusWord, string> = {
  queued: 'text-muted',
  submitting: 'text-foreground',
  generating: 'text-foreground',
  unresolved: 'text-safelight-ink',
  delivering: 'text-foreground',
  delivered: 'text-foreground',
  failed: 'text-muted',
}

type StatusMarkProps = { readonly status: StatusWord; readonly className?: string }

export function StatusMark({ status, className }: StatusMarkProps) {
  const say = useWords()
  const Icon = statusIcons[status]
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 text-sm font-medium whitespace-nowrap',
        COLOURS[status],
        className,
      )}
    >
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      {say(statusTitle(status))}
    </span>
  )
}
