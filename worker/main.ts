import { hostname } from 'node:os'
import { join } from 'node:path'
import { createDeps, type AppDeps } from '@/lib/deps'
import { declareCompensationPolicy } from '@/lib/db/recovery-store'
import { removeHeartbeat } from '@/lib/db/worker-store'
import type { CompensationPolicy } from '@/lib/domain/compensation'
import { environment, EnvironmentError } from '@/lib/env'
import { createProviders } from '@/lib/providers/registry'
import { createEvidenceFiles } from '@/lib/storage/evidence-files'
import type { WorkerDeps } from '@/lib/use-cases/deps'
import { runLoop } from './loop'

const EXIT_BAD_ENVIRONMENT = 78 // EX_CONFIG of sysexits.h

async function main(): Promise<void> {
  const env = environment()
  const base = createDeps(env, 'worker')
  const workerId = `worker:${hostname()}:${process.pid}`
  const deps: WorkerDeps = {
    ...base,
    providers: createProviders(env),
    compensationPolicy: await declarePolicy(base, env.COMPENSATE_UNRESOLVED_AFTER, workerId),
    evidence: createEvidenceFiles(join(env.DATA_DIR, 'evidence')),
    workerId,
    appUrl: env.APP_URL,
    leaseMs: env.LEASE_MS,
    submitTimeoutMs: env.SUBMIT_TIMEOUT_MS,
    random: Math.random,
    monotonicMs: () => performance.now(),
  }
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
  await deps.db.close()
  deps.log.info('worker stopped')
}

async function declarePolicy(
  { db }: AppDeps,
  afterMs: number | undefined,
  actor: string,
): Promise<CompensationPolicy | undefined> {
  const version = await declareCompensationPolicy(db, afterMs, actor)
  return afterMs === undefined ? undefined : { version, afterMs }
}

try {
  await main()
} catch (error) {
  if (!(error instanceof EnvironmentError)) throw error
  process.stderr.write(`The environment is not usable.\n${error.message}\n`)
  process.exitCode = EXIT_BAD_ENVIRONMENT
}
