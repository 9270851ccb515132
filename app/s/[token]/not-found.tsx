import { Notice } from '@/components/notice'
import { Wordmark } from '@/components/wordmark'

export default function SharedNotFound() {
  return (
    <main className="mx-auto max-w-3xl px-4 py-4 sm:px-6">
      <Wordmark href="/" />
      <Notice code="404" title="There is no picture here" action={null}>
        The link may be mistyped, or whoever shared the picture withdrew it.
      </Notice>
    </main>
  )
}
