import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseUnavailable } from '@/lib/db/unavailable'
import type { AccountId } from '@/lib/domain/ids'
import type { Deps } from '@/lib/use-cases/deps'
import { startAttempt } from '@/lib/use-cases/start-attempt'
import { generation } from '@/test/factories'

const PAUSE_MS = 150

/**
 * Somebody who clicks all the while. What was not acknowledged is sent again under its id, as a
 * browser's outbox does, until it is.
 */
export function startClicking(
  deps: Deps,
  accountId: AccountId,
  prompts: readonly string[],
): { readonly stop: () => Promise<{ readonly clicks: number; readonly sentAgain: number }> } {
  const over = new AbortController()
  let sentAgain = 0
  const begun: Promise<void>[] = []

  async function send(prompt: string): Promise<void> {
    const input = { requestId: randomUUID(), ...generation, prompt }
    for (;;) {
      try {
        const answer = await startAttempt(deps, accountId, input)
        if (!answer.ok) throw new Error(`refused: ${answer.refusal.code}`)
        return
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error
        sentAgain += 1
        await pause(PAUSE_MS)
      }
    }
  }

  const clicking = (async () => {
    while (!over.signal.aborted) {
      begun.push(send(prompts[begun.length % prompts.length] ?? ''))
      await pause(PAUSE_MS)
    }
  })()

  return {
    stop: async () => {
      over.abort()
      await clicking
      await Promise.all(begun)
      return { clicks: begun.length, sentAgain }
    },
  }
}
