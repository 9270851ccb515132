import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pngBytes } from '@/test/images'
import { expectInvariants } from '@/test/invariants'
import { allCommands, executed } from '@/test/model/commands'
import type { Model } from '@/test/model/model'
import { Real } from '@/test/model/real'
import { openWorld } from '@/test/world'

const world = openWorld()

const RUNS = Number(process.env['FC_RUNS'] ?? 600)
const COMMANDS_MAX = 90
// Some commands of a program are not possible where they stand; these many are, in an average run.
const COMMANDS_OF_DEFAULT_RUNS_MIN = 10_000
const CREDITS_AT_FIRST = 4

test(
  'any program of clicks, replays, crashes, lost answers, callbacks and decisions agrees with the model',
  { timeout: 60 * 60_000 },
  async () => {
    const png = await pngBytes()
    await fc.assert(
      fc.asyncProperty(
        fc.commands([...allCommands(world)], { maxCommands: COMMANDS_MAX, size: 'max' }),
        async (commands) => {
          const real = new Real(world(), png)
          try {
            await fc.asyncModelRun(async () => {
              const id = await world().openAccount(CREDITS_AT_FIRST)
              const days: Model['account']['days'] = new Map()
              const account = { id, available: CREDITS_AT_FIRST, held: 0, spent: 0, days }
              return { model: { account, attempts: [], day: 0 } satisfies Model, real }
            }, commands)
          } finally {
            await real.close()
          }
        },
      ),
      { numRuns: RUNS, endOnFailure: false },
    )
    await expectInvariants(world().owner)
    if (process.env['FC_RUNS'] === undefined) {
      expect(executed.commands).toBeGreaterThanOrEqual(COMMANDS_OF_DEFAULT_RUNS_MIN)
    }
  },
)
