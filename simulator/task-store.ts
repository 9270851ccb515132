import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { z } from 'zod'
import { FaultPlan } from './drills'

/** What shapes a picture. Every protocol translates into it. */
export const PictureRequest = z.object({
  prompt: z.string(),
  width: z.int(),
  height: z.int(),
  seed: z.int(),
  style: z.string().optional(),
  /** What a protocol has to hand back later: a client's metadata, a secret to sign with. */
  extra: z.record(z.string(), z.unknown()).optional(),
})
export type PictureRequest = Readonly<z.infer<typeof PictureRequest>>

const TaskStatus = z.enum(['queued', 'rendering', 'succeeded', 'failed', 'cancelled'])
export type TaskStatus = z.infer<typeof TaskStatus>

// Rows are parsed here, once. JSON columns keep what SQLite text cannot: NUL and half characters.
const json = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema)

const TaskRow = z.object({
  id: z.string(),
  protocol: z.string(),
  reference: z.string(),
  status: TaskStatus,
  request: json(PictureRequest),
  plan: json(FaultPlan),
  callback_url: z.string().nullable(),
  total_ms: z.int(),
  accepted_at: z.int(),
  started_at: z.int().nullable(),
  finished_at: z.int().nullable(),
  updated_at: z.int(),
  result_bytes: z.int().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  callback_state: z.enum(['none', 'due', 'delivered', 'abandoned']),
  callback_tries: z.int(),
})
export type Task = Readonly<z.infer<typeof TaskRow>>
export type NewTask = Pick<
  Task,
  'id' | 'protocol' | 'reference' | 'request' | 'plan' | 'callback_url' | 'total_ms'
>

const SubmissionRow = z.object({
  sequence: z.int(),
  protocol: z.string(),
  reference: z.string().nullable(),
  prompt: json(z.string().nullable()),
  body_sha256: z.string(),
  received_at: z.int(),
  outcome: z.string(),
  task_id: z.string().nullable(),
})
export type Submission = Readonly<z.infer<typeof SubmissionRow>>
export type NewSubmission = {
  readonly protocol: string
  readonly reference: string | undefined
  readonly prompt: string | undefined
  readonly bodySha256: string
}

export type TaskEnd =
  | { readonly status: 'succeeded'; readonly resultBytes: number }
  | { readonly status: 'failed'; readonly code: string; readonly message: string }

const SCHEMA = `
create table if not exists task (
  id text primary key,
  protocol text not null,
  reference text not null,
  status text not null check (status in ('queued', 'rendering', 'succeeded', 'failed', 'cancelled')),
  request text not null,
  plan text not null,
  callback_url text,
  total_ms integer not null,
  accepted_at integer not null,
  started_at integer,
  finished_at integer,
  updated_at integer not null,
  result_bytes integer,
  error_code text,
  error_message text,
  callback_state text not null check (callback_state in ('none', 'due', 'delivered', 'abandoned')),
  callback_tries integer not null default 0,
  check ((status = 'succeeded') = (result_bytes is not null)),
  check ((status = 'failed') = (error_code is not null))
);
create index if not exists task_reference on task (reference);
create index if not exists task_open on task (accepted_at)
  where status in ('queued', 'rendering') or callback_state = 'due';

-- Everything that was ever posted, whatever became of it: the witness in "at most one task".
create table if not exists submission (
  sequence integer primary key autoincrement,
  protocol text not null,
  reference text,
  prompt text not null,
  body_sha256 text not null,
  received_at integer not null,
  outcome text not null,
  task_id text references task (id)
);
create index if not exists submission_reference on submission (reference);
`

const LISTED_MAX = 1_000

export type TaskStore = ReturnType<typeof openTaskStore>

function openDatabase(folder: string) {
  mkdirSync(folder, { recursive: true })
  const db = new Database(join(folder, 'simulator.db'))
  db.pragma('journal_mode = WAL')
  // An accepted task that a power cut forgets would be a task that nobody can ever find.
  db.pragma('synchronous = FULL')
  db.exec(SCHEMA)
  return db
}

/** The simulator's memory. `now` is passed in so that a test owns the time. */
export function openTaskStore(folder: string, now: () => number) {
  const db = openDatabase(folder)
  const findTask = (id: string): Task | undefined => {
    const row = db.prepare('select * from task where id = ?').get(id)
    return row === undefined ? undefined : TaskRow.parse(row)
  }
  const setOutcome = db.prepare('update submission set outcome = ?, task_id = ? where sequence = ?')

  return {
    ...submissionsOf(db, now),
    ...transitionsOf(db, now),
    findTask,

    recordRefusal(sequence: number, outcome: string): void {
      setOutcome.run(outcome, null, sequence)
    },

    /** The task and the submission that made it, or neither. */
    accept(sequence: number, task: NewTask): Task {
      const time = now()
      const write = db.transaction(() => {
        db.prepare(
          `insert into task (id, protocol, reference, status, request, plan, callback_url, total_ms,
             accepted_at, updated_at, callback_state)
           values (?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, 'none')`,
        ).run(
          task.id,
          task.protocol,
          task.reference,
          JSON.stringify(task.request),
          JSON.stringify(task.plan),
          task.callback_url,
          task.total_ms,
          time,
          time,
        )
        setOutcome.run('accepted', task.id, sequence)
      })
      write.immediate()
      return TaskRow.parse(db.prepare('select * from task where id = ?').get(task.id))
    },

    /** Oldest first. Includes finished tasks whose callback still has to be sent. */
    listOpenTasks(): readonly Task[] {
      return db
        .prepare(
          `select * from task where status in ('queued', 'rendering') or callback_state = 'due'
           order by accepted_at`,
        )
        .all()
        .map((row) => TaskRow.parse(row))
    },

    /** The newest task of a protocol that its client called so. */
    findByReference(protocol: string, reference: string): Task | undefined {
      const row = db
        .prepare(
          'select * from task where reference = ? and protocol = ? order by accepted_at desc, rowid desc limit 1',
        )
        .get(reference, protocol)
      return row === undefined ? undefined : TaskRow.parse(row)
    },

    listTasks(reference?: string) {
      const where = 'where ?1 is null or reference = ?1'
      const rows = db
        .prepare(`select * from task ${where} order by accepted_at desc, rowid desc limit ?2`)
        .all([reference ?? null, LISTED_MAX])
      const count = CountRow.parse(
        db.prepare(`select count(*) as count from task ${where}`).get([reference ?? null]),
      )
      return { data: rows.map((row) => TaskRow.parse(row)), count: count.count }
    },

    close(): void {
      db.close()
    },
  }
}

type Db = ReturnType<typeof openDatabase>
const CountRow = z.object({ count: z.int() })

function submissionsOf(db: Db, now: () => number) {
  return {
    /** Called before the body is even judged, so that nothing that arrived is ever uncounted. */
    recordSubmission({ protocol, reference, prompt, bodySha256 }: NewSubmission): number {
      const inserted = db
        .prepare(
          `insert into submission (protocol, reference, prompt, body_sha256, received_at, outcome)
           values (?, ?, ?, ?, ?, 'received') returning sequence`,
        )
        .get(protocol, reference ?? null, JSON.stringify(prompt ?? null), bodySha256, now())
      return z.object({ sequence: z.int() }).parse(inserted).sequence
    },

    listSubmissions(reference?: string) {
      const where = 'where ?1 is null or reference = ?1'
      const rows = db
        .prepare(`select * from submission ${where} order by sequence desc limit ?2`)
        .all([reference ?? null, LISTED_MAX])
      const count = CountRow.parse(
        db.prepare(`select count(*) as count from submission ${where}`).get([reference ?? null]),
      )
      return { data: rows.map((row) => SubmissionRow.parse(row)), count: count.count }
    },
  }
}

/** Each is one statement that says from where it may move; the answer says whether it did. */
function transitionsOf(db: Db, now: () => number) {
  return {
    startRendering(id: string): boolean {
      const time = now()
      return (
        db
          .prepare(
            `update task set status = 'rendering', started_at = ?, updated_at = ?
             where id = ? and status = 'queued'`,
          )
          .run(time, time, id).changes === 1
      )
    },

    cancel(id: string): boolean {
      const time = now()
      return (
        db
          .prepare(
            `update task set status = 'cancelled', finished_at = ?, updated_at = ?
             where id = ? and status = 'queued'`,
          )
          .run(time, time, id).changes === 1
      )
    },

    /** Ends a task that has begun already, for protocols that can do so. */
    interrupt(id: string): boolean {
      const time = now()
      return (
        db
          .prepare(
            `update task set status = 'cancelled', finished_at = ?, updated_at = ?
             where id = ? and status = 'rendering'`,
          )
          .run(time, time, id).changes === 1
      )
    },

    finish(id: string, end: TaskEnd, callback: 'none' | 'due'): boolean {
      const time = now()
      const failed = end.status === 'failed'
      return (
        db
          .prepare(
            `update task set status = ?, result_bytes = ?, error_code = ?, error_message = ?,
               callback_state = ?, finished_at = ?, updated_at = ?
             where id = ? and status = 'rendering'`,
          )
          .run(
            end.status,
            failed ? null : end.resultBytes,
            failed ? end.code : null,
            failed ? end.message : null,
            callback,
            time,
            time,
            id,
          ).changes === 1
      )
    },

    recordCallbackTry(id: string, state: 'due' | 'delivered' | 'abandoned'): void {
      db.prepare(
        `update task set callback_tries = callback_tries + 1, callback_state = ?
         where id = ? and callback_state = 'due'`,
      ).run(state, id)
    },
  }
}
