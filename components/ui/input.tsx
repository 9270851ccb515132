import type { ComponentProps } from 'react'
import { cn } from '@/lib/web/class-names'

export const fieldClasses =
  'bg-surface placeholder:text-muted w-full rounded-md border border-line-strong px-3 text-base transition-colors hover:border-muted aria-invalid:border-safelight-ink sm:text-sm'

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input data-slot="input" className={cn(fieldClasses, 'h-10', className)} {...props} />
}
