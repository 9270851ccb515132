import { focusManager, QueryClient } from '@tanstack/react-query'
import type { GenerationRequest } from '@/lib/domain/generation'
import { attemptsQuery, withAttempt } from './attempts-query'
import { browserStorage } from './browser-storage'
import { createDraftStore, type DraftStore } from './draft'
import { createOutbox, type Outbox, type OutboxItem } from './outbox'
import { createSender, type Sender } from './sender'
import type { Started, StartRefusalView } from './start-answer'
import type { AttemptsView } from './views'

/** Everything of one account that lives in one tab. */
export type DarkroomClient = {
  readonly accountId: string
  readonly queryClient: QueryClient
  readonly outbox: Outbox
  readonly sender: Sender
  readonly draft: DraftStore
}

type DarkroomClientOptions = {
  readonly accountId: string
  readonly initial: AttemptsView
  readonly post: (request: GenerationRequest) => Promise<unknown>
  readonly isOutdated: (error: unknown) => boolean
  readonly onRefused: (refusal: StartRefusalView, item: OutboxItem) => void
}

/** Composes them. Touches nothing of the browser but storage, and that only where there is a browser. */
export function createDarkroomClient(options: DarkroomClientOptions): DarkroomClient {
  const { accountId } = options
  const store = browserStorage()
  const queryClient = new QueryClient()
  const { queryKey } = attemptsQuery(accountId)
  queryClient.setQueryData(queryKey, options.initial)

  const refetch = () => queryClient.invalidateQueries({ queryKey })
  const onStarted = async (started: Started) => {
    // An answer that is still under way was read before this and would take the news back.
    await queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, (view) => withAttempt(view ?? options.initial, started))
    await refetch()
  }
  const outbox = createOutbox(store, accountId)
  const sender = createSender({
    outbox,
    post: options.post,
    isOutdated: options.isOutdated,
    onStarted: (started) => void onStarted(started),
    onRefused: (refusal, item) => {
      options.onRefused(refusal, item)
      void refetch()
    },
    onSignedOut: () => void refetch(),
    nowMs: () => Date.now(),
    later: (run, delayMs) => {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
  })
  return { accountId, queryClient, outbox, sender, draft: createDraftStore(store, accountId) }
}

// Whose page was opened last in this browser. Tabs of another account see it change and reload.
const CURRENT_ACCOUNT_KEY = 'darkroom.account'

/**
 * Keeps the tab in step with the browser: sends what is unacknowledged on load, on focus and when
 * the network is back, and reloads when somebody else signed in here. Returns what undoes it.
 */
export function attachToBrowser({ accountId, outbox, sender }: DarkroomClient): () => void {
  const events = new AbortController()
  const { signal } = events
  const sendAll = () => void sender.sendAll()
  const onVisible = () => {
    if (document.visibilityState === 'visible') sendAll()
  }
  window.addEventListener('focus', sendAll, { signal })
  window.addEventListener('online', sendAll, { signal })
  document.addEventListener('visibilitychange', onVisible, { signal })
  window.addEventListener(
    'storage',
    ({ key, newValue }) => {
      if (key === CURRENT_ACCOUNT_KEY && newValue !== accountId) window.location.reload()
    },
    { signal },
  )
  const leaveOutbox = outbox.subscribe(() => sender.notice())

  // Two windows side by side are both visible: only the focus event tells that one was turned to.
  focusManager.setEventListener((onFocus) => {
    const tell = () => onFocus()
    window.addEventListener('focus', tell, { signal })
    document.addEventListener('visibilitychange', tell, { signal })
    return () => undefined
  })
  rememberAccount(accountId)
  sendAll()
  return () => {
    events.abort()
    leaveOutbox()
    sender.stop()
  }
}

function rememberAccount(accountId: string): void {
  try {
    browserStorage()?.setItem(CURRENT_ACCOUNT_KEY, accountId)
  } catch {
    // Full storage: other tabs are not told, and the server still refuses what is not theirs.
  }
}

/** Called when signing out, so that other tabs of this browser leave the account too. */
export function forgetAccount(): void {
  browserStorage()?.removeItem(CURRENT_ACCOUNT_KEY)
}
