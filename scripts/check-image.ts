import { spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { createRunner, stopInOrder, type Variables } from './image/run-image'
import { removeUnpacked, unpackImage } from './image/unpack'
import { LaunchError, messageOf } from './launch/launch-error'
import { findFreePort } from './launch/ports'
import { OWNER_ROLE, postgresUrl, startPostgres } from './launch/postgres'
import { waitUntilReady } from './launch/readiness'
import { APP_ROLE, ensureAppRole, ensureDatabase } from './launch/roles'
import { until } from './launch/until'

// `npm run check:image`: does in folders what the Dockerfile does in layers, runs the result as its
// user, who can write nothing of it, and makes an image with it. Needs no container engine; what it
// cannot show is the base image, and that an engine builds it.

const PASSWORD = 'of-the-check'
const PROMPT = 'a harbour before sunrise'
// Of what only builds and tests need.
const MAY_NOT_BE_THERE = ['vitest', 'eslint', '@playwright/test', 'prettier', 'tailwindcss', 'vite']

const Key = z.object({ key: z.string() })
const Models = z.object({ data: z.array(z.object({ id: z.string() })).min(1) })
const Attempt = z.object({ id: z.string(), status: z.string(), settlement: z.string().nullable() })

const work = mkdtempSync(join(tmpdir(), 'darkroom-image-'))
const running: [string, ChildProcess][] = []
let database: Awaited<ReturnType<typeof startPostgres>> | undefined

function expectThat(isSo: boolean, what: string): void {
  if (!isSo) throw new LaunchError(`Not so: ${what}.`)
  console.log(`  ${what}`)
}

async function main(): Promise<void> {
  console.log('Unpacking ...')
  const key = randomBytes(32).toString('base64')
  const unpacked = unpackImage(work, key)
  const places = {
    data: join(work, 'data'),
    temporary: join(work, 'tmp'),
    logs: join(work, 'logs'),
  }
  const runner = createRunner(unpacked, places)
  for (const place of Object.values(places)) {
    mkdirSync(place)
    if (process.getuid?.() === 0) chownSync(place, runner.ids.uid, runner.ids.gid)
  }
  // Not beside the way to it either.
  chmodSync(work, 0o755)
  if (process.getuid?.() !== 0) spawnSync('chmod', ['-R', 'a-w', unpacked.folder])
  const present = MAY_NOT_BE_THERE.filter((name) =>
    existsSync(join(unpacked.folder, 'node_modules', name)),
  )
  expectThat(
    present.length === 0,
    `nothing is there that only builds and tests need ${present.join()}`,
  )
  console.log(
    `  /app has ${spawnSync('du', ['-sm', unpacked.folder], { encoding: 'utf8' }).stdout.split('\t')[0] ?? '?'} MB`,
  )

  const urlOf = await startDatabase()
  console.log('Running ...')
  const begun = Date.now()
  runner.once(['migrate'], { DATABASE_OWNER_URL: urlOf(OWNER_ROLE) })
  const [webPort, simulatorPort] = [await findFreePort(), await findFreePort()]
  const url = `http://127.0.0.1:${webPort}`
  const simulatorUrl = `http://127.0.0.1:${simulatorPort}`
  const shared: Variables = {
    DATABASE_URL: urlOf(APP_ROLE),
    AUTH_SECRET: randomBytes(32).toString('hex'),
    APP_URL: url,
    PORT: String(webPort),
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: key,
    SIMULATOR: 'on',
    SIMULATOR_URL: simulatorUrl,
    SIMULATOR_LATENCY_MS: '300',
    SIMULATOR_WEBHOOK_SECRET: randomBytes(32).toString('hex'),
  }
  // A worker's port is nobody's, as it would be in a container of its own.
  const workerOnly = { ...shared, PORT: '1' }
  for (const [name, variables] of [
    ['simulator', shared],
    ['worker', workerOnly],
    ['web', shared],
  ] as const) {
    running.push([name, runner.start([name], variables)])
  }
  await waitUntilReady(
    { web: `${url}/api/health/ready`, simulator: `${simulatorUrl}/_/health` },
    places.logs,
  )
  expectThat(runner.isHealthy(shared), 'the web server is healthy')
  expectThat(runner.isHealthy(workerOnly), 'the worker is healthy')
  expectThat(
    !runner.isHealthy({ ...workerOnly, DATABASE_URL: urlOf('nobody') }),
    'a worker that nobody heard of is not',
  )
  await deliver(url, (args) => runner.once(['cli', ...args], shared))
  for (const [name, child] of running.toReversed()) await stopInOrder(name, child)
  running.length = 0
  expectThat(writtenSince(unpacked.folder, begun).length === 0, 'nothing of the image was written')
}

/** A database as an operator makes one ready. Answers how each role reaches it. */
async function startDatabase(): Promise<(role: string) => string> {
  const port = await findFreePort()
  database = await startPostgres({
    dataDir: join(work, 'postgres'),
    logFile: join(work, 'postgres.log'),
    port,
    ownerPassword: PASSWORD,
  })
  const ownerUrl = (name: string) => postgresUrl(OWNER_ROLE, PASSWORD, port, name)
  await ensureAppRole(ownerUrl('postgres'), PASSWORD)
  await ensureDatabase(ownerUrl('postgres'), 'darkroom')
  return (role) => postgresUrl(role, PASSWORD, port, 'darkroom')
}

/** From a new account to the bytes of a picture, by the command line and HTTP. */
async function deliver(url: string, cli: (args: readonly string[]) => string): Promise<void> {
  const email = 'operator@example.com'
  cli(['user', 'create', '--email', email, '--password', 'a long enough password'])
  cli(['credits', 'grant', '--email', email, '--amount', '10', '--reason', 'check of the image'])
  const { key } = Key.parse(JSON.parse(cli(['api-key', 'create', '--email', email])))
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const read = async (path: string) =>
    (await fetch(`${url}${path}`, { headers })).json() as Promise<unknown>

  const page = await fetch(`${url}/studio`)
  const html = await page.text()
  const asset = /\/_next\/static\/[^"\\]+\.js/.exec(html)?.[0]
  expectThat(
    page.ok && (await fetch(`${url}${asset ?? ''}`)).ok,
    'a page and its script are served',
  )

  const { data } = Models.parse(await read('/api/v1/models'))
  const made = await fetch(`${url}/api/v1/attempts`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': randomUUID() },
    body: JSON.stringify({ model: data[0]?.id, prompt: PROMPT }),
  })
  const { id } = Attempt.parse(await made.json())
  const isDelivered = async () =>
    Attempt.parse(await read(`/api/v1/attempts/${id}`)).settlement === 'settled'
  expectThat(
    await until(isDelivered, { withinMs: 60_000, everyMs: 200 }),
    'an attempt is delivered',
  )
  const image = await fetch(`${url}/api/v1/attempts/${id}/image`, { headers })
  const bytes = Buffer.from(await image.arrayBuffer())
  expectThat(bytes.length > 1_000, `its image is served: ${bytes.length} bytes`)
}

function writtenSince(folder: string, begun: number): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => lstatSync(join(folder, path)).mtimeMs > begun,
  )
}

try {
  await main()
  console.log('The image works.')
} catch (error) {
  console.error(messageOf(error))
  for (const name of existsSync(join(work, 'logs')) ? readdirSync(join(work, 'logs')) : []) {
    console.error(
      spawnSync('tail', ['-n', '20', join(work, 'logs', name)], { encoding: 'utf8' }).stdout,
    )
  }
  process.exitCode = 1
} finally {
  for (const [, child] of running) child.kill('SIGKILL')
  await database?.stop()
  removeUnpacked(work)
}
