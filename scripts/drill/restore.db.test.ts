import { expect, test } from 'vitest'
import { systemClock } from '@/simulator/clock'
import { createTestFolder, startTestSimulator } from '@/simulator/testing'
import { pngBytes } from '@/test/images'
import { drillRestore } from './restore-drill'

const LIMIT_MS = 240_000

test(
  'a database restored to an earlier moment delivers what it knows, once, and its ledger adds up',
  { timeout: LIMIT_MS },
  async () => {
    const folder = createTestFolder()
    const simulator = await startTestSimulator({
      folder: folder.folder,
      clock: systemClock,
      draw: () => pngBytes(),
      latencyMs: 800,
    })
    const drill = await drillRestore(simulator.url, () => undefined)
    await simulator.close()
    folder.remove()

    const { delivered, queued, pending, lost, again, restored, ended, tasks } = drill
    expect(restored).toEqual({
      ...Object.fromEntries(delivered.map((id) => [id, 'completed'])),
      [pending]: 'pending',
      [queued]: 'initializing',
    })
    const known = [...Object.keys(restored), again]
    expect(ended).toEqual(Object.fromEntries(known.map((id) => [id, 'completed'])))
    // The click that the database forgot is bought again: nobody can know, and its person is charged once.
    expect(tasks).toEqual(Object.fromEntries([...known, lost].map((id) => [id, 1])))
    expect(drill.differences).toBe(0)
  },
)
