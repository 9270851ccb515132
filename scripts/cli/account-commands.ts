import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import { z } from 'zod'
import { correctCredits, findSignIn, grantCredits } from '@/lib/db/account-store'
import type { AppDeps } from '@/lib/deps'
import { Email } from '@/lib/domain/email'
import type { AccountId } from '@/lib/domain/ids'
import { REASON_LENGTH_MAX, REASON_LENGTH_MIN } from '@/lib/domain/operator-act'
import { Role } from '@/lib/domain/role'
import { createApiKey, listApiKeys, revokeApiKey } from '@/lib/use-cases/api-keys'
import { readBalance } from '@/lib/use-cases/read-ledger'
import { registerUser } from '@/lib/use-cases/register-user'
import { CliError } from './cli-error'
import { command, done } from './command'

// What an account may hold: the database refuses more.
const CREDITS_MAX = 1_000_000_000

export const Reason = z
  .string('expected why, in a few words')
  .trim()
  .min(REASON_LENGTH_MIN, `expected at least ${REASON_LENGTH_MIN} characters that say why`)
  .max(REASON_LENGTH_MAX, `expected at most ${REASON_LENGTH_MAX} characters`)

const SourceKey = z
  .string()
  .min(1, 'expected a key')
  .max(100, 'expected at most 100 characters')
  .optional()

const GONE = 'The account is gone.'
const KEY_REUSED = 'This key was used for another change of this account: nothing was changed.'

/** Whoever is at the terminal: it is what ledger and history say of who did it. */
export function operatorName(): string {
  return `operator:${userInfo().username}`.slice(0, 200)
}

async function requireAccount(deps: AppDeps, email: string): Promise<AccountId> {
  const identity = await findSignIn(deps.db, email)
  if (!identity) throw new CliError(`There is no account with the address ${email}.`)
  return identity.accountId
}

const createUser = command({
  words: ['user', 'create'],
  usage: 'user create --email E --password P [--role user|support|admin|auditor]',
  input: z.strictObject({
    email: Email,
    password: z.string('expected a password'),
    role: Role.default('user'),
  }),
  run: async (deps, { email, password, role }) => {
    const result = await registerUser(deps, { email, password }, { role })
    if (!result.ok) throw new CliError(result.refusal.message)
    return done({ account_id: result.value.accountId, email, role })
  },
})

const grant = command({
  words: ['credits', 'grant'],
  usage: 'credits grant --email E --amount N --reason R [--key K]   (once for each K)',
  input: z.strictObject({
    email: Email,
    amount: z
      .string('expected a number of credits')
      .regex(/^[1-9]\d{0,9}$/, 'expected a whole number of credits, 1 or more')
      .transform(Number)
      .pipe(z.int().max(CREDITS_MAX, `expected at most ${CREDITS_MAX} credits`)),
    reason: Reason,
    key: SourceKey,
  }),
  run: async (deps, { email, amount, reason, key }) => {
    const accountId = await requireAccount(deps, email)
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
  usage:
    'credits correct --email E --amount N --reason R [--key K]   (-N takes; the reason is in the statement)',
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
    reason: Reason,
    key: SourceKey,
  }),
  run: async (deps, { email, amount, reason, key }) => {
    const accountId = await requireAccount(deps, email)
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

const createKey = command({
  words: ['api-key', 'create'],
  usage: 'api-key create --email E [--name N]   (the key is shown this once)',
  input: z.strictObject({ email: Email, name: z.string().default('command line') }),
  run: async (deps, { email, name }) => {
    const result = await createApiKey(deps, await requireAccount(deps, email), name)
    if (!result.ok) throw new CliError(result.refusal.message)
    const { key, id, name: kept } = result.value
    return done({ key, id, name: kept })
  },
})

const listKeys = command({
  words: ['api-key', 'list'],
  usage: 'api-key list --email E',
  input: z.strictObject({ email: Email }),
  run: async (deps, { email }) =>
    done({ data: await listApiKeys(deps, await requireAccount(deps, email)), next_cursor: null }),
})

const revokeKey = command({
  words: ['api-key', 'revoke'],
  usage: 'api-key revoke ID --email E',
  input: z.strictObject({ id: z.uuid('expected the id of a key'), email: Email }),
  run: async (deps, { id, email }) => {
    const revoked = await revokeApiKey(deps, await requireAccount(deps, email), id)
    if (!revoked) throw new CliError('This account has no such key.')
    return done(revoked)
  },
})

export const accountCommands = [createUser, grant, correct, createKey, listKeys, revokeKey] as const
