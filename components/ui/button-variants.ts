const BASE =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-md text-sm font-medium whitespace-nowrap transition-colors select-none data-[disabled]:cursor-not-allowed [&_svg]:size-4 [&_svg]:shrink-0'

const VARIANTS = {
  primary:
    'bg-foreground text-background hover:bg-foreground/88 data-[disabled]:bg-raised data-[disabled]:text-muted',
  outline:
    'border border-line-strong bg-transparent hover:bg-raised data-[disabled]:border-line data-[disabled]:bg-transparent data-[disabled]:text-muted',
  ghost: 'hover:bg-raised',
} as const

const SIZES = {
  default: 'h-10 px-4',
  large: 'h-12 px-5 text-base!',
  small: 'h-10 px-3 text-[0.8125rem]!',
  icon: 'size-10',
} as const

export type ButtonLook = {
  readonly variant?: keyof typeof VARIANTS | undefined
  readonly size?: keyof typeof SIZES | undefined
  readonly className?: string | undefined
}

/** The looks of a button, for links too. */
export function buttonVariants(look: ButtonLook = {}): string {
  const { variant = 'primary', size = 'default', className = '' } = look
  return `${BASE} ${VARIANTS[variant]} ${SIZES[size]} ${className}`
}
