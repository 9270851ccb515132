import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'

const RETRY_MS = 300
const ANSWER_MS_MAX = 10_000
// One in so many is sent to two web servers at the same moment.
const TWICE_EVERY = 4

const Started = z.object({ id: z.uuid(), request_id: z.uuid() })

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

export type Click = { readonly requestId: string; readonly attemptId: string }

/** What programs and browsers send: each its own id, again and again until it is acknowledged. */
export function startClients(options: {
  readonly webUrls: readonly string[]
  readonly keys: readonly string[]
  readonly prompts: readonly string[]
  readonly count: number
  /** Over which time they are spread evenly. */
  readonly ms: number
}): { readonly done: Promise<{ readonly clicks: readonly Click[]; readonly sentAgain: number }> } {
  const { webUrls, keys, prompts, count, ms } = options
  let sentAgain = 0

  /** Undefined: no answer, or none that says what was done. */
  async function send(url: string, key: string, requestId: string, prompt: string) {
    try {
      const answer = await fetch(`${url}/api/v1/attempts`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': requestId,
        },
        body: JSON.stringify({ model: 'simulator/proof', prompt }),
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
      })
      const body: unknown = await answer.json()
      if (answer.ok) return Started.parse(body).id
      if (answer.status < 500) throw new Refused(JSON.stringify(body))
      return undefined
    } catch (error) {
      if (error instanceof Refused) throw error
      return undefined
    }
  }

  async function click(n: number): Promise<Click> {
    const requestId = randomUUID()
    const key = keys[n % keys.length] ?? ''
    const prompt = prompts[n % prompts.length] ?? ''
    for (let tries = 0; ; tries += 1) {
      const url = webUrls[(n + tries) % webUrls.length] ?? ''
      const urls = tries === 0 && n % TWICE_EVERY === 0 ? webUrls : [url]
      const ids = await Promise.all(urls.map((one) => send(one, key, requestId, prompt)))
      const known = [...new Set(ids.filter((id) => id !== undefined))]
      if (known.length > 1) throw new Error(`${requestId} became ${known.join(' and ')}`)
      if (known[0] !== undefined) return { requestId, attemptId: known[0] }
      sentAgain += 1
      await pause(RETRY_MS)
    }
  }

  const done = (async () => {
    const started = performance.now()
    const clicks = await Promise.all(
      Array.from({ length: count }, async (_, n) => {
        await pause((n * ms) / count)
        return await click(n)
      }),
    )
    say(`${count} clicks in ${Math.round((performance.now() - started) / 1_000)} s`)
    return { clicks, sentAgain }
  })()
  return { done }
}

class Refused extends Error {
  override readonly name = 'Refused'
}
