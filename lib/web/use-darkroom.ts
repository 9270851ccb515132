import { useQuery } from '@tanstack/react-query'
import { createContext, use, useSyncExternalStore } from 'react'
import { invariant } from '@/lib/domain/invariant'
import { attemptsQuery, SignedOutError } from './attempts-query'
import type { DarkroomClient } from './darkroom-client'
import type { Draft } from './draft'
import type { OutboxItem } from './outbox'
import type { SendPhases } from './sender'
import type { AttemptsView, AttemptView, PictureView } from './views'

export const DarkroomContext = createContext<DarkroomClient | undefined>(undefined)

export function useDarkroom(): DarkroomClient {
  const client = use(DarkroomContext)
  invariant(client, 'useDarkroom is used outside of DarkroomProvider')
  return client
}

/** Reads what the one poll of the page knows. Asks for nothing itself. */
export function useAttempts(): AttemptsView {
  const { accountId } = useDarkroom()
  const { data } = useQuery({ ...attemptsQuery(accountId), enabled: false })
  invariant(data, 'the attempts are in the cache from the start')
  return data
}

export type Connection = 'live' | 'no-answer' | 'signed-out'

/** Whether the last look at the server worked. */
export function useConnection(): Connection {
  const { accountId } = useDarkroom()
  const { error } = useQuery({ ...attemptsQuery(accountId), enabled: false })
  if (!error) return 'live'
  return error instanceof SignedOutError ? 'signed-out' : 'no-answer'
}

/** The newer of what the page was rendered with and what the poll knows. What is deleted stays so. */
function newerOf(rendered: AttemptView, live: AttemptView | undefined): AttemptView {
  const isNewer = live && live.updated_at >= rendered.updated_at && rendered.deleted_at === null
  return isNewer ? live : rendered
}

export function useLiveAttempt(rendered: AttemptView): AttemptView {
  return newerOf(
    rendered,
    useAttempts().attempts.find(({ id }) => id === rendered.id),
  )
}

/** As `useLiveAttempt`, for a whole list. */
export function useLivePictures(rendered: readonly PictureView[]): readonly PictureView[] {
  const live = new Map(useAttempts().attempts.map((attempt) => [attempt.id, attempt]))
  return rendered.map(({ attempt, favourite }) => ({
    attempt: newerOf(attempt, live.get(attempt.id)),
    favourite,
  }))
}

const NO_ITEMS: readonly OutboxItem[] = []
const NO_PHASES: SendPhases = new Map()

/** The requests that the server has not acknowledged, and how sending each of them stands. */
export function useOutbox(): {
  readonly items: readonly OutboxItem[]
  readonly phases: SendPhases
} {
  const { outbox, sender } = useDarkroom()
  const items = useSyncExternalStore(
    (listener) => outbox.subscribe(listener),
    () => outbox.list(),
    () => NO_ITEMS,
  )
  const phases = useSyncExternalStore(
    (listener) => sender.subscribe(listener),
    () => sender.phases(),
    () => NO_PHASES,
  )
  return { items, phases }
}

export function useDraft(): Draft | undefined {
  const { draft } = useDarkroom()
  return useSyncExternalStore(
    (listener) => draft.subscribe(listener),
    () => draft.read(),
    () => undefined,
  )
}
