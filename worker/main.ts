import { removeHeartbeat } from '@/lib/db/worker-store'
import { environment, EnvironmentError } from '@/lib/env'
import { createWorkerDeps } from './deps'
import { runLoop } from './loop'

const EXIT_BAD_ENVIRONMENT = 78 // EX_CONFIG of sysexits.h

async function main(): Promise<void> {
  const env = environment()
  const deps = await createWorkerDeps(env)
  const stop = new AbortController()
  const onSignal = (signal: string) => {
    // The second signal is an order. What was on the wire stays unknown, and is found out.
    if (stop.signal.aborted) process.exit(1)
    deps.log.info({ signal }, 'worker stopping')
    stop.abort()
    setTimeout(() => {
      deps.log.warn('worker stopped with work under way')
      process.exit(1)
    }, env.DRAIN_MS).unref()
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)

  deps.log.info({ workerId: deps.workerId, concurrency: env.WORKER_CONCURRENCY }, 'worker started')
  await runLoop(deps, env.WORKER_CONCURRENCY, stop.signal)
  await removeHeartbeat(deps.db, deps.workerId)
  await deps.trace.close()
  await deps.db.close()
  deps.log.info('worker stopped')
}

try {
  await main()
} catch (error) {
  if (!(error instanceof EnvironmentError)) throw error
  process.stderr.write(`The environment is not usable.\n${error.message}\n`)
  process.exitCode = EXIT_BAD_ENVIRONMENT
}
