import { join } from 'node:path'
import next from 'next'
import { environment, EnvironmentError } from '@/lib/env'
import { createLogger } from '@/lib/logger'
import { closeOpenTrace } from '@/lib/trace/open-trace'
import { serveAssets } from './assets'
import { createGate } from './gate'
import { createWebServer, PortTakenError } from './server'

// The web server: Next.js behind Node.js's own server, which gives out the built files compressed and
// ends without cutting anybody off.

const EXIT_BAD_ENVIRONMENT = 78 // EX_CONFIG of sysexits.h
const ROOT = join(import.meta.dirname, '..')

async function main(): Promise<void> {
  const { APP_URL, PORT, DRAIN_MS, LOG_LEVEL } = environment()
  const log = createLogger('web', LOG_LEVEL)
  const app = next({ dev: false, dir: ROOT, port: PORT })
  await app.prepare()
  const server = createWebServer({
    gate: createGate(APP_URL),
    assets: serveAssets(join(ROOT, '.next', 'static')),
    pages: app.getRequestHandler(),
    onFault: (error) => log.error({ err: error }, 'request failed'),
  })
  let isStopping = false
  const onSignal = (signal: string) => {
    // The second signal is an order.
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ signal }, 'web server stopping')
    void server.drain(DRAIN_MS).then(async (whole) => {
      await closeOpenTrace()
      log.info({ whole }, 'web server stopped')
      process.exit(0)
    })
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  await server.listen(PORT)
  log.info({ port: PORT }, 'web server started')
}

try {
  await main()
} catch (error) {
  if (error instanceof EnvironmentError) {
    process.stderr.write(`The environment is not usable.\n${error.message}\n`)
    process.exit(EXIT_BAD_ENVIRONMENT)
  }
  if (!(error instanceof PortTakenError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
