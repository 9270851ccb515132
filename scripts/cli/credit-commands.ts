import { randomUUID } from 'node:crypto'
import { v5 as nameUuid } from 'uuid'
import { z } from 'zod'
import { correctCredits, findSignIn, grantCredits } from '@/lib/db/account-store'
import { findDeclaredApproval } from '@/lib/db/settings-store'
import type { AppDeps } from '@/lib/deps'
import { needsApproval, stricter } from '@/lib/domain/approval'
import { Email } from '@/lib/domain/email'
import type { AccountId } from '@/lib/domain/ids'
import { performAdminAct } from '@/lib/use-cases/perform-admin-act'
import { readBalance } from '@/lib/use-cases/read-ledger'
import { operatorName, Reason, requireAccount } from './account-commands'
import { CliError } from './cli-error'
import { command, done, type CommandAnswer } from './command'

// What an account may hold: the database refuses more.
const CREDITS_MAX = 1_000_000_000

const SourceKey = z
  .string()
  .min(1, 'expected a key')
  .max(100, 'expected at most 100 characters')
  .optional()

const GONE = 'The account is gone.'
const KEY_REUSED = 'This key was used for another change of this account: nothing was changed.'

type Asked = {
  readonly act: 'grant-credits' | 'correct-credits'
  readonly accountId: AccountId
  readonly credits: number
  readonly reason: string
  readonly key: string | undefined
  /** The admin in whose name it is asked for. */
  readonly as: string | undefined
}

const options = {
  reason: Reason,
  key: SourceKey,
  as: Email.optional(),
}
const AS = '[--as ADMIN]   (--as: above APPROVAL_ABOVE, where another admin has to agree)'

const grant = command({
  words: ['credits', 'grant'],
  usage: `credits grant --email E --amount N --reason R [--key K]   (once for each K) ${AS}`,
  input: z.strictObject({
    email: Email,
    amount: z
      .string('expected a number of credits')
      .regex(/^[1-9]\d{0,9}$/, 'expected a whole number of credits, 1 or more')
      .transform(Number)
      .pipe(z.int().max(CREDITS_MAX, `expected at most ${CREDITS_MAX} credits`)),
    ...options,
  }),
  run: async (deps, { email, amount, reason, key, as }) => {
    const accountId = await requireAccount(deps, email)
    const change = { act: 'grant-credits', accountId, credits: amount, reason, key, as } as const
    const asked = await askAsAdmin(deps, change)
    if (asked) return asked
    const outcome = await grantCredits(deps.db, {
      accountId,
      credits: amount,
      ...byOperator(reason, key),
    }).catch(explainBounds)
    if (outcome === 'no_account') throw new CliError(GONE)
    if (outcome === 'key_reused') throw new CliError(KEY_REUSED)
    return done({
      granted: outcome === 'granted' ? amount : 0,
      replayed: outcome === 'replayed',
      balance: await readBalance(deps, accountId),
    })
  },
})

const correct = command({
  words: ['credits', 'correct'],
  usage: `credits correct --email E --amount N --reason R [--key K]   (-N takes; the reason is in the statement) ${AS}`,
  input: z.strictObject({
    email: Email,
    amount: z
      .string('expected a number of credits')
      .regex(/^[+-]?[1-9]\d{0,9}$/, 'expected a whole number of credits, more or less than 0')
      .transform(Number)
      .pipe(
        z
          .int()
          .min(-CREDITS_MAX, `expected at least -${CREDITS_MAX} credits`)
          .max(CREDITS_MAX, `expected at most ${CREDITS_MAX} credits`),
      ),
    ...options,
  }),
  run: async (deps, { email, amount, reason, key, as }) => {
    const accountId = await requireAccount(deps, email)
    const change = { act: 'correct-credits', accountId, credits: amount, reason, key, as } as const
    const asked = await askAsAdmin(deps, change)
    if (asked) return asked
    const outcome = await correctCredits(deps.db, {
      accountId,
      credits: amount,
      ...byOperator(reason, key),
    }).catch(explainBounds)
    if (outcome === 'no_account') throw new CliError(GONE)
    if (outcome === 'key_reused') throw new CliError(KEY_REUSED)
    const balance = await readBalance(deps, accountId)
    if (outcome === 'insufficient_credits') {
      throw new CliError(
        `Only ${balance.available} credits are available: nothing was corrected. ` +
          'What is held or spent belongs to attempts.',
      )
    }
    return done({
      corrected: outcome === 'corrected' ? amount : 0,
      replayed: outcome === 'replayed',
      balance,
    })
  },
})

/** Without a key each command is another change: whoever types it twice means it twice. */
function byOperator(reason: string, key: string | undefined) {
  return { sourceKey: `operator:${key ?? randomUUID()}`, actor: operatorName(), reason }
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: check violation, out of range.
const OutOfBounds = z.object({ code: z.enum(['23514', '22003']) })

function explainBounds(error: unknown): never {
  throw OutOfBounds.safeParse(error).success
    ? new CliError(`An account may hold at most ${CREDITS_MAX} credits: nothing was changed.`)
    : error
}

export const creditCommands = [grant, correct] as const

// Any name space of our own: it keeps these apart from all other names.
const PRESSES = '0d1f6f0e-5a53-4c1b-9f0b-6d0e7c3f8a21'

/**
 * The same rule as in /admin: above the threshold nothing moves until a second admin agrees. Undefined:
 * it may move at once, in the operator's name.
 */
async function askAsAdmin(deps: AppDeps, asked: Asked): Promise<CommandAnswer | undefined> {
  const { as, key, ...act } = asked
  // This terminal may have been set up otherwise than the workers.
  const approvalAbove = stricter(deps.approvalAbove, await findDeclaredApproval(deps.db))
  const waits = needsApproval(act.credits, approvalAbove)
  if (as === undefined) {
    if (!waits) return undefined
    throw new CliError(
      `More than ${approvalAbove ?? 0} credits move when two admins agree: nothing was changed. ` +
        'Say with --as which admin asks for it; another one agrees in /admin.',
    )
  }
  const admin = await findSignIn(deps.db, as)
  if (!admin) throw new CliError(`There is no account with the address ${as}.`)
  const id = key === undefined ? randomUUID() : nameUuid(`${act.accountId}:${key}`, PRESSES)
  const answer = await performAdminAct({ ...deps, approvalAbove }, admin, { ...act, id })
  if (!answer.ok) throw new CliError(answer.refusal.message)
  const { message } = answer.value
  return done({ waiting: waits, message, balance: await readBalance(deps, act.accountId) })
}
