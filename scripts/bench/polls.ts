import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { GUEST_COOKIE, signGuest } from '@/lib/auth/guest-cookie'
import { AccountId } from '@/lib/domain/ids'
import type { BenchDatabase } from './database'
import { fillTables } from './rows'
import { median, type Section } from './section'
import { askFor, startBenchWeb } from './web'

const CLIENTS = 16
const ACCOUNTS = 200
const ATTEMPTS = 20
const ROUNDS = 3
const SECONDS = 6
const WARM_UP_SECONDS = 3
const AIM = 0.6

/** Batched polls of guests who wait for twenty attempts each, which nobody works on. */
export const polls: Section = {
  title: 'polls',
  async run(database, print) {
    const folder = mkdtempSync(join(tmpdir(), 'darkroom-bench-web-'))
    const guests = await openGuests(database)
    const web = await startBenchWeb({ database, folder, say: print })
    const cookies = guests.map((id) => `${GUEST_COOKIE}=${signGuest(web.secret, id)}`)
    try {
      const etags = await etagsOf(web.url, cookies)
      const empty = () => ({ path: '/api/health/live', headers: {}, status: 200 })
      const whole = (n: number) => ({
        path: '/api/attempts',
        headers: { cookie: cookies[n % ACCOUNTS] ?? '' },
        status: 200,
      })
      const unchanged = (n: number) => ({
        path: '/api/attempts',
        headers: {
          cookie: cookies[n % ACCOUNTS] ?? '',
          'if-none-match': etags[n % ACCOUNTS] ?? '',
        },
        status: 304,
      })
      const rates = { empty: [], whole: [], unchanged: [] } as Record<string, number[]>
      await askFor(web.url, CLIENTS, WARM_UP_SECONDS, whole)
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [name, ask] of Object.entries({ empty, whole, unchanged })) {
          rates[name]?.push(await askFor(web.url, CLIENTS, SECONDS, ask))
        }
      }
      const rateOf = (name: string) => median(rates[name] ?? [])
      const limit = rateOf('empty')
      print(`${CLIENTS} clients, median of ${ROUNDS} rounds of ${SECONDS} s     a second   ratio`)
      return (
        [
          ['an empty route', 'empty'],
          [`a poll of ${ATTEMPTS} attempts, unchanged (aim ${AIM})`, 'unchanged'],
          [`a poll of ${ATTEMPTS} attempts, whole`, 'whole'],
        ] as const
      ).map(([what, name]) => {
        const value = rateOf(name)
        const ratio = value / limit
        print(`${what.padEnd(52)}${value.toFixed(0).padStart(8)}${ratio.toFixed(2).padStart(8)}`)
        return { name: what, value, unit: '1/s', ratio, to: 'an empty route' } as const
      })
    } finally {
      await web.end()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function openGuests({ app, owner }: BenchDatabase): Promise<readonly AccountId[]> {
  const ids = Array.from({ length: ACCOUNTS }, () => AccountId.parse(randomUUID()))
  const submit = (accountId: AccountId, from: string) =>
    app.pool.query(
      `select submit_guest_attempt(gen_random_uuid(), $1, gen_random_uuid(), sha256(random()::text::bytea),
         'simulator', 'simulator/proof', 'a lighthouse in fog', '{"width": 512, "height": 512, "seed": 1}',
         1, sha256(random()::text::bytea), $2, sha256($3::text::bytea), 1000000)`,
      [accountId, ATTEMPTS, from],
    )
  for (const id of ids) {
    await Promise.all(Array.from({ length: ATTEMPTS }, () => submit(id, id)))
  }
  // Old enough that how soon to ask again does not change any more.
  await fillTables(owner, "update attempt set updated_at = now() - interval '1 hour'")
  return ids
}

async function etagsOf(url: string, cookies: readonly string[]): Promise<readonly string[]> {
  const etags: string[] = []
  for (const cookie of cookies) {
    const answer = await fetch(`${url}/api/attempts`, { headers: { cookie } })
    const { attempts } = z.object({ attempts: z.array(z.unknown()) }).parse(await answer.json())
    if (attempts.length !== ATTEMPTS) throw new Error(`${attempts.length} attempts`)
    etags.push(answer.headers.get('etag') ?? '')
  }
  return etags
}
