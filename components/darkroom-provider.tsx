'use client'

import { useTranslations } from 'next-intl'
import { useSentences } from '@/lib/web/use-words'
import { QueryClientProvider } from '@tanstack/react-query'
import { unstable_isUnrecognizedActionError, useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { AttemptAction } from '@/lib/web/attempt-acts'
import { attachToBrowser, createDarkroomClient } from '@/lib/web/darkroom-client'
import { toast } from '@/lib/web/toast'
import { DarkroomContext } from '@/lib/web/use-darkroom'
import {
  refusalWords,
  type StartAttemptAction,
  type StartRefusalView,
} from '@/lib/web/start-answer'
import type { AttemptsView } from '@/lib/web/views'
import { AttemptsPoll } from './attempts-poll'
import { Toasts } from './toasts'
import { WorkingBadge } from './working-badge'

type DarkroomProviderProps = {
  readonly accountId: string
  readonly isGuest: boolean
  readonly initial: AttemptsView
  readonly startAttempt: StartAttemptAction
  readonly cancelAttempt: AttemptAction
  readonly lookAgain: AttemptAction
  readonly children: ReactNode
}

/** One account's requests, attempts and money in this tab, for every page that is signed in. */
export function DarkroomProvider(props: DarkroomProviderProps) {
  const { accountId, isGuest, initial, startAttempt, cancelAttempt, lookAgain, children } = props
  const t = useTranslations('studio.refusal')
  const sayAll = useSentences()
  const [refused, setRefused] = useState<StartRefusalView>()
  const router = useRouter()
  const [client] = useState(() =>
    createDarkroomClient({
      accountId,
      isGuest,
      initial,
      post: (request) => startAttempt(accountId, request),
      cancel: cancelAttempt,
      lookAgain,
      isOutdated: unstable_isUnrecognizedActionError,
      onRefused: setRefused,
    }),
  )
  // Said in the language of the moment; another language is no other refusal.
  const tell = useEffectEvent((refusal: StartRefusalView) => {
    toast.error(t('title'), { description: sayAll(refusalWords(refusal)), duration: 12_000 })
    // The next press is agreed to by what it costs now.
    if (refusal.code === 'price-changed') router.refresh()
  })
  useEffect(() => {
    if (refused) tell(refused)
  }, [refused])
  useEffect(() => attachToBrowser(client), [client])

  return (
    <QueryClientProvider client={client.queryClient}>
      <DarkroomContext value={client}>
        <AttemptsPoll />
        <WorkingBadge />
        {children}
        <Toasts />
      </DarkroomContext>
    </QueryClientProvider>
  )
}
