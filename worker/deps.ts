import { hostname } from 'node:os'
import { join } from 'node:path'
import { createDeps } from '@/lib/deps'
import { declareCompensationPolicy } from '@/lib/db/recovery-store'
import { declareSettings } from '@/lib/db/settings-store'
import { declareCapabilities } from '@/lib/db/verification-store'
import type { Environment } from '@/lib/env'
import { createMailer } from '@/lib/mail/mailer'
import { createEvidenceFiles } from '@/lib/storage/evidence-files'
import { tracedProvider } from '@/lib/trace/traced-provider'
import type { WorkerDeps } from '@/lib/use-cases/deps'

/** A worker's dependencies. Writes the compensation policy of its environment down if it is new. */
export async function createWorkerDeps(env: Environment): Promise<WorkerDeps> {
  const deps = createDeps(env, 'worker')
  const workerId = `worker:${hostname()}:${process.pid}`
  const afterMs = env.COMPENSATE_UNRESOLVED_AFTER
  const version = await declareCompensationPolicy(deps.db, afterMs, workerId)
  const providers = new Map(
    env.providers
      .filter(({ isConfigured }) => isConfigured)
      .map(({ name, create }) => [
        name,
        tracedProvider(
          create(() => new Date()),
          deps.trace,
        ),
      ]),
  )
  await declareSettings(
    deps.db,
    {
      prices: Object.fromEntries(deps.models.map(({ id, priceCredits }) => [id, priceCredits])),
      'daily-allowance': env.DAILY_ALLOWANCE,
      'signup-credits': env.SIGNUP_CREDITS,
      'approval-above': env.APPROVAL_ABOVE ?? null,
    },
    workerId,
  )
  await declareCapabilities(
    deps.db,
    deps.models.flatMap(({ id, provider }) => {
      const capabilities = providers.get(provider)?.capabilities(id)
      return capabilities ? [{ model: id, provider, capabilities }] : []
    }),
  )
  return {
    ...deps,
    providers,
    compensationPolicy: afterMs === undefined ? undefined : { version, afterMs },
    evidence: createEvidenceFiles(join(env.DATA_DIR, 'evidence')),
    watch: {
      thresholds: { unresolvedMs: env.ALERT_UNRESOLVED_AFTER, heldCredits: env.ALERT_HELD_CREDITS },
      webhook:
        env.ALERT_WEBHOOK_URL === undefined
          ? undefined
          : { url: env.ALERT_WEBHOOK_URL, secret: env.ALERT_WEBHOOK_SECRET },
      email: env.ALERT_EMAIL,
      auditEveryMs: env.AUDIT_EVERY,
    },
    mailer:
      env.SMTP_URL === undefined || env.MAIL_FROM === undefined
        ? undefined
        : createMailer({
            url: env.SMTP_URL,
            from: env.MAIL_FROM,
            onError: (error) => deps.log.warn({ err: error }, 'mail not taken'),
          }),
    workerId,
    appUrl: env.APP_URL,
    allowPrivateResultHosts: env.ALLOW_PRIVATE_RESULT_HOSTS === '1',
    leaseMs: env.LEASE_MS,
    submitTimeoutMs: env.SUBMIT_TIMEOUT_MS,
    random: Math.random,
    monotonicMs: () => performance.now(),
  }
}
