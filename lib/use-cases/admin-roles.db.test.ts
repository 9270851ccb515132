import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { registerIdentity } from '@/lib/db/account-store'
import type { AdminActName } from '@/lib/domain/admin-act'
import { AccountId } from '@/lib/domain/ids'
import { adminActNames, mayAct, mayReview, roles, type Role } from '@/lib/domain/role'
import { acceptedAndReset } from '@/test/fake-provider-server'
import { openWorld } from '@/test/world'
import { listAdminAttempts } from './list-admin-attempts'
import { performAdminAct, type Admin } from './perform-admin-act'
import { readAdminLog } from './read-admin-log'
import { readAdminOverview } from './read-admin-overview'
import { reviewAccount, searchAccounts } from './review-accounts'
import { reviewForAdmin } from './review-attempts'

// Whoever comes by whatever way comes through a use case, so that is where each is tried. The owner of
// another account is a user like any other here: what admins see and do is not about who owns it.

const world = openWorld()
const reason = 'as the table of roles has it'

async function open(role: Role): Promise<Admin> {
  const accountId = AccountId.parse(world().newId())
  const person = { accountId, email: `${accountId}@example.com`, role } as const
  const signUp = { name: 'Grace', passwordHash: '$argon2id$of-a-test', signupCredits: 0 }
  await registerIdentity(world().db, { ...person, ...signUp })
  return person
}

async function unresolved() {
  const accountId = await world().openAccount(10)
  const key = await world().start(accountId)
  world().provider.answer('submit', acceptedAndReset)
  await world().step(key)
  world().provider.reset()
  const { version } = await world().attempt(key)
  return { accountId, seen: { attemptId: key.id, version } }
}

type Stuck = Awaited<ReturnType<typeof unresolved>>

/** Each act as it could be asked for. A new one does not compile until it is here. */
const ASKED: Readonly<Record<AdminActName, (stuck: Stuck) => object>> = {
  'look-again': ({ seen }) => seen,
  'retry-delivery': ({ seen }) => seen,
  'look-up': ({ seen }) => seen,
  'record-delivery': ({ seen }) => ({ ...seen, sha256: 'ab'.repeat(32) }),
  'attach-task': ({ seen }) => ({ ...seen, taskId: 'no-such-task' }),
  fail: ({ seen }) => ({ ...seen, proof: 'the provider wrote so' }),
  compensate: ({ seen }) => seen,
  'unblock-provider': () => ({ provider: 'simulator' }),
  'grant-credits': ({ accountId }) => ({ accountId, credits: 1 }),
  'correct-credits': ({ accountId }) => ({ accountId, credits: 1 }),
  approve: ({ accountId }) => ({ accountId, requestId: randomUUID() }),
  reject: ({ accountId }) => ({ accountId, requestId: randomUUID() }),
  suspend: ({ accountId }) => ({ accountId }),
  restore: ({ accountId }) => ({ accountId }),
  'end-sessions': ({ accountId }) => ({ accountId }),
  'read-prompts': ({ accountId }) => ({ accountId }),
}

test('the database holds the same table', async () => {
  const rows = await world().rows('select role, act from role_act order by role, act')
  const ours = roles.flatMap((role) =>
    adminActNames.filter((act) => mayAct(role, act)).map((act) => ({ role, act })),
  )
  const sorted = (pairs: readonly object[]) => pairs.map((pair) => JSON.stringify(pair)).sort()
  expect(sorted(rows)).toEqual(sorted(ours))
})

test.each(roles.flatMap((role) => adminActNames.map((act) => [role, act] as const)))(
  '%s asks for %s',
  async (role, act) => {
    const stuck = await unresolved()
    const admin = await open(role)
    const asked = { id: randomUUID(), reason, act, ...ASKED[act](stuck) }
    const answer = await performAdminAct(world(), admin, asked)
    const lines = await world().rows(
      'select act, actor_role from admin_log where id = $1',
      asked.id,
    )
    if (mayAct(role, act)) {
      expect(answer).not.toMatchObject({ refusal: { code: 'not-admin' } })
      expect(lines).toEqual([{ act, actor_role: role }])
      return
    }
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'not-admin' } })
    expect(lines).toEqual([])
    // Nor when the program is wrong about who somebody is.
    const pretender = { ...admin, role: 'admin' } as const
    expect(await performAdminAct(world(), pretender, { ...asked, id: randomUUID() })).toMatchObject(
      {
        refusal: { code: 'not-admin' },
      },
    )
    expect(await world().balance(stuck.accountId)).toEqual({ available: 9, held: 1, spent: 0 })
  },
)

test.each(roles)('%s reads what the role may read, and else nothing', async (role) => {
  const { accountId, seen } = await unresolved()
  const admin = await open(role)
  const reads = mayReview(role)
  const page = { limit: 10 }
  expect((await listAdminAttempts(world(), admin, page)).data.length > 0).toBe(reads)
  expect((await readAdminOverview(world(), admin)) !== undefined).toBe(reads)
  expect((await searchAccounts(world(), admin, '')).data.length > 0).toBe(reads)
  expect((await reviewAccount(world(), admin, accountId, page)) !== undefined).toBe(reads)
  expect((await reviewForAdmin(world(), admin, seen.attemptId)) !== undefined).toBe(reads)
  const by = await open('admin')
  await performAdminAct(world(), by, { id: randomUUID(), reason, act: 'look-again', ...seen })
  const log = await readAdminLog(world(), admin, { ...page, actor: by.email })
  expect(log.data.length > 0).toBe(reads)
})

test('the log takes no line that its role may not have written', async () => {
  const auditor = await open('auditor')
  await expect(
    world().rows(
      `insert into admin_log (id, actor_id, actor, actor_role, act, subject, reason)
       values ($1, $2, 'auditor:x', 'auditor', 'compensate', 'attempt:x', 'by hand, at the prompt')`,
      randomUUID(),
      auditor.accountId,
    ),
  ).rejects.toThrow(/admin_log_role_may/)
})
