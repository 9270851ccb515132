import type { Provider } from '@/lib/domain/provider'
import type { WorkerDeps } from '@/lib/use-cases/deps'
import { interceptQueries } from './intercepted-pool'

/** A worker's process came to its end. Nothing that it would have done afterwards happens. */
class Killed extends Error {
  override readonly name = 'Killed'
}

/**
 * A worker that is killed before or after its n-th effect on the world, counting from 1, and whose
 * every later effect does not happen either. Reads through Prisma change nothing and do not count.
 * It dies by throwing, unless `die` knows something harder.
 */
export function mortal(
  deps: WorkerDeps,
  n: number,
  when: 'before' | 'after',
  die: (effect: string) => never = () => {
    throw new Killed()
  },
) {
  const effects: string[] = []
  let dead = false

  async function effect<Value>(name: string, run: () => Promise<Value>): Promise<Value> {
    if (dead) return die(name)
    effects.push(name)
    const last = effects.length === n
    dead = last && when === 'before'
    if (dead) return die(name)
    const value = await run()
    dead ||= last
    if (dead) return die(name)
    return value
  }

  const pool = interceptQueries(deps.db.pool, effect)
  const watched = (provider: Provider): Provider => ({
    ...provider,
    submit: (request, signal) => effect('submit', () => provider.submit(request, signal)),
    observe: (...look) => effect('observe', () => provider.observe(...look)),
  })
  const { images, evidence } = deps
  const worker: WorkerDeps = {
    ...deps,
    db: { ...deps.db, pool },
    providers: new Map([...deps.providers].map(([name, provider]) => [name, watched(provider)])),
    images: {
      ...images,
      put: (key, bytes) => effect('put', () => images.put(key, bytes)),
      get: (key) => effect('get', () => images.get(key)),
    },
    evidence: { ...evidence, keep: (piece) => effect('keep', () => evidence.keep(piece)) },
  }
  return { worker, effects, isDead: () => dead }
}
