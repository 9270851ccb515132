// Whether the program of this container works, as its exit code: a web server answers, or a worker of
// this host name was heard of. Plain JavaScript with one package, because it is run again and again.
import { hostname } from 'node:os'
import pg from 'pg'

const BEAT_AGE_S_MAX = 15
const ANSWER_MS_MAX = 4_000

async function answers() {
  const url = `http://127.0.0.1:${process.env.PORT || 3000}/api/health/live`
  return (await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })).ok
}

async function isHeard() {
  const client = new pg.Client({
    connectionString: process.env.DATABASE_URL,
    connectionTimeoutMillis: ANSWER_MS_MAX,
    statement_timeout: ANSWER_MS_MAX,
  })
  await client.connect()
  try {
    const { rowCount } = await client.query(
      `select from worker_heartbeat
       where split_part(worker_id, ':', 2) = $1 and beat_at > app_now() - $2 * interval '1 second'`,
      [hostname(), BEAT_AGE_S_MAX],
    )
    return rowCount > 0
  } finally {
    await client.end()
  }
}

const works = (await answers().catch(() => false)) || (await isHeard().catch(() => false))
process.exit(works ? 0 : 1)
