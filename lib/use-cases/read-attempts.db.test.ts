import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { AccountId, AttemptId } from '@/lib/domain/ids'
import { acceptedAndReset, looking } from '@/test/fake-provider-server'
import { historyWords } from '@/lib/web/history-words'
import { openWorld } from '@/test/world'
import { AttemptsView, AttemptView, LedgerEntryView } from '@/lib/web/views'
import { deletePictures } from './keep-pictures'
import {
  BATCH_IDS_MAX,
  listAttempts,
  markRecentAttempts,
  readAttemptDetail,
  readAttemptsByIds,
  readImage,
  readRecentAttempts,
} from './read-attempts'
import { readStatement } from './read-ledger'

// What leaves the server: the account's own, whole, and as it is at that moment.

const world = openWorld()

async function startMany(accountId: AccountId, count: number): Promise<AttemptId[]> {
  const ids: AttemptId[] = []
  for (let n = 0; n < count; n += 1) ids.unshift((await world().start(accountId)).id)
  return ids
}

test('another account’s attempts are as absent as those that never were', async () => {
  const [owner, stranger] = [await world().openAccount(), await world().openAccount()]
  const key = await world().start(owner)
  await world().runToQuiet(key)
  const never = (await world().start(await world().openAccount())).id

  const view = await readAttemptsByIds(world().deps, stranger, [key.id, never])
  expect(view.attempts).toEqual([])
  expect(await readAttemptDetail(world().deps, stranger, key.id)).toBeUndefined()
  expect(await readImage(world().deps, stranger, key.id)).toBeUndefined()
  expect((await readRecentAttempts(world().deps, stranger)).attempts).toEqual([])
  expect((await listAttempts(world().deps, stranger, { limit: 10 })).data).toEqual([])

  expect((await readAttemptsByIds(world().deps, owner, [key.id, never])).attempts).toHaveLength(1)
  expect(await readImage(world().deps, owner, key.id)).toMatchObject({ contentType: 'image/png' })
})

test.each(['', 'x', '../1', randomUUID(), "' or true --"])(
  'an id like %j reads nothing',
  async (id) => {
    const accountId = await world().openAccount()
    expect(await readAttemptDetail(world().deps, accountId, id)).toBeUndefined()
    expect(await readImage(world().deps, accountId, id)).toBeUndefined()
  },
)

test('what is shown has the promised shape in every state, and says when to ask again', async () => {
  const accountId = await world().openAccount()
  const delivered = await world().start(accountId)
  await world().runToQuiet(delivered)
  world().provider.answer('submit', acceptedAndReset)
  const unresolved = await world().start(accountId)
  await world().runToQuiet(unresolved)
  world().provider.reset()
  const queued = await world().start(accountId)

  const view = await readAttemptsByIds(world().deps, accountId, [
    delivered.id,
    unresolved.id,
    queued.id,
  ])
  expect(AttemptsView.parse(view)).toEqual(view)
  expect(view.attempts.map(({ status }) => status)).toEqual(['queued', 'unresolved', 'delivered'])
  expect(view.attempts.map(({ poll_after_ms }) => poll_after_ms)).toEqual([1_000, 1_000, null])
  expect(view.poll_after_ms).toBe(1_000)
  expect(view.balance).toMatchObject({ granted: 100, available: 97, held: 2, spent: 1 })
  expect(view.attempts[2]?.artwork?.url).toMatch(
    new RegExp(`^/api/attempts/${delivered.id}/image\\?v=[0-9a-f]{12}$`),
  )
  expect(JSON.stringify(view)).not.toMatch(/task-|callback|fingerprint|account_id/)
})

test('a poll with nothing open asks for no other', async () => {
  const accountId = await world().openAccount()
  const key = await world().start(accountId)
  await world().runToQuiet(key)
  expect((await readRecentAttempts(world().deps, accountId)).poll_after_ms).toBeNull()
})

test('progress is shown as last seen, and never goes back', async () => {
  const key = await world().start(await world().openAccount())
  world().provider.answer('status', looking('rendering'), looking('queued'))
  for (let step = 0; step < 3; step += 1) await world().step(key)
  const view = await readAttemptsByIds(world().deps, key.accountId, [key.id])
  expect(view.attempts[0]).toMatchObject({ progress: 0.5, status: 'generating' })
  expect(view.attempts[0]?.looked_at).not.toBeNull()
})

test('a poll’s mark changes with everything that its answer shows, and with nothing else', async () => {
  const { deps } = world()
  const accountId = await world().openAccount()
  const other = await world().openAccount()
  const answers = new Map<string, string>()
  const look = async () => {
    const mark = await markRecentAttempts(deps, accountId)
    const answer = JSON.stringify(await readRecentAttempts(deps, accountId))
    expect(answers.get(mark) ?? answer, mark).toBe(answer)
    answers.set(mark, answer)
    return answer
  }
  await look()
  const key = await world().start(accountId)
  await look()
  await world().start(other)
  await look()
  for (let step = 0; step < 6; step += 1) {
    await world().step(key)
    await look()
  }
  await world().grant(accountId, 5)
  await look()
  await deletePictures(deps, accountId, [key.id])
  const last = await look()
  expect(last).toContain('"available":104')
  // A read changes nothing, and neither does another account.
  expect(answers.size).toBe(new Set(answers.values()).size)
  await world().start(other)
  const mark = await markRecentAttempts(deps, accountId)
  expect(answers.get(mark)).toBe(last)
})

test('open attempts are shown however old, besides the newest', async () => {
  const accountId = await world().openAccount()
  const oldest = await world().start(accountId)
  const newer = await startMany(accountId, 32)
  for (const id of newer.slice(0, 31)) await world().runToQuiet({ id, accountId })

  const shown = (await readRecentAttempts(world().deps, accountId)).attempts.map(({ id }) => id)
  expect(shown).toContain(oldest.id)
  expect(shown).toHaveLength(30 + 2)
  expect(new Set(shown).size).toBe(shown.length)
})

test('one poll reads at most a screen of attempts', async () => {
  const accountId = await world().openAccount()
  const { id } = await world().start(accountId)
  const ids = [...Array<AttemptId>(BATCH_IDS_MAX).fill(id), (await world().start(accountId)).id]
  expect((await readAttemptsByIds(world().deps, accountId, ids)).attempts).toHaveLength(1)
})

test('pages hold each attempt once, newest first, also while new ones arrive', async () => {
  const accountId = await world().openAccount()
  const ids = await startMany(accountId, 7)
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await listAttempts(world().deps, accountId, { limit: 3, cursor })
    for (const item of page.data) expect(AttemptView.parse(item)).toEqual(item)
    seen.push(...page.data.map(({ id }) => id))
    cursor = page.next_cursor ?? undefined
    await world().start(accountId)
  } while (cursor !== undefined)
  expect(seen).toEqual(ids)
})

test('the detail tells the whole history in plain words, the ledger, and its neighbours', async () => {
  const accountId = await world().openAccount()
  const [newer = '', id = '', older = ''] = await startMany(accountId, 3)
  const key = await world().keyOf(id)
  await world().runToQuiet(key)

  const detail = await readAttemptDetail(world().deps, accountId, id)
  expect(detail).toMatchObject({ newer_id: newer, older_id: older })
  expect(detail?.entries.map(({ kind }) => kind)).toEqual(['reserved', 'settled'])
  expect(detail?.history).toHaveLength(5)
  expect(detail?.history.map(({ kind }) => historyWords(kind).key)).not.toContain('history.other')
  expect(JSON.stringify(detail?.history)).not.toContain('task-')
})

test('the statement pages through every line once, newest first, each with its balances', async () => {
  await world().start(await world().openAccount(10))
  const accountId = await world().openAccount(10)
  for (let n = 0; n < 3; n += 1) await world().runToQuiet(await world().start(accountId))
  const lines: LedgerEntryView[] = []
  let cursor: string | undefined
  do {
    const page = await readStatement(world().deps, accountId, { limit: 3, cursor })
    lines.push(...page.data.map((line) => LedgerEntryView.parse(line)))
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)

  expect(lines.map(({ seq }) => seq)).toEqual([7, 6, 5, 4, 3, 2, 1])
  expect(lines.at(-1)).toMatchObject({ kind: 'granted', amount: 10, available_after: 10 })
  expect(lines[0]).toMatchObject({
    kind: 'settled',
    available_after: 7,
    held_after: 0,
    spent_after: 3,
  })
})

test.each(['x', '-1', '1e9', '99999999999', ''])(
  'a statement’s cursor of %j starts at the newest line',
  async (cursor) => {
    const accountId = await world().openAccount(10)
    expect((await readStatement(world().deps, accountId, { limit: 3, cursor })).data).toHaveLength(
      1,
    )
  },
)

test('an artwork that is lost is missed in the log, and reads as absent', async () => {
  const key = await world().start(await world().openAccount())
  await world().runToQuiet(key)
  const deps = {
    ...world().deps,
    images: { ...world().images, get: () => Promise.resolve(undefined) },
  }
  expect(await readImage(deps, key.accountId, key.id)).toBeUndefined()
  expect(world().logged).toContainEqual(expect.objectContaining({ msg: 'artwork lost' }))
})
