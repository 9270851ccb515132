import { join } from 'node:path'
import pino from 'pino'
import { systemClock } from './clock'
import { listenAddress, parseSimulatorEnvironment, SimulatorEnvironmentError } from './env'
import { createRenderPool } from './render-pool'
import { createSimulator } from './simulator'

// Whoever stops us waits for two seconds at most.
const STOP_MS_MAX = 1_800

function readEnvironment() {
  try {
    return parseSimulatorEnvironment(process.env)
  } catch (error) {
    if (!(error instanceof SimulatorEnvironmentError)) throw error
    process.stderr.write(`The simulator cannot start.\n${error.message}\n`)
    process.exit(1)
  }
}

const isAddressInUse = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

async function main(): Promise<void> {
  const env = readEnvironment()
  const log = pino({ name: 'simulator', level: env.LOG_LEVEL })
  const pool = createRenderPool(env.SIMULATOR_CONCURRENCY)
  const simulator = createSimulator({
    folder: join(env.DATA_DIR, 'simulator'),
    clock: systemClock,
    draw: pool.draw,
    log,
    webhookSecret: env.SIMULATOR_WEBHOOK_SECRET,
    projectWebhookUrl: env.SIMULATOR_PROJECT_WEBHOOK_URL,
    latencyMs: env.SIMULATOR_LATENCY_MS,
    slowMs: env.SIMULATOR_SLOW_MS,
    drawAtOnce: env.SIMULATOR_CONCURRENCY,
  })

  let stopping = false
  const stop = (signal: string) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'simulator stopping')
    setTimeout(() => process.exit(0), STOP_MS_MAX).unref()
    // A half-drawn picture is given up: it is drawn again after the restart.
    void Promise.allSettled([simulator.close(), pool.close()]).then(() => {
      log.info('simulator stopped')
      process.exit(0)
    })
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  const address = listenAddress(env.SIMULATOR_URL)
  try {
    await simulator.listen({ ...address, publicUrl: env.SIMULATOR_URL })
  } catch (error) {
    if (!isAddressInUse(error)) throw error
    process.stderr.write(
      `The simulator cannot start: port ${address.port} is in use. Stop what uses it, or set SIMULATOR_URL.\n`,
    )
    process.exit(1)
  }
  log.info(
    { url: env.SIMULATOR_URL, callbacks: env.SIMULATOR_WEBHOOK_SECRET !== undefined },
    'simulator ready',
  )
}

await main()
