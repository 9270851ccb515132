import { z } from 'zod'
import { RequestId } from '@/lib/domain/ids'
import { ok, refuse, type Result } from '@/lib/domain/result'
import { drills } from '@/lib/domain/drill'
import type { Deps } from './deps'
import type { Admin } from './perform-admin-act'
import { startAttempt } from './start-attempt'

const Asked = z.strictObject({
  // Made where the button is pressed: pressed again it is the same attempt.
  requestId: RequestId,
  fault: z.enum(drills.map(({ fault }) => fault)),
})

export type DrillRefusal = {
  readonly code: 'not-admin' | 'invalid' | 'not-possible'
  readonly message: string
}

/** The model that drills are made with; undefined where the simulator is off. */
export const drillModel = ({ models }: Pick<Deps, 'models'>) =>
  models.find(({ provider }) => provider === 'simulator')

/**
 * An attempt of the admin's own that the simulator makes go wrong as told. It holds and costs credits
 * as every other does.
 */
export async function startDrill(
  deps: Deps,
  admin: Admin,
  input: unknown,
): Promise<Result<{ readonly id: string }, DrillRefusal>> {
  if (admin.role !== 'admin') {
    return refuse({ code: 'not-admin', message: 'Your role may not do this.' })
  }
  const asked = Asked.safeParse(input).data
  if (!asked) return refuse({ code: 'invalid', message: 'There is no such drill.' })
  const model = drillModel(deps)
  const [size] = model?.sizes ?? []
  if (!model || !size) {
    return refuse({
      code: 'not-possible',
      message: 'The simulator is off: there is nothing to drill.',
    })
  }
  const started = await startAttempt(deps, admin.accountId, {
    requestId: asked.requestId,
    model: model.id,
    prompt: `A drill of ours #drill:${asked.fault}`,
    settings: { ...size, seed: 1 },
  })
  if (started.ok) return ok({ id: started.value.attempt.id })
  const message =
    started.refusal.code === 'insufficient-credits'
      ? `Your own account has ${started.refusal.available} credits, and a drill takes ${started.refusal.required}.`
      : `It was refused: ${started.refusal.code.replaceAll('-', ' ')}.`
  return refuse({ code: 'not-possible', message })
}
