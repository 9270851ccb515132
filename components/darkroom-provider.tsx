'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { unstable_isUnrecognizedActionError } from 'next/navigation'
import { useEffect, useState, type ReactNode } from 'react'
import { toast } from 'sonner'
import { attachToBrowser, createDarkroomClient } from '@/lib/web/darkroom-client'
import { DarkroomContext } from '@/lib/web/use-darkroom'
import { refusalWords, type StartAttemptAction } from '@/lib/web/start-answer'
import type { AttemptsView } from '@/lib/web/views'
import { AttemptsPoll } from './attempts-poll'
import { Toaster } from './ui/sonner'

type DarkroomProviderProps = {
  readonly accountId: string
  readonly initial: AttemptsView
  readonly startAttempt: StartAttemptAction
  readonly children: ReactNode
}

/** One account's requests, attempts and money in this tab, for every page that is signed in. */
export function DarkroomProvider(props: DarkroomProviderProps) {
  const { accountId, initial, startAttempt, children } = props
  const [client] = useState(() =>
    createDarkroomClient({
      accountId,
      initial,
      post: (request) => startAttempt(accountId, request),
      isOutdated: unstable_isUnrecognizedActionError,
      onRefused: (refusal) =>
        toast.error('Not generated', { description: refusalWords(refusal), duration: 12_000 }),
    }),
  )
  useEffect(() => attachToBrowser(client), [client])

  return (
    <QueryClientProvider client={client.queryClient}>
      <DarkroomContext value={client}>
        <AttemptsPoll />
        {children}
        <Toaster />
      </DarkroomContext>
    </QueryClientProvider>
  )
}
