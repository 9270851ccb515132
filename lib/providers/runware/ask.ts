import { look, type Unavailable } from '@/lib/providers/look'
import { isAccountRefused, isUnknownTask } from './error-codes'
import { Answer, ArchivedTask } from './schemas'

export type Read =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'unknown-task' }
  | Unavailable

export type Archived =
  | { readonly kind: 'archived'; readonly response: unknown }
  | { readonly kind: 'not-archived' }
  | Unavailable

export type Ask = ReturnType<typeof createAsk>

/** Questions about a task, which change nothing. They are POSTs too, as everything at Runware is. */
export function createAsk(options: {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly now: () => Date
}) {
  async function ask(taskType: string, taskUuid: string, signal: AbortSignal): Promise<Read> {
    const looked = await look({
      url: options.baseUrl,
      method: 'POST',
      headers: options.headers,
      body: JSON.stringify([{ taskType, taskUUID: taskUuid }]),
      signal,
      now: options.now(),
    })
    if (looked.kind === 'unavailable') return looked
    const answer = Answer.safeParse(looked.json).data
    if (answer === undefined || looked.status >= 500) return looked.unavailable()
    // An error that says `status: error` is the task's own, and not one of this question.
    const code = answer.errors.find(({ status }) => status !== 'error')?.code
    if (code !== undefined && isUnknownTask(code)) return { kind: 'unknown-task' }
    if (code !== undefined && isAccountRefused(code)) return looked.unavailable(`Refused: ${code}.`)
    return looked.status === 200 || looked.status === 400
      ? { kind: 'answered', answer }
      : looked.unavailable()
  }

  return {
    /** https://runware.ai/docs/platform/task-polling: active tasks. */
    poll: (taskUuid: string, signal: AbortSignal) => ask('getResponse', taskUuid, signal),

    /** https://runware.ai/docs/platform/task-details: past tasks. */
    async archive(taskUuid: string, signal: AbortSignal): Promise<Archived> {
      const read = await ask('getTaskDetails', taskUuid, signal)
      if (read.kind === 'unavailable') return read
      const tasks = read.kind === 'answered' ? read.answer.data : []
      const task = tasks
        .flatMap((one) => ArchivedTask.safeParse(one).data ?? [])
        .find(({ taskUUID }) => taskUUID === taskUuid)
      return task ? { kind: 'archived', response: task.response } : { kind: 'not-archived' }
    },
  }
}
