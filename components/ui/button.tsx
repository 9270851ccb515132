'use client'

import { Button as BaseButton } from '@base-ui/react/button'
import type { VariantProps } from 'class-variance-authority'
import { cn } from '@/lib/web/class-names'
import { buttonVariants } from './button-variants'

export type ButtonProps = Omit<BaseButton.Props, 'className'> &
  VariantProps<typeof buttonVariants> & { readonly className?: string }

export function Button({ className, variant, size, type = 'button', ...props }: ButtonProps) {
  return (
    <BaseButton
      data-slot="button"
      type={type}
      className={cn(buttonVariants({ variant, size }), className)}
      {...props}
    />
  )
}
