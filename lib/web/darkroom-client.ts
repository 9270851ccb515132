import { focusManager, QueryClient } from '@tanstack/react-query'
import type { GenerationRequest } from '@/lib/domain/generation'
import { askAbout, type ActOutcome, type AttemptAction } from './attempt-acts'
import { attemptsQuery, withAttempt } from './attempts-query'
import { browserStorage } from './browser-storage'
import { createDraftStore, type DraftStore } from './draft'
import { createOutbox, type Outbox, type OutboxItem } from './outbox'
import { createSender, type Sender } from './sender'
import type { StartRefusalView } from './start-answer'
import type { AttemptsView, AttemptView, BalanceView } from './views'

/** Everything of one account that lives in one tab. */
export type DarkroomClient = {
  readonly accountId: string
  /** Guests have free images only. */
  readonly isGuest: boolean
  readonly queryClient: QueryClient
  readonly outbox: Outbox
  readonly sender: Sender
  readonly draft: DraftStore
  /** Asked twice, each is the same wish: it changes nothing that is known by itself. */
  readonly cancel: (attemptId: string) => Promise<ActOutcome>
  readonly lookAgain: (attemptId: string) => Promise<ActOutcome>
}

type DarkroomClientOptions = {
  readonly accountId: string
  readonly isGuest: boolean
  readonly initial: AttemptsView
  readonly post: (request: GenerationRequest) => Promise<unknown>
  readonly cancel: AttemptAction
  readonly lookAgain: AttemptAction
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
  const learn = async (news: { attempt: AttemptView; balance: BalanceView }) => {
    // An answer that is still under way was read before this and would take the news back.
    await queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, (view) => withAttempt(view ?? options.initial, news))
    await refetch()
  }
  const outbox = createOutbox(store, accountId)
  const sender = createSender({
    outbox,
    post: options.post,
    isOutdated: options.isOutdated,
    onStarted: (started) => void learn(started),
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
  const askWith = (action: AttemptAction) => (attemptId: string) =>
    askAbout({
      ask: () => action(accountId, attemptId),
      isOutdated: options.isOutdated,
      onNews: learn,
    })
  return {
    accountId,
    isGuest: options.isGuest,
    queryClient,
    outbox,
    sender,
    draft: createDraftStore(store, accountId),
    cancel: askWith(options.cancel),
    lookAgain: askWith(options.lookAgain),
  }
}

// Whose page was opened last in this browser. Tabs of another account see it change and reload.
const CURRENT_ACCOUNT_KEY = 'darkroom.account'

/**
 * Keeps the tab in step with the browser: sends what is unacknowledged on load, on focus and when
 * the network is back, and reloads when somebody else signed in here. Returns what undoes it.
 */
export function attachToBrowser({
  accountId,
  outbox,
  sender,
  queryClient,
}: DarkroomClient): () => void {
  const events = new AbortController()
  const { signal } = events
  const sendAll = () => void sender.sendAll()
  const onVisible = () => {
    if (document.visibilityState === 'visible') sendAll()
  }
  window.addEventListener('focus', sendAll, { signal })
  window.addEventListener('online', sendAll, { signal })
  // What the browser thinks of its networks is a reason to ask, and not yet an answer.
  const ask = () => void queryClient.refetchQueries({ queryKey: ['attempts', accountId] })
  for (const event of ['online', 'offline']) window.addEventListener(event, ask, { signal })
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
