import { newestBeatAgeMs } from '@/lib/db/worker-store'
import type { Deps } from './deps'

// Three missed beats: one may be late, two may be unlucky.
export const BEAT_AGE_MS_MAX = 15_000

export type Readiness = {
  readonly ready: boolean
  /** `ok`, or what is wrong. */
  readonly checks: Readonly<Record<'database' | 'images' | 'worker', string>>
}

/** Whether a click made now would lead to an image: each part is really asked. */
export async function checkReadiness(deps: Deps): Promise<Readiness> {
  const [beat, images] = await Promise.allSettled([newestBeatAgeMs(deps.db), deps.images.check()])
  const database = beat.status === 'fulfilled' ? 'ok' : 'the database does not answer'
  const checks = {
    database,
    images: images.status === 'fulfilled' ? 'ok' : 'the image store cannot be written',
    worker: beat.status === 'fulfilled' ? workerWords(beat.value) : 'not known',
  }
  return { ready: Object.values(checks).every((words) => words === 'ok'), checks }
}

function workerWords(beatAgeMs: number | undefined): string {
  if (beatAgeMs === undefined) return 'no worker was ever heard of'
  return beatAgeMs <= BEAT_AGE_MS_MAX
    ? 'ok'
    : `no worker was heard of for ${Math.round(beatAgeMs / 1_000)} seconds`
}
