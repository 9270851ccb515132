import { setTimeout as pause } from 'node:timers/promises'
import type { Fleet, Program } from './fleet'

type Trouble = { readonly what: string; readonly make: (fleet: Fleet) => Promise<void> }

const AWAY_MS = 4_000

const killed = (which: (fleet: Fleet) => Program | undefined, what: string): Trouble => ({
  what,
  make: async (fleet) => {
    const program = which(fleet)
    await program?.kill()
    await pause(AWAY_MS)
    await program?.start()
  },
})

/** Everything that goes wrong in a month, one after the other. */
export const troubles: readonly Trouble[] = [
  killed(({ workers }) => workers[0], 'a worker is killed'),
  killed(({ webs }) => webs[1], 'a web server is killed'),
  {
    what: 'a worker and a web server are replaced, each after it finished what it had begun',
    make: async ({ workers, webs }) => {
      for (const program of [workers[1], webs[0]]) {
        const how = await program?.drain()
        if (how !== 'exit code 0')
          throw new Error(`${program?.name ?? ''} was drained: ${how ?? ''}`)
        await program?.start()
      }
    },
  },
  { what: 'the database is restarted', make: ({ restartPostgres }) => restartPostgres() },
  killed(({ simulator }) => simulator, 'the provider goes away'),
  {
    what: 'the image store goes away',
    make: async ({ store }) => {
      await store?.killGateway()
      await pause(AWAY_MS)
      await store?.startGateway()
    },
  },
  {
    what: 'the pooler is killed',
    make: async ({ pooler }) => {
      await pooler?.kill()
      await pause(AWAY_MS)
      await pooler?.start()
    },
  },
  {
    what: 'all workers are killed at once',
    make: async ({ workers }) => {
      await Promise.all(workers.map(({ kill }) => kill()))
      await Promise.all(workers.map(({ start }) => start()))
    },
  },
  killed(({ webs }) => webs[0], 'the web server that callbacks go to is killed'),
]
