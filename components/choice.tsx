'use client'

import type { ReactNode } from 'react'
import { cn } from '@/lib/web/class-names'

type ChoiceProps = {
  readonly name: string
  readonly value: string
  readonly isChosen: boolean
  /** Shown, and not to be had just now. */
  readonly isDisabled?: boolean
  readonly onChoose: () => void
  readonly className?: string
  readonly children: ReactNode
}

/** A radio button that looks like what it chooses. The browser's own, so keys and readers know it. */
export function Choice(props: ChoiceProps) {
  const { name, value, isChosen, isDisabled = false, onChoose, className, children } = props
  return (
    <label
      className={cn(
        'relative rounded-md border border-line-strong/60 transition-colors has-checked:border-foreground has-checked:ring-1 has-checked:ring-foreground has-focus-visible:outline-2 has-focus-visible:outline-offset-2',
        isDisabled ? 'border-dashed' : 'bg-surface hover:border-muted',
        className,
      )}
    >
      <input
        type="radio"
        name={name}
        value={value}
        checked={isChosen}
        disabled={isDisabled}
        onChange={onChoose}
        className="absolute inset-0 cursor-pointer appearance-none rounded-md opacity-0 disabled:cursor-not-allowed"
      />
      {children}
    </label>
  )
}
