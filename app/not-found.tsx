import type { Metadata } from 'next'
import Link from 'next/link'
import { Notice } from '@/components/notice'
import { buttonVariants } from '@/components/ui/button-variants'
import { Wordmark } from '@/components/wordmark'

export const metadata: Metadata = { title: 'Not found' }

export default function NotFound() {
  return (
    <main className="mx-auto max-w-3xl px-4 py-4 sm:px-6">
      <Wordmark href="/" />
      <Notice
        code="404"
        title="There is no such page"
        action={
          <>
            <Link href="/studio" className={buttonVariants()}>
              Go to the studio
            </Link>
            <Link href="/images" className={buttonVariants({ variant: 'outline' })}>
              Your images
            </Link>
          </>
        }
      >
        The address may be mistyped, or it is not yours to see. Your images and your credits are
        where they were.
      </Notice>
    </main>
  )
}
