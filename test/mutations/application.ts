import type { Change, Mutation } from './mutation'

// What the programs make sure of: decisions, the one POST, evidence, delivery, and who sees what.

const SUBMISSION = 'lib/use-cases/submission.db.test.ts'
const CRASHES = 'lib/use-cases/crash.db.test.ts'
const RECOVERING = 'lib/use-cases/recovery.db.test.ts'
const CALLBACKS = 'lib/use-cases/receive-callback.db.test.ts'
const DELIVERY = 'lib/use-cases/delivery.db.test.ts'
const LATE = 'lib/use-cases/late-answers.db.test.ts'
const READS = 'lib/use-cases/read-attempts.db.test.ts'
const ACCOUNTS = 'lib/db/account-store.db.test.ts'
const KEYS = 'lib/use-cases/api-keys.db.test.ts'
const DECIDE = 'lib/domain/decide.test.ts'

const broken = (
  rule: string,
  file: string,
  fails: Mutation['fails'],
  ...change: readonly Change[]
): Mutation => ({ rule, file, fails, change })

const decisions: readonly Mutation[] = [
  broken(
    'a busy answer told again says nothing of the next send',
    'lib/domain/decide-submission.ts',
    [RECOVERING, 'a busy answer told after the next one was lost'],
    ['  if (send !== circumstances.sends) return NOTHING_NEW\n', ''],
  ),
  broken(
    'a lost answer is unknown and no failure',
    'lib/domain/decide-submission.ts',
    [SUBMISSION, 'the answer is lost after the work was accepted'],
    [
      '      return unknownSubmission(outcome.evidence, circumstances)',
      `      return failed('rejected', BUSY, { ...outcome.evidence })`,
    ],
  ),
  broken(
    'a lease lost while sending makes the outcome unknown',
    'lib/domain/next-action.ts',
    ['lib/domain/next-action.test.ts', 'a dead lease while submitting'],
    [`return 'mark_unknown'`, `return 'submit'`],
  ),
  broken(
    'a refusal of the same POST again proves nothing of the first',
    'lib/domain/decide-submission.ts',
    [DECIDE, 'a refusal of the same POST again'],
    [
      `return stay('status_unknown', 'repeat_unanswered', outcome.evidence.reason, dueInMs)`,
      `return failed('rejected_late', BUSY, { dueInMs })`,
    ],
  ),
  broken(
    'a task that is not found is no proof that there is none',
    'lib/domain/decide-submission.ts',
    [DECIDE, 'a task that is not found is no proof'],
    [
      `: stay('status_unknown', because, lookup.reason, dueInMs)`,
      `: failed('rejected_late', BUSY, {})`,
    ],
  ),
  broken(
    'a second task is a contradiction, and the first is kept',
    'lib/domain/decide-submission.ts',
    [CALLBACKS, 'a second task while pending'],
    ['if (state.taskId === taskId) return NOTHING_NEW', 'if (taskId) return NOTHING_NEW'],
  ),
  broken(
    'nothing is sent a fourth time',
    'lib/domain/pace.ts',
    [SUBMISSION, 'a provider that stays busy is asked three times'],
    ['export const SENDS_MAX = 3', 'export const SENDS_MAX = 4'],
  ),
  broken(
    'sending again ends after half a minute',
    'lib/domain/decide-submission.ts',
    [SUBMISSION, 'a 429 that asks for an hour'],
    [' && sendingAgeMs + pauseMs <= SENDING_MS_MAX) {', ' && sendingAgeMs >= 0) {'],
  ),
  broken(
    'what the provider asks for is never shortened',
    'lib/domain/pace.ts',
    [SUBMISSION, 'the pause that a provider asks for is kept'],
    [
      'return Math.max(Math.round(ceiling * random), retryAfterMs ?? 0)',
      'return Math.max(Math.round(ceiling * random), 0 * (retryAfterMs ?? 0))',
    ],
  ),
  broken(
    'a task may be missing for a moment',
    'lib/domain/decide-task.ts',
    [DECIDE, 'a task may be missing for a minute'],
    ['const MISSING_TASK_GRACE_MS = 60_000', 'const MISSING_TASK_GRACE_MS = 0'],
  ),
  broken(
    'a task that stays missing is unresolved and no failure',
    'lib/domain/decide-task.ts',
    [LATE, 'a task that its provider cannot find'],
    [
      `return stay('status_unknown', 'task_missing', observation.reason, dueInMs)`,
      `return failed('provider_failed', CANCELLED_THERE, {})`,
    ],
  ),
  broken(
    'a look that failed says nothing of the task',
    'lib/domain/decide-task.ts',
    [LATE, 'ten minutes without a look'],
    [
      `: stay(state.state, 'look_failed', observation.reason, pauseMs)`,
      `: failed('provider_failed', CANCELLED_THERE, {})`,
    ],
  ),
  broken(
    'a wish to cancel that was only taken proves nothing',
    'lib/domain/decide-task.ts',
    [DECIDE, 'a wish that was only taken'],
    [
      `return stay(state.state, 'cancel_asked', 'The image service was asked to stop.', dueInMs)`,
      `return failed('cancelled_at_provider', CANCELLED_THERE, {})`,
    ],
  ),
  broken(
    'only what was not sent is cancelled at a wish',
    'lib/domain/decide.ts',
    ['lib/use-cases/cancel-attempt.db.test.ts', 'what is unresolved stays so'],
    [`state.state === 'initializing' ? failed(`, `state.state !== 'completed' ? failed(`],
  ),
  broken(
    'one bad fetch is not the last word',
    'lib/domain/decide-delivery.ts',
    [DELIVERY, 'an unusable file twice and then the image'],
    ['if (times >= UNUSABLE_FETCHES_MAX) {', 'if (times >= 1) {'],
  ),
  broken(
    'the policy settles nothing that is settled',
    'lib/domain/compensation.ts',
    ['lib/domain/compensation.test.ts', 'is not settled again'],
    ['policy === undefined || attempt.settlement !== null', 'policy === undefined'],
  ),
  broken(
    'the policy gives nothing back before its hour',
    'lib/domain/compensation.ts',
    ['lib/domain/compensation.test.ts', 'an unresolved attempt is compensated from'],
    [' || attempt.stateAgeMs < policy.afterMs) {', ') {'],
  ),
  broken(
    'the policy gives back only what is unresolved',
    'lib/domain/compensation.ts',
    ['lib/domain/compensation.test.ts', 'only what is unresolved'],
    [`if (attempt.state.state !== 'status_unknown' || `, 'if ('],
  ),
  broken(
    'nobody decides about what is on the wire',
    'lib/domain/operator-act.ts',
    ['lib/domain/operator-act.test.ts', 'what is final or on the wire'],
    [`  if (state.state === 'submitting') {`, `  if (isFinal(state.state)) {`],
  ),
  broken(
    'the same POST is repeated only while its key is kept',
    'lib/domain/recovery.ts',
    ['lib/domain/recovery.test.ts', 'what is still possible is'],
    [' && sentAgeMs < idempotentForMs - IDEMPOTENCY_MARGIN_MS', ''],
  ),
  broken(
    'everything that shapes the result is in the fingerprint',
    'lib/domain/fingerprint.ts',
    ['lib/use-cases/start-attempt.db.test.ts', 'an id used again while pending'],
    [
      'const canonical = canonicalize({ model, prompt, settings })',
      'const canonical = canonicalize({ model, prompt, settings: { ...settings, seed: 0 } })',
    ],
  ),
]

const onePost: readonly Mutation[] = [
  broken(
    'nothing is sent when too little of the lease is left',
    'lib/use-cases/submit-attempt.ts',
    [CRASHES, 'a worker with too little of its lease left'],
    [`  if (deps.monotonicMs() - startedMs > leaseMs - timeoutMs) return 'not-sent'\n`, ''],
  ),
  broken(
    'nothing is sent without a committed intent',
    'lib/use-cases/submit-attempt.ts',
    [CRASHES, 'a worker that wakes after its lease'],
    [`  if (begun !== 'applied') {`, `  if (begun === 'closed') {`],
  ),
  broken(
    'an answer tells of the send that it answers',
    'lib/use-cases/submit-attempt.ts',
    [SUBMISSION, 'a documented refusal (422'],
    [
      'await settleAnswer(deps, submitting, begun, submitting.sends)',
      'await settleAnswer(deps, submitting, begun, claimed.sends)',
    ],
  ),
  broken(
    'an answer that cannot be recorded is kept on the disk',
    'lib/use-cases/submit-attempt.ts',
    [RECOVERING, 'an accepted answer that could not be recorded'],
    [
      `'answer not recorded')
    await keepEvidence(deps, key, { send, outcome, usage: report.usage })`,
      `'answer not recorded')`,
    ],
  ),
  broken(
    'a failure before any byte was sent is told apart',
    'lib/providers/submit-once.ts',
    [SUBMISSION, 'a provider that refuses the connection'],
    ['connection.made = outcome[0] === null', 'connection.made = true'],
  ),
  broken(
    'a request that may have arrived is not taken for one that was not sent',
    'lib/providers/submit-once.ts',
    [SUBMISSION, 'nobody knows whether the silence means yes'],
    [
      `return connection.made ? { kind: 'no-answer', reason } : { kind: 'not-sent', reason }`,
      `return { kind: 'not-sent', reason }`,
    ],
  ),
  broken(
    'a redirect of the POST is not followed',
    'lib/providers/submit-once.ts',
    [SUBMISSION, 'a redirect (307) of the POST'],
    [
      `import { Agent, buildConnector, request } from 'undici'`,
      `import { Agent, buildConnector, interceptors, request } from 'undici'`,
    ],
    [
      '      dispatcher: agent,',
      '      dispatcher: agent.compose(interceptors.redirect({ maxRedirections: 3 })),',
    ],
  ),
  broken(
    'nothing below us sends again',
    'lib/providers/submit-once.ts',
    [SUBMISSION, 'it answers 500: unresolved'],
    [
      `import { Agent, buildConnector, request } from 'undici'`,
      `import { Agent, buildConnector, interceptors, request } from 'undici'`,
    ],
    [
      '      dispatcher: agent,',
      `      dispatcher: agent.compose(
        interceptors.retry({ methods: ['POST'], maxRetries: 2, minTimeout: 1 }),
      ),`,
    ],
  ),
  broken(
    'no answer proves nothing',
    'lib/providers/judge.ts',
    [SUBMISSION, 'the answer never comes'],
    [
      `return { usage, outcome: { kind: 'unknown', evidence: { reason: answer.reason } } }`,
      `return { usage, outcome: { kind: 'rejected', failure: noImage, evidence: { reason: '' } } }`,
    ],
  ),
  broken(
    'an answer that nobody documented proves nothing',
    'lib/providers/judge.ts',
    [SUBMISSION, 'it answers 504'],
    [
      `outcome: outcome ?? { kind: 'unknown', evidence: evidence('The answer proves nothing.') },`,
      `outcome: outcome ?? rejected({ ...answer, json: 0, evidence, retryAfterMs: 0 }, noImage),`,
    ],
  ),
  broken(
    'a 5xx proves nothing, whatever is in it',
    'lib/providers/simulator/provider.ts',
    [SUBMISSION, 'it answers 500 with a documented error'],
    ['(answer.status === 400 || answer.status === 422) && error.success', 'error.success'],
  ),
  broken(
    'a 429 is asked again',
    'lib/providers/simulator/provider.ts',
    [SUBMISSION, 'a 429 without a time'],
    ['  if (answer.status === 429) return askedToWait(answer)\n', ''],
  ),
]

const evidence: readonly Mutation[] = [
  broken(
    'a callback is signed with the secret of both',
    'lib/providers/verify-callback.ts',
    [CALLBACKS, 'a callback signed with another secret'],
    [' && timingSafeEqual(given, expected))', ' && timingSafeEqual(given, given))'],
  ),
  broken(
    'a callback is of this moment',
    'lib/providers/verify-callback.ts',
    [CALLBACKS, 'a callback signed six minutes ago'],
    ['  if (ageSeconds > TOLERANCE_SECONDS) return undefined\n', ''],
  ),
  broken(
    'a callback is about the attempt whose address it came to',
    'lib/use-cases/receive-callback.ts',
    [CALLBACKS, 'a callback for one attempt at the address of another'],
    [
      'reference === undefined || reference === attempt?.key.id',
      'reference !== attempt?.key.model',
    ],
  ),
  broken(
    'each attempt has a callback address of its own',
    'lib/use-cases/callback-token.ts',
    [CALLBACKS, 'a callback for one attempt at the address of another'],
    ['`callback:${attemptId}`', '`callback:${typeof attemptId}`'],
  ),
  broken(
    'a callback’s word on the outcome is not believed',
    'lib/use-cases/receive-callback.ts',
    [CALLBACKS, 'a callback only makes the worker look'],
    [
      `  if (state.state === 'failed' && claims === 'succeeded') {`,
      `  if (claims === 'failed') await recordNews(deps, key, { kind: 'observation', observation: { kind: 'failed', failure: { code: 'provider_failed', message: 'x' } } }, 'callback')
  if (state.state === 'failed' && claims === 'succeeded') {`,
    ],
  ),
]

const delivery: readonly Mutation[] = [
  broken(
    'what is read back is what was stored',
    'lib/use-cases/deliver-result.ts',
    [DELIVERY, 'what the store reads back'],
    ['if (readBack && sha256Of(readBack) === fetched.image.sha256)', 'if (readBack)'],
  ),
  broken(
    'an object of the store is never replaced',
    'lib/storage/file-image-store.ts',
    ['lib/storage/file-image-store.test.ts', 'storing the same again changes nothing'],
    ['        if (present?.equals(bytes) !== true) {', '        if (present === undefined) {'],
  ),
  broken(
    'a file of the store appears whole or not at all',
    'lib/storage/file-image-store.ts',
    ['lib/storage/file-image-store.test.ts', 'of many that store at once'],
    ['await writeDurably(temporary, bytes)\n', 'await writeDurably(path, bytes)\n'],
  ),
  broken(
    'no result is fetched from a private network',
    'lib/providers/fetch-result.ts',
    ['lib/providers/fetch-result.test.ts', 'is a private address in whatever spelling'],
    [
      `  if (reach === 'public' || (reach === 'private' && options.allowPrivateHosts)) return\n`,
      `  if (reach !== 'never' || options.allowPrivateHosts) return\n`,
    ],
  ),
  broken(
    'where a redirect leads is checked like the first address',
    'lib/providers/fetch-result.ts',
    ['lib/providers/fetch-result.test.ts', 'a redirect from a trusted server to'],
    [
      'target = checkedTarget(answer.location, target, options)',
      'target = new URL(answer.location, target)',
    ],
  ),
]

// What is listed is looked up by its owner once more.
const LISTED_ARE_THE_OWNERS = [
  '           from listed join attempt a on a.id = listed.id and a.account_id = $1 ${ATTEMPT_JOINS}',
  '           from listed join attempt a on a.id = listed.id ${ATTEMPT_JOINS}',
] as const
const whoseIsIt: readonly Mutation[] = [
  broken(
    'an attempt is read by its owner',
    'lib/db/attempt-reader.ts',
    [READS, 'another account’s attempts are as absent'],
    ['where a.account_id = $1 and a.id = any($2)', 'where $1::uuid is not null and a.id = any($2)'],
  ),
  broken(
    'the newest attempts are the owner’s',
    'lib/db/attempt-reader.ts',
    [READS, 'another account’s attempts are as absent'],
    ['    where a.account_id = $1\n      and not exists', '    where not exists'],
    LISTED_ARE_THE_OWNERS,
  ),
  broken(
    'the open attempts are the owner’s',
    'lib/db/attempt-reader.ts',
    [READS, 'another account’s attempts are as absent'],
    ['from attempt_work where account_id = $1 order', 'from attempt_work order'],
    LISTED_ARE_THE_OWNERS,
  ),
  broken(
    'a poll that is told nothing new has nothing new',
    'lib/db/attempt-reader.ts',
    [READS, 'a poll’s mark changes with everything'],
    ["concat_ws('.', a.id, a.version, d.deleted_at, k.due_at,", "concat_ws('.', a.id,"],
  ),
  broken(
    'a poll that is told nothing new has the same money',
    'lib/db/attempt-reader.ts',
    [READS, 'a poll’s mark changes with everything'],
    ["concat_ws('.', b.available, b.held, b.spent)", "concat_ws('.', b.held)"],
  ),
  broken(
    'a page of attempts is the owner’s',
    'lib/db/attempt-reader.ts',
    [READS, 'another account’s attempts are as absent'],
    ['where a.account_id = $1 ${conditions', 'where $1::uuid is not null ${conditions'],
  ),
  broken(
    'a statement is the owner’s',
    'lib/db/ledger-reader.ts',
    [READS, 'the statement pages through every line once'],
    ['where: { accountId, ...(page.olderThan', 'where: { ...(page.olderThan'],
  ),
  broken(
    'an attempt is cancelled by its owner',
    'lib/db/known-attempt.ts',
    ['lib/use-cases/cancel-attempt.db.test.ts', 'another’s attempt cannot be cancelled'],
    [
      `  const row = await db.prisma.attempt.findUnique({
    where: { id_accountId: key },`,
      `  const row = await db.prisma.attempt.findFirst({
    where: { id: key.id },`,
    ],
  ),
  broken(
    'a session that was ended is nobody’s',
    'lib/db/account-store.ts',
    [ACCOUNTS, 'a session is nobody’s once it was ended'],
    [' and s.ended_at is null and', ' and'],
  ),
  broken(
    'a session whose time is over is nobody’s',
    'lib/db/account-store.ts',
    [ACCOUNTS, 'a session is nobody’s once its time is over'],
    [' and s.expires_at > app_now()', ''],
  ),
  broken(
    'a session of a suspended account is nobody’s',
    'lib/db/account-store.ts',
    [ACCOUNTS, 'a session is nobody’s once its account was suspended'],
    [
      `join account a on a.id = s.account_id and a.status = 'active'`,
      'join account a on a.id = s.account_id',
    ],
  ),
  broken(
    'a revoked key is nobody’s',
    'lib/db/api-key-store.ts',
    [KEYS, 'a revoked key is nobody’s'],
    ['where k.hash = $1 and k.revoked_at is null', 'where k.hash = $1'],
  ),
  broken(
    'a key is revoked by its owner',
    'lib/db/api-key-store.ts',
    [KEYS, 'nobody revokes a key of another account'],
    [
      'where id = $1 and account_id = $2 returning',
      'where id = $1 and $2::uuid is not null returning',
    ],
  ),
  broken(
    'a guest’s cookie is one that we signed',
    'lib/auth/guest-cookie.ts',
    ['lib/auth/guest-cookie.test.ts', 'names nobody'],
    [
      '  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined\n',
      '',
    ],
  ),
  broken(
    'a cookie that outlives its guest takes nothing over',
    'lib/use-cases/register-user.ts',
    ['lib/use-cases/guests.db.test.ts', 'a cookie that outlives its guest'],
    [
      `return account?.kind === 'guest' ? guestId : undefined`,
      'return account ? guestId : undefined',
    ],
  ),
]

const otherSites: readonly Mutation[] = [
  broken(
    'no server action is done for another site',
    'proxy.ts',
    ['test/proxy.test.ts', 'a POST that comes from no page of ours'],
    ['!isReading && !isFromOwnPage(request.headers, env.APP_URL)', '!isReading && false'],
  ),
  broken(
    'what has no origin is not believed',
    'lib/api/own-page.ts',
    ['lib/api/own-page.test.ts', 'does not take no origin for a page of ours'],
    [
      'if (origin === null || !URL.canParse(origin)) return false',
      'if (origin === null || !URL.canParse(origin)) return true',
    ],
  ),
]

export const applicationMutations: readonly Mutation[] = [
  ...decisions,
  ...onePost,
  ...evidence,
  ...delivery,
  ...whoseIsIt,
  ...otherSites,
]
