import { randomUUID } from 'node:crypto'
import { DBOS } from '@dbos-inc/dbos-sdk'
import pg from 'pg'
import { z } from 'zod'
import { createDecoder } from '@/lib/storage/decoder-process'
import { createFileImageStore } from '@/lib/storage/file-image-store'
import { bytesFromBase64 } from '@/lib/providers/base64'

// What Darkroom does for an attempt, written on DBOS Transact as its guide has it: a workflow of steps,
// each recorded when it has ended, with the money in statements that may be repeated. It lacks what
// Darkroom has besides: leases that fence, history as evidence, a ledger that the database proves, and
// an intent before the POST. The provider, the decoder and the store are the same.

const env = z
  .object({
    BENCH_APP_URL: z.string(),
    BENCH_PROVIDER_URL: z.string(),
    BENCH_FOLDER: z.string(),
    BENCH_COUNTS: z.string().transform((text) => z.array(z.int()).parse(JSON.parse(text))),
    BENCH_ACCOUNTS: z.coerce.number(),
    BENCH_AT_ONCE: z.coerce.number(),
  })
  .parse(process.env)
const PRICE = 4

const pool = new pg.Pool({ connectionString: env.BENCH_APP_URL, max: 8 })
const images = createFileImageStore(env.BENCH_FOLDER)
const decoder = createDecoder()
const Answer = z.object({ data: z.tuple([z.object({ b64_json: z.string() })]) })

// A step's result is kept: these have none.
const reserve = async (attempt: string, account: number): Promise<void> => {
  await pool.query(
    `with entry as (
       insert into bench_entry (attempt, kind, account, amount) values ($1, 'reserved', $2, $3)
       on conflict do nothing returning account)
     update bench_balance b set available = available - $3, held = held + $3
     from entry where b.id = entry.account`,
    [attempt, account, PRICE],
  )
}

async function post(attempt: string): Promise<string> {
  const response = await fetch(env.BENCH_PROVIDER_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-client-request-id': attempt },
    body: JSON.stringify({
      model: 'instant',
      prompt: 'a lighthouse in fog',
      n: 1,
      size: '512x512',
    }),
  })
  return Answer.parse(await response.json()).data[0].b64_json
}

async function store(attempt: string, base64: string): Promise<string> {
  const bytes = bytesFromBase64(base64)
  if (!bytes) throw new Error('no image')
  const inspection = await decoder.inspect(bytes)
  if (!inspection.ok) throw new Error(inspection.reason)
  const key = `images/${attempt}`
  await images.put(key, bytes)
  if ((await images.get(key))?.equals(bytes) !== true) throw new Error('not what was stored')
  return inspection.image.sha256
}

const settle = async (attempt: string, account: number, sha256: string): Promise<void> => {
  await pool.query(
    `with entry as (
       insert into bench_entry (attempt, kind, account, amount) values ($1, 'settled', $2, $3)
       on conflict do nothing returning account),
     artwork as (insert into bench_artwork (attempt, sha256) values ($1, $4) on conflict do nothing)
     update bench_balance b set held = held - $3 from entry where b.id = entry.account`,
    [attempt, account, PRICE, sha256],
  )
}

const generate = DBOS.registerWorkflow(
  async (attempt: string, account: number) => {
    await DBOS.runStep(() => reserve(attempt, account), { name: 'reserve' })
    const image = await DBOS.runStep(() => post(attempt), { name: 'post' })
    const sha256 = await DBOS.runStep(() => store(attempt, image), { name: 'store' })
    await DBOS.runStep(() => settle(attempt, account, sha256), { name: 'settle' })
  },
  { name: 'generate' },
)

async function run(count: number): Promise<number> {
  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: env.BENCH_AT_ONCE }, async (_, client) => {
      for (let n = client; n < count; n += env.BENCH_AT_ONCE) {
        const workflowID = randomUUID()
        const started = await DBOS.startWorkflow(generate, { workflowID })(
          workflowID,
          (n % env.BENCH_ACCOUNTS) + 1,
        )
        await started.getResult()
      }
    }),
  )
  return performance.now() - startedMs
}

DBOS.setConfig({
  name: 'bench',
  systemDatabaseUrl: env.BENCH_APP_URL,
  systemDatabasePoolSize: 8,
  logLevel: 'error',
})
await DBOS.launch()
let lastMs = 0
for (const count of env.BENCH_COUNTS) lastMs = await run(count)
console.log(`took ${lastMs.toFixed(0)} ms`)
await DBOS.shutdown()
await pool.end()
decoder.close()
