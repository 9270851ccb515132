import type { TaskId } from '@/lib/domain/ids'
import type { Cancelling, Lookup } from '@/lib/domain/observation'
import type { Capabilities, Provider } from '@/lib/domain/provider'
import { oursToMend, submitAndJudge, type Judge } from '@/lib/providers/judge'
import { observationOf } from './observe'
import { ErrorBody, QueuedBody } from './schemas'
import { createComfyServer, type ComfyServer } from './server'
import { fillWorkflow, loadWorkflow } from './workflow'

/**
 * The job's id is ours, so a lost submission is looked for in the server's queue and history. Both are
 * in its memory: a server that was started again knows nothing. A second POST with the same id is not
 * refused, it runs again, so nothing is sent twice. Results stay on the server's disk until somebody
 * removes them (https://github.com/comfyanonymous/ComfyUI, server.py and execution.py).
 */
const CAPABILITIES: Omit<Capabilities, 'billing'> = {
  answers: 'later',
  idempotentForMs: undefined,
  lookup: { by: 'reference', forMs: 24 * 60 * 60 * 1_000 },
  callback: undefined,
  cancel: 'confirmed',
  resultForMs: undefined,
}

export function createComfyUiProvider(options: {
  readonly baseUrl: string
  readonly checkpoint: string
  /** The operator's own workflow. */
  readonly workflowPath: string | undefined
  readonly now: () => Date
}): Provider {
  const { baseUrl, now } = options
  const workflow = loadWorkflow(options.workflowPath)
  const server = createComfyServer(baseUrl, now)
  // Our own machine bills nothing, but an operator's workflow may have nodes that call paid services.
  const charged = options.workflowPath === undefined ? 'not-charged' : 'not-established'
  const capabilities: Capabilities = {
    ...CAPABILITIES,
    billing: { failed: charged, moderated: charged, cancelled: charged },
  }
  return {
    name: 'comfyui',
    capabilities: () => capabilities,
    trustedOrigins: [new URL(baseUrl).origin],
    submitTimeoutMs: () => undefined,

    submit(submission, signal) {
      const body = JSON.stringify({
        prompt: fillWorkflow(workflow, submission, options.checkpoint),
        prompt_id: jobIdOf(submission.reference),
        client_id: 'darkroom',
        extra_data: { attempt_id: submission.reference },
      })
      const headers = { 'x-client-request-id': submission.reference }
      return submitAndJudge({ url: `${baseUrl}/prompt`, headers, body, signal }, now, judge)
    },

    async observe(taskId, _model, signal) {
      const job = await server.find(taskId, signal)
      switch (job.kind) {
        case 'unavailable':
          return job
        case 'pending':
        case 'running':
          return { kind: 'pending', progress: undefined }
        case 'ended':
          return observationOf(job.entry, baseUrl)
        case 'nowhere':
          return { kind: 'missing', reason: 'The server knows no such job. It may have restarted.' }
      }
    },

    async lookUp({ reference }, _submittedAt, signal): Promise<Lookup> {
      const id = jobIdOf(reference)
      const job = await server.find(id, signal)
      if (job.kind === 'unavailable') return job
      return job.kind === 'nowhere'
        ? { kind: 'absent', reason: 'The server knows no job of our id. It may be on its way.' }
        : { kind: 'found', taskId: QueuedBody.shape.prompt_id.parse(id) }
    },

    cancel: (taskId, _model, signal) => cancel(server, taskId, signal),
  }
}

/** Newer servers want a UUID in lower case, with hyphens. */
const jobIdOf = (reference: string) => reference.toLowerCase()

const judge: Judge = (answer) => {
  if (answer.status === 200) {
    const queued = QueuedBody.safeParse(answer.json)
    return queued.success ? { kind: 'accepted', taskId: queued.data.prompt_id } : undefined
  }
  const refused = answer.status === 400 ? ErrorBody.safeParse(answer.json).data : undefined
  // A graph is refused for its nodes and models, which are the operator's, and never for a prompt.
  return refused && oursToMend(answer, refused.error.type)
}

async function cancel(
  server: ComfyServer,
  taskId: TaskId,
  signal: AbortSignal,
): Promise<Cancelling> {
  const before = await server.find(taskId, signal)
  switch (before.kind) {
    case 'unavailable':
      return before
    case 'ended':
      return { kind: 'too-late' }
    case 'nowhere':
      return { kind: 'unavailable', reason: 'The server knows no such job.' }
    case 'running':
      return interrupt(server, taskId, signal)
    case 'pending': {
      const answer = await server.unqueue(taskId, signal)
      if (answer.kind === 'unavailable') return answer
      const after = await server.find(taskId, signal)
      switch (after.kind) {
        // It waited a moment ago, and neither runs nor has run: it never will.
        case 'nowhere':
          return { kind: 'cancelled' }
        case 'running':
          return interrupt(server, taskId, signal)
        case 'ended':
          return { kind: 'too-late' }
        case 'pending':
          return { kind: 'unavailable', reason: `The server answered ${answer.status}.` }
        case 'unavailable':
          return after
      }
    }
  }
}

/** What becomes of it is seen in the history: it ends as interrupted, or with its image after all. */
async function interrupt(
  server: ComfyServer,
  taskId: TaskId,
  signal: AbortSignal,
): Promise<Cancelling> {
  const answer = await server.interrupt(taskId, signal)
  if (answer.kind === 'unavailable') return answer
  return answer.status === 200 ? { kind: 'asked' } : answer.unavailable()
}
