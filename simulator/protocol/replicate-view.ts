import { z } from 'zod'
import type { Task } from '@/simulator/task-store'
import type { ProtocolDeps } from './protocol'
import { answersWithList } from './replicate-models'
import { resultUrl } from './results'

// Input, output and logs are removed then (https://replicate.com/docs/topics/predictions/data-retention).
const DATA_FOR_MS = 60 * 60_000

/** What a prediction keeps of its request. */
export const Extra = z.object({
  model: z.string(),
  input: z.record(z.string(), z.unknown()),
  events: z.array(z.string()).optional(),
  deadline: z.string().optional(),
})

const iso = (time: number) => new Date(time).toISOString()

function statusOf(task: Task) {
  if (task.plan.refusal?.code === 'content_policy') return 'failed'
  const words = {
    queued: 'starting',
    rendering: 'processing',
    succeeded: 'succeeded',
    failed: 'failed',
    cancelled: 'canceled',
  } as const
  return words[task.status]
}

function errorOf(task: Task): string | null {
  if (task.error_code === 'content_policy' || task.plan.refusal?.code === 'content_policy') {
    return 'NSFW content detected. Try running it again, or try a different prompt.'
  }
  return task.error_message ?? task.error_code
}

/** A prediction as it is answered, listed and called back. */
export function viewPrediction(deps: Pick<ProtocolDeps, 'baseUrl' | 'clock'>, task: Task) {
  const { model, input, deadline } = Extra.parse(task.request.extra)
  const self = `${deps.baseUrl()}/replicate/v1/predictions/${task.id}`
  const status = statusOf(task)
  const dataRemoved =
    task.finished_at !== null && deps.clock.now() - task.finished_at >= DATA_FOR_MS
  const seconds = ((task.finished_at ?? 0) - (task.started_at ?? 0)) / 1_000
  const url = status === 'succeeded' && !dataRemoved ? resultUrl(deps, task) : null
  return {
    id: task.id,
    model,
    version: 'hidden',
    input: dataRemoved ? {} : input,
    logs: '',
    output: url !== null && answersWithList(model) ? [url] : url,
    data_removed: dataRemoved,
    error: status === 'failed' ? errorOf(task) : null,
    source: 'api',
    status,
    created_at: iso(task.accepted_at),
    started_at: task.started_at === null ? null : iso(task.started_at),
    completed_at: task.finished_at === null ? null : iso(task.finished_at),
    ...(deadline === undefined ? {} : { deadline }),
    ...(task.callback_url === null ? {} : { webhook: task.callback_url }),
    metrics: task.finished_at === null ? {} : { predict_time: seconds, total_time: seconds },
    urls: { get: self, cancel: `${self}/cancel`, web: self },
  }
}
