import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { EVERYTHING, type GalleryQuery } from '@/lib/domain/gallery'
import type { AttemptKey } from '@/lib/domain/attempt'
import type { AccountId } from '@/lib/domain/ids'
import { copyKeyOf } from '@/lib/storage/object-keys'
import { acceptedAndReset, answering, errorBody } from '@/test/fake-provider-server'
import { openWorld } from '@/test/world'
import { deletePictures, setFavourites, sweepDeletedPictures } from './keep-pictures'
import { packPictures } from './pack-pictures'
import { readGallery } from './read-gallery'
import { readAttemptDetail, readImage, readRecentAttempts } from './read-attempts'
import {
  readShared,
  readSharedImage,
  readShare,
  sharePicture,
  withdrawShare,
} from './share-picture'

// Finding pictures, and what their owner does with them. Never another's, and never the ledger.

const world = openWorld()

const show = async (accountId: AccountId, query: Partial<GalleryQuery> = {}, limit = 100) =>
  (await readGallery(world().deps, accountId, { ...EVERYTHING, ...query }, { limit })).data

const promptsOf = async (accountId: AccountId, query: Partial<GalleryQuery>) =>
  (await show(accountId, query)).map(({ attempt }) => attempt.prompt)

async function delivered(accountId: AccountId, prompt = 'a red fox'): Promise<AttemptKey> {
  const key = await world().start(accountId, { prompt })
  await world().runToQuiet(key)
  return key
}

const objectKeyOf = async ({ id }: AttemptKey) =>
  String(
    (await world().rows('select object_key from artwork where attempt_id = $1', id))[0]?.[
      'object_key'
    ],
  )

const everythingAbout = (key: AttemptKey) =>
  world().rows(
    `select to_jsonb(t) as attempt,
            (select jsonb_agg(e order by e.seq) from attempt_event e where e.attempt_id = t.id) as history,
            (select jsonb_agg(l order by l.seq) from ledger_entry l where l.attempt_id = t.id) as lines,
            (select to_jsonb(w) from artwork w where w.attempt_id = t.id) as artwork,
            (select to_jsonb(a) from account a where a.id = t.account_id) as account
     from attempt t where t.id = $1`,
    key.id,
  )

test('each choice shows the attempts in its states, and together they show all', async () => {
  const accountId = await world().openAccount()
  const done = await delivered(accountId, 'done')
  world().provider.answer('submit', answering(422, errorBody('content_policy')))
  const refused = await delivered(accountId, 'refused')
  world().provider.answer('submit', acceptedAndReset)
  const lost = await delivered(accountId, 'lost')
  world().provider.reset()
  const queued = await world().start(accountId, { prompt: 'queued' })
  await setFavourites(world().deps, accountId, [done.id], true)

  const ids = async (query: Partial<GalleryQuery>) =>
    (await show(accountId, query)).map(({ attempt }) => attempt.id)
  expect(await ids({})).toEqual([queued.id, lost.id, refused.id, done.id])
  expect(await ids({ order: 'oldest' })).toEqual([done.id, refused.id, lost.id, queued.id])
  expect(await ids({ show: 'delivered' })).toEqual([done.id])
  expect(await ids({ show: 'in-progress' })).toEqual([queued.id])
  expect(await ids({ show: 'unresolved' })).toEqual([lost.id])
  expect(await ids({ show: 'failed' })).toEqual([refused.id])
  expect(await ids({ show: 'favourites' })).toEqual([done.id])
  expect((await show(accountId)).map(({ favourite }) => favourite)).toEqual([
    false,
    false,
    false,
    true,
  ])
})

test('a search finds every word in whatever case and order, and takes what it is given literally', async () => {
  const accountId = await world().openAccount()
  for (const prompt of ['A Red Fox in snow', '100% fox', 'a_b', '雪山の朝', 'café', '😀 party'])
    await world().start(accountId, { prompt })
  expect(await promptsOf(accountId, { search: 'SNOW red' })).toEqual(['A Red Fox in snow'])
  expect(await promptsOf(accountId, { search: '%' })).toEqual(['100% fox'])
  expect(await promptsOf(accountId, { search: '_' })).toEqual(['a_b'])
  expect(await promptsOf(accountId, { search: '山' })).toEqual(['雪山の朝'])
  expect(await promptsOf(accountId, { search: 'cafe\u0301' })).toEqual(['café'])
  expect(await promptsOf(accountId, { search: '😀' })).toEqual(['😀 party'])
  expect(await promptsOf(accountId, { search: "' or true --" })).toEqual([])
  expect(await promptsOf(accountId, { search: '\\' })).toEqual([])
  expect(await promptsOf(await world().openAccount(), { search: 'fox' })).toEqual([])
})

test('the prompts have an index that such a search can use', async () => {
  const client = await world().owner.connect()
  try {
    await client.query('begin; set local enable_seqscan = off; set local enable_indexscan = off')
    const plan = await client.query(
      `explain select id from attempt where normalize(prompt, NFC) ilike $1
       and normalize(prompt, NFC) ilike $2`,
      ['%fox%', '%snow%'],
    )
    expect(JSON.stringify(plan.rows)).toContain('attempt_by_prompt')
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test.each(['newest', 'oldest'] as const)(
  'pages, %s first, hold each picture once',
  async (order) => {
    const accountId = await world().openAccount()
    const started: string[] = []
    for (let n = 0; n < 7; n += 1) started.push((await world().start(accountId)).id)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await readGallery(
        world().deps,
        accountId,
        { ...EVERYTHING, order },
        { limit: 3, cursor },
      )
      seen.push(...page.data.map(({ attempt }) => attempt.id))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toEqual(order === 'oldest' ? started : started.toReversed())
  },
)

test('a deleted picture is gone everywhere, and its attempt, history and money are as they were', async () => {
  const accountId = await world().openAccount()
  const [key, other] = [await delivered(accountId), await delivered(accountId)]
  const objectKey = await objectKeyOf(key)
  await setFavourites(world().deps, accountId, [key.id], true)
  const share = await sharePicture(world().deps, accountId, key.id, true)
  const token = share?.url.split('/').at(-1) ?? ''
  const before = await everythingAbout(key)

  expect(await deletePictures(world().deps, accountId, [key.id])).toEqual({
    ok: true,
    value: { deleted: [key.id] },
  })
  expect(await everythingAbout(key)).toEqual(before)
  expect(await world().images.get(objectKey)).toBeUndefined()
  expect(await world().images.get(copyKeyOf(objectKey, 'thumb'))).toBeUndefined()
  expect(await readImage(world().deps, accountId, key.id)).toBeUndefined()
  expect(await readShared(world().deps, token)).toBeUndefined()
  expect(await readShare(world().deps, accountId, key.id)).toBeUndefined()
  expect((await show(accountId)).map(({ attempt }) => attempt.id)).toEqual([other.id])
  expect(await show(accountId, { show: 'favourites' })).toEqual([])
  expect((await readRecentAttempts(world().deps, accountId)).attempts).toHaveLength(1)
  const detail = await readAttemptDetail(world().deps, accountId, key.id)
  expect(detail?.attempt).toMatchObject({
    status: 'delivered',
    artwork: null,
    settlement: 'settled',
  })
  expect(detail?.attempt.deleted_at).not.toBeNull()
  expect(detail?.entries.map(({ kind }) => kind)).toEqual(['reserved', 'settled'])
  expect((await readAttemptDetail(world().deps, accountId, other.id))?.older_id).toBeNull()
})

test('what was deleted stays deleted: nothing delivers, favours, shares or packs it again', async () => {
  const accountId = await world().openAccount()
  const key = await delivered(accountId)
  await deletePictures(world().deps, accountId, [key.id])
  await world().runToQuiet(key)

  expect(await setFavourites(world().deps, accountId, [key.id], true)).toMatchObject({
    value: { changed: 0 },
  })
  expect(await sharePicture(world().deps, accountId, key.id, true)).toBeUndefined()
  expect(await packPictures(world().deps, accountId, [key.id])).toMatchObject({
    refusal: { code: 'nothing' },
  })
  expect(await world().images.get(await objectKeyOf(key))).toBeUndefined()
  await expect(world().rows('delete from deleted_artwork')).rejects.toThrow(/append-only/)
  await expect(
    world().rows('update deleted_artwork set deleted_at = now() where attempt_id = $1', key.id),
  ).rejects.toThrow(/stays deleted/)
})

test('deleting again answers the same, and only the account’s own pictures are taken', async () => {
  const [accountId, stranger] = [await world().openAccount(), await world().openAccount()]
  const key = await delivered(accountId)
  const open = await world().start(accountId)
  expect(await deletePictures(world().deps, stranger, [key.id])).toMatchObject({
    value: { deleted: [] },
  })
  expect(await setFavourites(world().deps, stranger, [key.id], true)).toMatchObject({
    value: { changed: 0 },
  })
  expect(await readImage(world().deps, accountId, key.id)).toBeDefined()

  const ids = [key.id, open.id, randomUUID()]
  const all = await Promise.all(
    Array.from({ length: 10 }, () => deletePictures(world().deps, accountId, ids)),
  )
  for (const answer of all) expect(answer).toMatchObject({ value: { deleted: [key.id] } })
  expect(
    await world().rows('select from deleted_artwork where account_id = $1', accountId),
  ).toHaveLength(1)
  await world().runToQuiet(open)
  expect(await readImage(world().deps, accountId, open.id)).toBeDefined()
})

test.each([[[]], [['x']], ['all'], [Array.from({ length: 101 }, () => randomUUID())]])(
  'a choice like %j is refused',
  async (ids) => {
    const accountId = await world().openAccount()
    const refusal = { ok: false, refusal: { code: 'invalid-input' } }
    expect(await deletePictures(world().deps, accountId, ids)).toMatchObject(refusal)
    expect(await setFavourites(world().deps, accountId, ids, true)).toMatchObject(refusal)
  },
)

test('files that could not be removed are removed later, and a copy that came late too', async () => {
  const accountId = await world().openAccount()
  const key = await delivered(accountId)
  const objectKey = await objectKeyOf(key)
  const images = { ...world().images, remove: () => Promise.reject(new Error('the store is down')) }
  await deletePictures({ ...world().deps, images }, accountId, [key.id])
  expect(await readImage(world().deps, accountId, key.id)).toBeUndefined()
  expect(await world().images.get(objectKey)).toBeDefined()

  const left = () => world().rows('select from deleted_artwork where files_removed_at is null')
  await sweepDeletedPictures(world().deps)
  expect(await left()).not.toEqual([])
  await world().images.remove(copyKeyOf(objectKey, 'thumb'))
  await world().images.put(copyKeyOf(objectKey, 'thumb'), Buffer.from('late'))
  await world().rows('alter table deleted_artwork disable trigger deleted_artwork_guarded')
  await world().rows(`update deleted_artwork set deleted_at = deleted_at - interval '2 minutes'`)
  await world().rows('alter table deleted_artwork enable trigger deleted_artwork_guarded')
  await sweepDeletedPictures({ ...world().deps, images })
  expect(await left()).not.toEqual([])

  await sweepDeletedPictures(world().deps)
  expect(await left()).toEqual([])
  expect(await world().images.get(objectKey)).toBeUndefined()
  expect(await world().images.get(copyKeyOf(objectKey, 'thumb'))).toBeUndefined()
})

test('a favourite survives, comes and goes, and only pictures are favourites', async () => {
  const accountId = await world().openAccount()
  const key = await delivered(accountId)
  const open = await world().start(accountId)
  const ids = [key.id, open.id]
  for (const isOn of [true, true]) {
    expect(await setFavourites(world().deps, accountId, ids, isOn)).toMatchObject({
      value: { changed: 1 },
    })
  }
  expect(await show(accountId, { show: 'favourites' })).toHaveLength(1)
  await setFavourites(world().deps, accountId, ids, false)
  expect(await show(accountId, { show: 'favourites' })).toEqual([])
})

test('a link shows the picture to whoever has it, the prompt only if asked, until it is withdrawn', async () => {
  const key = await delivered(await world().openAccount(), 'a secret prompt')
  const share = (showsPrompt: boolean) =>
    sharePicture(world().deps, key.accountId, key.id, showsPrompt)
  const first = await share(false)
  const token = first?.url.split('/').at(-1) ?? ''
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(await readShared(world().deps, token)).toMatchObject({
    prompt: undefined,
    artwork: { url: `/s/${token}/image` },
  })
  expect(await readSharedImage(world().deps, token, 'full')).toMatchObject({
    contentType: 'image/png',
  })

  expect((await share(true))?.url).toBe(first?.url)
  expect((await readShared(world().deps, token))?.prompt).toBe('a secret prompt')
  const kept = JSON.stringify(
    await world().rows('select * from share where attempt_id = $1', key.id),
  )
  expect(kept).not.toContain(token)

  await withdrawShare(world().deps, key.accountId, key.id)
  expect(await readShared(world().deps, token)).toBeUndefined()
  expect(await readSharedImage(world().deps, token, 'full')).toBeUndefined()
  const second = await share(true)
  expect(second?.url).not.toBe(first?.url)
  expect(await readShared(world().deps, token)).toBeUndefined()
})

test('nobody shares, sees or withdraws another’s link, and a guessed one shows nothing', async () => {
  const [key, stranger] = [
    await delivered(await world().openAccount()),
    await world().openAccount(),
  ]
  const share = await sharePicture(world().deps, key.accountId, key.id, false)
  const token = share?.url.split('/').at(-1) ?? ''
  expect(await sharePicture(world().deps, stranger, key.id, true)).toBeUndefined()
  expect(await readShare(world().deps, stranger, key.id)).toBeUndefined()
  await withdrawShare(world().deps, stranger, key.id)
  expect(await readShared(world().deps, token)).toBeDefined()
  for (const guess of ['', 'x', '../1', token.slice(1), `${token}=`, 'A'.repeat(43)])
    expect(await readShared(world().deps, guess)).toBeUndefined()

  const open = await world().start(key.accountId)
  expect(await sharePicture(world().deps, key.accountId, open.id, false)).toBeUndefined()
  await world().rows(`update account set status = 'suspended' where id = $1`, key.accountId)
  expect(await readShared(world().deps, token)).toBeUndefined()
})

test('shared and withdrawn by many at once, a picture has at most one link', async () => {
  const key = await delivered(await world().openAccount())
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      n % 3 === 0
        ? withdrawShare(world().deps, key.accountId, key.id)
        : sharePicture(world().deps, key.accountId, key.id, n % 2 === 0),
    ),
  )
  const live = 'select from share where attempt_id = $1 and withdrawn_at is null'
  expect((await world().rows(live, key.id)).length).toBeLessThanOrEqual(1)
})

const archive = async (accountId: AccountId, ids: readonly string[]) => {
  const packed = await packPictures(world().deps, accountId, ids)
  if (!packed.ok) throw new Error(packed.refusal.code)
  return Buffer.from(await new Response(packed.value).arrayBuffer())
}

test('a download holds the account’s pictures whole, under names made of their prompts', async () => {
  const [accountId, stranger] = [await world().openAccount(), await world().openAccount()]
  const keys = [await delivered(accountId, '../雪 fox'), await delivered(accountId, '../雪 fox')]
  const foreign = await delivered(stranger, 'another')
  const zip = await archive(
    accountId,
    [...keys, ...keys, foreign].map(({ id }) => id),
  )
  expect(zip.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
  for (const key of keys) {
    expect(zip.includes(Buffer.from(`雪-fox-${key.id.slice(-8)}.png`))).toBe(true)
    expect(zip.includes((await world().images.get(await objectKeyOf(key))) ?? 'missing')).toBe(true)
  }
  expect(zip.includes('another')).toBe(false)
  expect(zip.includes('..')).toBe(false)
})

test('a download names what it could not read', async () => {
  const accountId = await world().openAccount()
  const [lost, kept] = [await delivered(accountId, 'lost'), await delivered(accountId, 'kept')]
  await world().images.remove(await objectKeyOf(lost))
  const zip = await archive(accountId, [lost.id, kept.id])
  expect(zip.includes('not-included.txt')).toBe(true)
  expect(zip.includes(`lost-${lost.id.slice(-8)}.png`)).toBe(true)
})

test('a download is bounded in number and weight, and of nothing there is none', async () => {
  const accountId = await world().openAccount()
  const many = Array.from({ length: 101 }, () => randomUUID())
  expect(await packPictures(world().deps, accountId, many)).toMatchObject({
    refusal: { code: 'too-many' },
  })
  expect(await packPictures(world().deps, accountId, ['x'])).toMatchObject({
    refusal: { code: 'nothing' },
  })
  const { id } = await delivered(accountId)
  expect(await packPictures(world().deps, accountId, [id], 10)).toMatchObject({
    refusal: { code: 'too-large' },
  })
})
