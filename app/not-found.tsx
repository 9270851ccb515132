import type { Metadata } from 'next'
import { Notice } from '@/components/notice'
import { buttonVariants } from '@/components/ui/button-variants'
import { WordmarkSign } from '@/components/wordmark-sign'

export const metadata: Metadata = { title: 'Not found' }

// Plain links: every page carries this one, and the router's own would weigh as much as all of it.
export default function NotFound() {
  return (
    <main className="mx-auto max-w-3xl px-4 py-4 sm:px-6">
      <a href="/" className="inline-block rounded-sm">
        <WordmarkSign />
      </a>
      <Notice
        code="404"
        title="There is no such page"
        action={
          <>
            <a href="/studio" className={buttonVariants()}>
              Go to the studio
            </a>
            <a href="/images" className={buttonVariants({ variant: 'outline' })}>
              Your images
            </a>
          </>
        }
      >
        The address may be mistyped, or it is not yours to see. Your images and your credits are
        where they were.
      </Notice>
    </main>
  )
}
