import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import {
  endApiKey,
  findApiKeys,
  findKeyHolder,
  insertApiKey,
  type ApiKeyRow,
} from '@/lib/db/api-key-store'
import type { AccountId } from '@/lib/domain/ids'
import { ok, refuse, type Result } from '@/lib/domain/result'
import type { Deps } from './deps'

// As many bits as the hash that it is found by: nobody finds one by trying.
const KEY_BYTES = 32
const KEY_FORM = /^dk_[A-Za-z0-9_-]{43}$/
// More than anybody keeps apart by name.
const ACTIVE_KEYS_MAX = 50
const LISTED_KEYS_MAX = 200

const KeyName = z
  .string('Give the key a name.')
  .trim()
  .min(1, 'Give the key a name.')
  .max(100, 'Use at most 100 characters for the name.')

/** What may be shown of a key ever after. */
export type ApiKeyView = {
  readonly id: string
  readonly name: string
  readonly created_at: string
  /** To the minute. */
  readonly last_used_at: string | null
  readonly revoked_at: string | null
}

export type CreateKeyRefusal = {
  readonly code: 'invalid-name' | 'too-many-keys'
  readonly message: string
}

/** The answer is the only place where the key itself is ever seen: what is stored is its hash. */
export async function createApiKey(
  deps: Pick<Deps, 'db' | 'newId' | 'log'>,
  accountId: AccountId,
  name: unknown,
): Promise<Result<ApiKeyView & { readonly key: string }, CreateKeyRefusal>> {
  const parsed = KeyName.safeParse(name)
  if (!parsed.success) {
    const message = parsed.error.issues[0]?.message ?? 'Give the key a name.'
    return refuse({ code: 'invalid-name', message })
  }
  const key = `dk_${randomBytes(KEY_BYTES).toString('base64url')}`
  const row = await insertApiKey(deps.db, {
    id: deps.newId(),
    accountId,
    name: parsed.data,
    hash: hashOf(key),
    activeMax: ACTIVE_KEYS_MAX,
  })
  if (!row) {
    const message = `There are ${ACTIVE_KEYS_MAX} keys already. Revoke one that is no longer used.`
    return refuse({ code: 'too-many-keys', message })
  }
  deps.log.info({ accountId, apiKeyId: row.id }, 'api key created')
  return ok({ ...keyView(row), key })
}

export async function listApiKeys(
  deps: Pick<Deps, 'db'>,
  accountId: AccountId,
): Promise<readonly ApiKeyView[]> {
  return (await findApiKeys(deps.db, accountId, LISTED_KEYS_MAX)).map(keyView)
}

/** From its next request on the key is nobody's. Undefined when the account has no such key. */
export async function revokeApiKey(
  deps: Pick<Deps, 'db' | 'log'>,
  accountId: AccountId,
  id: string,
): Promise<ApiKeyView | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined
  const row = await endApiKey(deps.db, accountId, id)
  if (row) deps.log.info({ accountId, apiKeyId: row.id }, 'api key revoked')
  return row && keyView(row)
}

/** The account that a program acts for, or undefined: no key, revoked, or account suspended. */
export async function findKeyOwner(
  deps: Pick<Deps, 'db'>,
  key: string,
): Promise<AccountId | undefined> {
  return KEY_FORM.test(key) ? await findKeyHolder(deps.db, hashOf(key)) : undefined
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

function keyView(row: ApiKeyRow): ApiKeyView {
  return {
    id: row.id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  }
}
