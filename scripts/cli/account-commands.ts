import { userInfo } from 'node:os'
import { z } from 'zod'
import { findSignIn } from '@/lib/db/account-store'
import type { AppDeps } from '@/lib/deps'
import { Email } from '@/lib/domain/email'
import type { AccountId } from '@/lib/domain/ids'
import { REASON_LENGTH_MAX, REASON_LENGTH_MIN } from '@/lib/domain/operator-act'
import { Role } from '@/lib/domain/role'
import { createApiKey, listApiKeys, revokeApiKey } from '@/lib/use-cases/api-keys'
import { registerUser } from '@/lib/use-cases/register-user'
import { CliError } from './cli-error'
import { command, done } from './command'

export const Reason = z
  .string('expected why, in a few words')
  .trim()
  .min(REASON_LENGTH_MIN, `expected at least ${REASON_LENGTH_MIN} characters that say why`)
  .max(REASON_LENGTH_MAX, `expected at most ${REASON_LENGTH_MAX} characters`)

// In a container the number of who runs may have no name.
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Whoever is at the terminal: it is what ledger and history say of who did it. */
export function operatorName(): string {
  return `operator:${userName()}`.slice(0, 200)
}

export async function requireAccount(deps: AppDeps, email: string): Promise<AccountId> {
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

export const accountCommands = [createUser, createKey, listKeys, revokeKey] as const
