import type pg from 'pg'
import { z } from 'zod'

const Named = z.object({ name: z.string() })

/** The pool with every query handed to `around`, by the name of its statement. */
export function interceptQueries(
  pool: pg.Pool,
  around: (name: string, run: () => Promise<unknown>) => Promise<unknown>,
): pg.Pool {
  return new Proxy(pool, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (property !== 'query' || typeof value !== 'function') return value
      return (query: unknown, ...rest: readonly unknown[]) =>
        around(Named.safeParse(query).data?.name ?? 'query', async () => {
          const answer: unknown = await Reflect.apply(value, target, [query, ...rest])
          return answer
        })
    },
  })
}
