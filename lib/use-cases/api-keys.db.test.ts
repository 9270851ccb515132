import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { invariant } from '@/lib/domain/invariant'
import { openWorld } from '@/test/world'
import { createApiKey, findKeyOwner, listApiKeys, revokeApiKey } from './api-keys'

const world = openWorld()

async function create(name: unknown = 'a program') {
  const accountId = await world().openAccount()
  const created = await createApiKey(world(), accountId, name)
  invariant(created.ok, 'a key is made')
  return { accountId, ...created.value }
}

const lastUsed = async (id: string) =>
  (await world().rows('select last_used_at from api_key where id = $1', id))[0]?.['last_used_at']

test('a key is 256 random bits, known to its owner alone and stored as its hash', async () => {
  const { accountId, key, id } = await create()
  expect(key).toMatch(/^dk_[A-Za-z0-9_-]{43}$/)
  expect((await create()).key).not.toBe(key)
  const [row] = await world().rows('select * from api_key where id = $1', id)
  expect(row?.['hash']).toEqual(createHash('sha256').update(key).digest())
  expect(JSON.stringify(row)).not.toContain(key)
  expect(JSON.stringify(await listApiKeys(world(), accountId))).not.toContain(key)
  expect(JSON.stringify(world().logged)).not.toContain(key)
})

test('a key leads to its account, and nothing else does', async () => {
  const { accountId, key } = await create()
  expect(await findKeyOwner(world(), key)).toBe(accountId)
  for (const other of ['', 'dk_', key.slice(0, -1), `${key}x`, key.toLowerCase(), ` ${key}`]) {
    expect(await findKeyOwner(world(), other)).toBeUndefined()
  }
})

test('a revoked key is nobody’s, for ever', async () => {
  const { accountId, key, id } = await create()
  expect(await revokeApiKey(world(), accountId, id)).toMatchObject({ id })
  expect(await findKeyOwner(world(), key)).toBeUndefined()
  const [listed] = await listApiKeys(world(), accountId)
  expect(await revokeApiKey(world(), accountId, id)).toEqual(listed)
  const undo = 'update api_key set revoked_at = null where id = $1'
  await expect(world().rows(undo, id)).rejects.toThrow('stays revoked')
  await expect(world().deps.db.pool.query(undo, [id])).rejects.toThrow('stays revoked')
})

test('nobody revokes a key of another account', async () => {
  const { key, id, accountId } = await create()
  const stranger = await world().openAccount()
  expect(await revokeApiKey(world(), stranger, id)).toBeUndefined()
  expect(await revokeApiKey(world(), stranger, 'no id')).toBeUndefined()
  expect(await findKeyOwner(world(), key)).toBe(accountId)
  expect(await listApiKeys(world(), stranger)).toEqual([])
})

test('the key of a suspended account is refused at its next use', async () => {
  const { accountId, key } = await create()
  await world().rows(`update account set status = 'suspended' where id = $1`, accountId)
  expect(await findKeyOwner(world(), key)).toBeUndefined()
})

test('the last use is written, and at most once a minute', async () => {
  const { key, id, accountId } = await create()
  expect(await lastUsed(id)).toBeNull()
  await findKeyOwner(world(), key)
  const first = await lastUsed(id)
  expect(first).toBeInstanceOf(Date)
  await Promise.all(Array.from({ length: 20 }, () => findKeyOwner(world(), key)))
  expect(await lastUsed(id)).toEqual(first)
  await world().rows(
    `update api_key set last_used_at = last_used_at - interval '61 seconds' where id = $1`,
    id,
  )
  await Promise.all(Array.from({ length: 20 }, () => findKeyOwner(world(), key)))
  const [listed] = await listApiKeys(world(), accountId)
  invariant(first instanceof Date, 'it was used')
  expect(Date.parse(listed?.last_used_at ?? '')).toBeGreaterThanOrEqual(first.getTime())
})

test.each([undefined, '', '   ', 'x'.repeat(101), 5])('refuses %j as a name', async (name) => {
  const accountId = await world().openAccount()
  expect(await createApiKey(world(), accountId, name)).toMatchObject({
    ok: false,
    refusal: { code: 'invalid-name' },
  })
})

test('an account has a bounded number of keys in use', async () => {
  const { accountId, id } = await create()
  await world().rows(
    `insert into api_key (id, account_id, name, hash)
     select gen_random_uuid(), $1, 'one of many', sha256(gen_random_uuid()::text::bytea)
     from generate_series(1, 49)`,
    accountId,
  )
  expect(await createApiKey(world(), accountId, 'one too many')).toMatchObject({
    ok: false,
    refusal: { code: 'too-many-keys' },
  })
  await revokeApiKey(world(), accountId, id)
  expect((await createApiKey(world(), accountId, 'another')).ok).toBe(true)
})

test.each([
  [`update api_key set hash = sha256('x')`, 'cannot become another|permission denied'],
  ['update api_key set account_id = gen_random_uuid()', 'permission denied'],
  ['delete from api_key', 'permission denied'],
  ['truncate api_key', 'permission denied'],
])('the programs’ own role cannot %s', async (sql, reason) => {
  await create()
  await expect(world().deps.db.pool.query(sql)).rejects.toThrow(new RegExp(reason))
})
