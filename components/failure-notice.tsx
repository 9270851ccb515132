'use client'

import { Notice } from './notice'
import { Button } from './ui/button'

type FailureNoticeProps = { readonly error: unknown; readonly retry: () => void }

/** For a page that could not be made. Nothing was lost by that, and it says so. */
export function FailureNotice({ error, retry }: FailureNoticeProps) {
  return (
    <Notice
      code="500"
      title="This page could not be made"
      action={
        <>
          <Button onClick={retry}>Try again</Button>
          <Button variant="outline" onClick={() => window.location.assign('/studio')}>
            Go to the studio
          </Button>
        </>
      }
    >
      The fault is ours. Pictures that are under way go on, nothing is made twice, and your credits
      are where they were. {digestWords(error)}
    </Notice>
  )
}

// The number under which the server logged what went wrong.
function digestWords(error: unknown): string {
  if (!(error instanceof Error) || !('digest' in error)) return ''
  return typeof error.digest === 'string' ? `If it stays, name this number: ${error.digest}.` : ''
}
