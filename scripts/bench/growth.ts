import { randomBytes, randomUUID } from 'node:crypto'
import { claimAttempts } from '@/lib/db/attempt-store'
import { createDeps, type AppDeps } from '@/lib/deps'
import { EVERYTHING } from '@/lib/domain/gallery'
import { AccountId } from '@/lib/domain/ids'
import { parseEnvironment } from '@/lib/env'
import { readRecentAttempts } from '@/lib/use-cases/read-attempts'
import { readGallery } from '@/lib/use-cases/read-gallery'
import { startAttempt } from '@/lib/use-cases/start-attempt'
import type { BenchDatabase } from './database'
import { ATTEMPTS_PER_ACCOUNT, deliveredAccounts, fillTables } from './rows'
import { median, type Section } from './section'

// BENCH_ATTEMPTS=10000000 takes the time and the disk of ten million attempts with their histories.
const SIZES = [1_000, 100_000, Number(process.env['BENCH_ATTEMPTS'] ?? 1_000_000)]
const ROUNDS = 200
const PAGE = 30
const LEASE_MS = 60_000
const AIMS = [1, 1.3, 1.5]

/** What people and workers do all day, as attempts pile up. */
export const growth: Section = {
  title: 'growth',
  async run(database, print) {
    const deps = createDeps(
      parseEnvironment({
        DATABASE_URL: database.appUrl,
        AUTH_SECRET: randomBytes(32).toString('hex'),
        DAILY_ALLOWANCE: '0',
        LOG_LEVEL: 'silent',
      }),
      'bench',
    )
    const times = new Map<string, number[]>()
    let filled = 0
    for (const size of SIZES) {
      const accounts = size / ATTEMPTS_PER_ACCOUNT
      await fillTables(database.owner, deliveredAccounts(filled + 1, accounts))
      filled = accounts
      const ids = await someAccounts(database, ROUNDS)
      for (const [name, act] of Object.entries(actsOf(deps))) {
        // The first ones fill the caches of a server that has just begun.
        for (const id of ids.slice(0, PAGE)) await act(id)
        const taken: number[] = []
        for (const id of ids) {
          const startedMs = performance.now()
          await act(id)
          taken.push(performance.now() - startedMs)
        }
        times.set(name, [...(times.get(name) ?? []), median(taken)])
      }
    }
    await deps.db.close()
    const bytes = await bytesPerAttempt(database)
    const head = SIZES.map((size) => size.toLocaleString('en').padStart(14)).join('')
    print(`${`median of ${ROUNDS}, in ms`.padEnd(28)}${head}     ratios (aim ${AIMS.join(', ')})`)
    for (const [name, figures] of times) {
      const [small = NaN] = figures
      const ms = figures.map((figure) => figure.toFixed(2).padStart(14)).join('')
      const ratios = figures.map((figure) => (figure / small).toFixed(2)).join('  ')
      print(`${name.padEnd(28)}${ms}     ${ratios}`)
    }
    print(`bytes of a delivered attempt, with indexes: ${bytes.toFixed(0)}`)
    const taken = [...times].flatMap(([name, figures]) =>
      figures.map((value, n) => ({
        name: `${name}, ${SIZES[n] ?? 0} attempts`,
        value,
        unit: 'ms' as const,
        ratio: value / (figures[0] ?? NaN),
        to: `${SIZES[0] ?? 0} attempts`,
      })),
    )
    return [...taken, { name: 'a delivered attempt', value: bytes, unit: 'B' as const }]
  },
}

const actsOf = (deps: AppDeps): Record<string, (id: AccountId) => Promise<unknown>> => ({
  submit: async (id) => {
    const started = await startAttempt(deps, id, {
      requestId: randomUUID(),
      model: 'simulator/proof',
      prompt: 'a red fox in the mountains',
      settings: { width: 512, height: 512, seed: 1 },
    })
    if (!started.ok) throw new Error(started.refusal.code)
  },
  // What the line above left due.
  claim: () => claimAttempts(deps.db, 1, LEASE_MS),
  poll: (id) => readRecentAttempts(deps, id),
  'gallery, first page': (id) => readGallery(deps, id, EVERYTHING, { limit: PAGE }),
  'gallery, searched': (id) =>
    readGallery(deps, id, { ...EVERYTHING, search: 'some length' }, { limit: PAGE }),
})

/** Of every table and index, by all that was delivered: what was only submitted hardly counts. */
async function bytesPerAttempt({ owner }: BenchDatabase): Promise<number> {
  const { rows } = await owner.pool.query<{ bytes: number }>(
    `select (sum(pg_total_relation_size(c.oid))
             / (select count(*) from attempt where state = 'completed'))::float8 as bytes
     from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
  )
  return rows[0]?.bytes ?? NaN
}

/** As many as asked for, each perhaps several times where there are fewer. */
async function someAccounts({ owner }: BenchDatabase, count: number) {
  const { rows } = await owner.pool.query<{ id: string }>(
    'select id from account order by md5(id::text) limit $1',
    [count],
  )
  return Array.from({ length: count }, (_, n) => AccountId.parse(rows[n % rows.length]?.id))
}
