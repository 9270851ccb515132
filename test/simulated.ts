import { expect, vi } from 'vitest'
import {
  createManualClock,
  createTestFolder,
  PATIENCE,
  startTestSimulator,
  TEST_LATENCY_MS,
} from '@/simulator/testing'
import { saying, startScriptedServer, type Heard } from '@/test/scripted-server'

export type Simulated = Awaited<ReturnType<typeof openSimulated>>

/** The real simulator on a clock of the test's own, and somebody whom it can call back. */
export async function openSimulated() {
  const clock = createManualClock()
  const folder = createTestFolder()
  const receiver = await startScriptedServer()
  receiver.on('POST', /./, saying(200))
  const simulator = await startTestSimulator({
    folder: folder.folder,
    clock,
    projectWebhookUrl: `${receiver.url}/api/callbacks/provider/project`,
  })

  const statusOf = async (id: string) =>
    (await simulator.tasks()).data.find((task) => task.id === id)?.status

  return {
    url: simulator.url,
    simulator,
    now: () => new Date(clock.now()),
    advance: (ms: number) => clock.advance(ms),
    callbackUrl: `${receiver.url}/api/callbacks/provider/token`,
    /** Lets the time go by until the task is as wanted. */
    until: (id: string, status: string) =>
      vi.waitFor(async () => {
        if ((await statusOf(id)) !== status) clock.advance(TEST_LATENCY_MS / 4)
        expect(await statusOf(id)).toBe(status)
      }, PATIENCE),
    /** Lets the time go by while somebody waits for an answer that takes its time. */
    async during<Value>(waiting: Promise<Value>): Promise<Value> {
      const passing = setInterval(() => clock.advance(TEST_LATENCY_MS / 4), 5)
      try {
        return await waiting
      } finally {
        clearInterval(passing)
      }
    },
    /** The callback that came as the given one, counting from 0. */
    callback: (index = 0): Promise<Heard> =>
      vi.waitFor(() => {
        const heard = receiver.heard()[index]
        if (heard === undefined) throw new Error('no such callback yet')
        return heard
      }, PATIENCE),
    async close() {
      await simulator.close()
      await receiver.close()
      folder.remove()
    },
  }
}

/** A callback as its verifier is given it. */
export const asGiven = (
  { headers, body }: Pick<Heard, 'headers' | 'body'>,
  now: Date,
  attemptSecret: string | undefined,
) => ({
  header: (name: string) => [headers[name.toLowerCase()]].flat()[0] ?? null,
  body,
  now,
  attemptSecret,
})
