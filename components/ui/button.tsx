'use client'

import type { ComponentProps, KeyboardEvent, MouseEvent } from 'react'
import { buttonVariants, type ButtonLook } from './button-variants'

export type ButtonProps = ComponentProps<'button'> &
  ButtonLook & {
    /** Whoever is on it stays on it while it cannot be pressed, and hears why. */
    readonly focusableWhenDisabled?: boolean
  }

export function Button(props: ButtonProps) {
  const {
    className,
    variant,
    size,
    type = 'button',
    disabled = false,
    focusableWhenDisabled = false,
    ...rest
  } = props
  const staysFocusable = disabled && focusableWhenDisabled
  return (
    <button
      data-slot="button"
      data-disabled={disabled ? '' : undefined}
      type={type}
      disabled={disabled && !staysFocusable}
      aria-disabled={staysFocusable || undefined}
      className={buttonVariants({ variant, size, className })}
      {...rest}
      {...(staysFocusable && { onClick: refuse, onKeyDown: refusePress })}
    />
  )
}

/** No click, and no submission of the form that the button belongs to. */
function refuse(event: MouseEvent): void {
  event.preventDefault()
}

function refusePress(event: KeyboardEvent): void {
  if (event.key !== 'Tab') event.preventDefault()
}
