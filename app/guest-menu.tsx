import Link from 'next/link'
import { buttonVariants } from '@/components/ui/button-variants'

/** For somebody without an account: how to keep what was made. */
export function GuestMenu() {
  return (
    <Link href="/sign-up" className={buttonVariants({ variant: 'outline', size: 'small' })}>
      Create account
    </Link>
  )
}
