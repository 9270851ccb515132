import { z } from 'zod'

/** What goes wrong with one submission or its task, in full. An empty plan is a perfect provider. */
export const FaultPlan = z.object({
  /** Answered instead of accepting: no task is made. */
  refusal: z
    .object({
      status: z.int(),
      code: z.string(),
      message: z.string(),
      retryAfterSeconds: z.int().optional(),
    })
    .optional(),
  /** The task is made, and the connection is cut without an answer. */
  loseAnswer: z.boolean().optional(),
  /** The task is made at once, and its acceptance told so much later. */
  answerDelayMs: z.int().optional(),
  skipCallback: z.boolean().optional(),
  /** How often the finished task is told of, under one delivery id. */
  callbackTimes: z.int().min(1).max(10).optional(),
  /** A callback with a wrong signature is sent before the true one. */
  forgeCallback: z.boolean().optional(),
  /** From acceptance to the end, instead of the usual time. */
  totalMs: z.int().optional(),
  /** How the task ends instead of with a picture. */
  failure: z.object({ code: z.string(), message: z.string() }).optional(),
  corruptResult: z.boolean().optional(),
  /** For so long after acceptance a look at the task is answered with 503. */
  statusOutageMs: z.int().optional(),
  /** For so long after success the picture's address answers with 503. */
  resultOutageMs: z.int().optional(),
  /** For so long after success the picture can be fetched, whatever its provider promises. */
  resultExpiresMs: z.int().optional(),
  /** The picture is followed by so many bytes that nobody wants. */
  bloatBytes: z.int().optional(),
})
export type FaultPlan = Readonly<z.infer<typeof FaultPlan>>

type Fault = {
  readonly does: string
  /** `ms` is what the person who armed it asked for, and otherwise absent. */
  plan(defaults: FaultDefaults, ms: number | undefined): FaultPlan
}
export type FaultDefaults = { readonly slowMs: number }

// Long enough to be looked at by a person, short enough to be waited for.
const LATE_SUCCESS_MS = 8_000
const OUTAGE_MS = 20_000
const BLOAT_BYTES = 64 * 1_048_576
// Seen by a person, and within what a client waits for.
const LATE_ANSWER_MS = 3_000

const refusal = (status: number, code: string, message: string, retryAfterSeconds?: number) => ({
  refusal: {
    status,
    code,
    message,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  },
})
const POLICY = 'The prompt was refused by the content policy (drill).'

/** Every fault there is. A new drill is a new line here. */
const faults: Readonly<Record<string, Fault>> = {
  'lost-answer': {
    does: 'accepts and draws, but cuts the connection without an answer and never calls back',
    plan: () => ({ loseAnswer: true, skipCallback: true }),
  },
  'late-success': {
    does: 'cuts the connection without an answer, finishes after 8 s and calls back',
    plan: (_, ms) => ({ loseAnswer: true, totalMs: ms ?? LATE_SUCCESS_MS }),
  },
  'late-answer': {
    does: 'accepts at once and says so 3 s later',
    plan: (_, ms) => ({ answerDelayMs: ms ?? LATE_ANSWER_MS }),
  },
  slow: {
    does: 'takes 25 s (SIMULATOR_SLOW_MS), with progress',
    plan: ({ slowMs }, ms) => ({ totalMs: ms ?? slowMs }),
  },
  reject: {
    does: '400 invalid_input at submission, no task',
    plan: () => refusal(400, 'invalid_input', 'The input was refused (drill).'),
  },
  moderate: {
    does: '422 content_policy at submission, no task',
    plan: () => refusal(422, 'content_policy', POLICY),
  },
  '429': {
    does: '429 rate_limited with Retry-After: 1 at submission, no task',
    plan: () => refusal(429, 'rate_limited', 'Too many requests (drill).', 1),
  },
  '500': {
    does: '500 internal_error at submission, no task',
    plan: () => refusal(500, 'internal_error', 'Something broke (drill).'),
  },
  '503': {
    does: '503 unavailable with Retry-After: 1 at submission, no task',
    plan: () => refusal(503, 'unavailable', 'Down for maintenance (drill).', 1),
  },
  'bad-key': {
    does: '401 bad_key at submission, no task',
    plan: () => refusal(401, 'bad_key', 'The key is not valid (drill).'),
  },
  'no-credit': {
    does: '402 no_credit at submission, no task',
    plan: () => refusal(402, 'no_credit', 'The balance is used up (drill).'),
  },
  fail: {
    does: 'accepts, then fails with render_failed',
    plan: () => ({ failure: { code: 'render_failed', message: 'The renderer failed (drill).' } }),
  },
  'moderate-late': {
    does: 'accepts, then fails with content_policy',
    plan: () => ({ failure: { code: 'content_policy', message: POLICY } }),
  },
  corrupt: {
    does: 'succeeds, but the result is not an image',
    plan: () => ({ corruptResult: true }),
  },
  bloat: {
    does: 'succeeds, but the result is 64 MB long',
    plan: () => ({ bloatBytes: BLOAT_BYTES }),
  },
  expire: {
    does: 'succeeds, but its result is gone at once',
    plan: (_, ms) => ({ resultExpiresMs: ms ?? 0 }),
  },
  'callback-twice': {
    does: 'tells of the end three times',
    plan: () => ({ callbackTimes: 3 }),
  },
  'callback-forged': {
    does: 'a callback with a wrong signature comes before the true one',
    plan: () => ({ forgeCallback: true }),
  },
  'no-callback': {
    does: 'never calls back',
    plan: () => ({ skipCallback: true }),
  },
  'result-down': {
    does: 'the result answers 503 for 20 s after success, then works',
    plan: (_, ms) => ({ resultOutageMs: ms ?? OUTAGE_MS }),
  },
  'status-outage': {
    does: 'the status answers 503 for 20 s after acceptance, then works',
    plan: (_, ms) => ({ statusOutageMs: ms ?? OUTAGE_MS }),
  },
}

export const faultNames: readonly string[] = Object.keys(faults)

export const faultDescriptions: readonly { readonly fault: string; readonly does: string }[] =
  Object.entries(faults).map(([fault, { does }]) => ({ fault, does }))

/** Undefined when there is no fault of this name. */
export function planFault(
  name: string,
  defaults: FaultDefaults,
  ms?: number,
): FaultPlan | undefined {
  return Object.hasOwn(faults, name) ? faults[name]?.plan(defaults, ms) : undefined
}

/** The names after `#drill:` in a prompt. A name that is no fault of ours may be somebody else's drill. */
export function drillsIn(prompt: string): readonly string[] {
  const named = [...prompt.matchAll(/#drill:([a-z0-9-]+)/gi)].map(
    (match) => match[1]?.toLowerCase() ?? '',
  )
  return [...new Set(named)].filter((name) => faultNames.includes(name))
}
