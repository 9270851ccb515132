import { z } from 'zod'
import { faultDescriptions, faultNames } from './drills'
import type { Faults } from './faults'
import { errorReply, json, parseJson, type Reply, type Route } from './http'
import type { TaskStore } from './task-store'

const FAULT_MS_MAX = 600_000

const ArmBody = z.strictObject({
  // A status such as 429 may be written as a number.
  fault: z.union([z.string(), z.int().transform(String)]),
  reference: z.string().min(1).max(200).optional(),
  times: z.int().min(1).max(1_000_000).default(1),
  ms: z.int().min(0).max(FAULT_MS_MAX).optional(),
})

export type ControlDeps = { readonly store: TaskStore; readonly faults: Faults }

/** What tests and people at the controls use. No provider has this, so no adapter may. */
export function createControl({ store, faults }: ControlDeps): readonly Route[] {
  const listFaults = () =>
    faults.list().map(({ fault, reference, timesLeft, ms }) => ({
      fault,
      reference: reference ?? null,
      times: timesLeft,
      ms: ms ?? null,
    }))

  function arm(body: Buffer): Reply {
    const parsed = ArmBody.safeParse(parseJson(body))
    if (!parsed.success) {
      const fields = parsed.error.issues.map(
        ({ path, message }) => `${path.join('.') || 'body'}: ${message}`,
      )
      return errorReply(400, 'invalid_input', fields.join('; '))
    }
    const { fault, reference, times, ms } = parsed.data
    if (!faultNames.includes(fault)) {
      return errorReply(400, 'unknown_fault', `Known faults: ${faultNames.join(', ')}.`)
    }
    faults.arm({ fault, reference, ms, timesLeft: times })
    return json(201, { data: listFaults() })
  }

  return [
    { method: 'GET', path: /^\/_\/health$/, handle: () => json(200, { status: 'ok' }) },
    {
      method: 'GET',
      path: /^\/_\/submissions$/,
      handle: ({ query }) => {
        const { data, count } = store.listSubmissions(query.get('reference') ?? undefined)
        return json(200, {
          data: data.map(({ received_at, ...submission }) => ({
            ...submission,
            received_at: new Date(received_at).toISOString(),
          })),
          count,
        })
      },
    },
    {
      method: 'GET',
      path: /^\/_\/tasks$/,
      handle: ({ query }) => json(200, store.listTasks(query.get('reference') ?? undefined)),
    },
    {
      method: 'GET',
      path: /^\/_\/faults$/,
      handle: () => json(200, { data: listFaults(), known: faultDescriptions }),
    },
    { method: 'POST', path: /^\/_\/faults$/, handle: ({ body }) => arm(body) },
    {
      method: 'DELETE',
      path: /^\/_\/faults$/,
      handle: () => {
        faults.disarmAll()
        return json(200, { data: [] })
      },
    },
  ]
}
