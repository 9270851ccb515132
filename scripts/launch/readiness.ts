import { LaunchError, messageOf } from './launch-error'
import { until } from './until'

const READY_MS_MAX = 60_000
const ANSWER_MS_MAX = 5_000

type Answer = { readonly isReady: boolean; readonly says: string }

/** Waits until each address answers 200, then returns. Throws a line that says who did not. */
export async function waitUntilReady(
  addresses: Readonly<Record<string, string>>,
  logs: string,
): Promise<void> {
  const last = new Map<string, string>()
  const ask = async ([name, address]: readonly [string, string]): Promise<boolean> => {
    const { isReady, says } = await askOnce(address)
    if (isReady) last.delete(name)
    else last.set(name, says)
    return isReady
  }
  const askAll = async () => (await Promise.all(Object.entries(addresses).map(ask))).every(Boolean)
  if (await until(askAll, { withinMs: READY_MS_MAX, everyMs: 100 })) return
  const reasons = [...last].map(([name, says]) => `${name}: ${says}`).join('; ')
  throw new LaunchError(
    `Not ready after ${READY_MS_MAX / 1_000} s (${reasons}). The logs are in ${logs}`,
  )
}

async function askOnce(address: string): Promise<Answer> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
    const body = await response.text()
    const says = `${response.status} ${body.slice(0, 300).replace(/\s+/g, ' ')}`.trim()
    return { isReady: response.ok, says }
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    return { isReady: false, says: messageOf(cause) }
  }
}
