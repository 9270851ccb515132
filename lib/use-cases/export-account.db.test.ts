import { expect, test } from 'vitest'
import { z } from 'zod'
import type { AccountId } from '@/lib/domain/ids'
import { pngBytes } from '@/test/images'
import { unzipStored } from '@/test/unzip'
import { openWorld } from '@/test/world'
import { createApiKey } from './api-keys'
import { exportAccount } from './export-account'
import { keepImageForReference } from './reference-images'
import { sharePicture } from './share-picture'

const world = openWorld()

async function unpacked(accountId: AccountId, deps = world().deps) {
  const zip = await new Response(exportAccount(deps, accountId)).arrayBuffer()
  const files = unzipStored(Buffer.from(zip))
  return {
    names: [...files.keys()].sort(),
    read: (name: string) => files.get(name) ?? Buffer.alloc(0),
  }
}

const Attempts = z.array(
  z.looseObject({
    prompt: z.string(),
    status: z.string(),
    picture: z.looseObject({ file: z.string() }).nullable(),
    history: z.array(z.looseObject({ at: z.string() })),
  }),
)

test('everything that is kept of an account is in it, and no secret', async () => {
  const accountId = await world().openAccount(30)
  const delivered = await world().start(accountId, { prompt: 'a red fox' })
  await world().runToQuiet(delivered)
  await world().start(accountId, { prompt: 'a grey heron' })
  const share = await sharePicture(world().deps, accountId, delivered.id, true)
  const key = await createApiKey(world().deps, accountId, 'my script')
  const reference = await keepImageForReference(world().deps, accountId, await pngBytes())
  if (!key.ok || !reference.ok || !share) throw new Error('nothing to export')

  const { names, read } = await unpacked(accountId)
  const attempts = Attempts.parse(JSON.parse(String(read('attempts.json'))))
  expect(attempts.map(({ prompt, status }) => [prompt, status])).toEqual([
    ['a grey heron', 'queued'],
    ['a red fox', 'delivered'],
  ])
  const file = attempts[1]?.picture?.file ?? ''
  expect(names).toEqual(
    [
      'README.txt',
      'account.json',
      'attempts.json',
      file,
      `reference-images/${reference.value.sha256}.png`,
      'statement.csv',
    ].sort(),
  )
  expect(read(file).subarray(1, 4).toString()).toBe('PNG')
  expect(attempts[1]?.history.length).toBeGreaterThan(3)

  const account = String(read('account.json'))
  expect(JSON.parse(account)).toMatchObject({
    email: `${accountId}@example.com`,
    name: 'Ada',
    credits: { available: 28, held: 1, spent: 1 },
    api_keys: [{ name: 'my script' }],
    shared_links: [{ attempt_id: delivered.id }],
  })
  const all = names
    .map(read)
    .map((bytes) => bytes.toString('latin1'))
    .join()
  expect(all).not.toContain(key.value.key)
  expect(all).not.toContain('argon2id')
  expect(String(read('statement.csv')).split('\r\n').length).toBeGreaterThan(3)
})

test('an account without anything has an archive too', async () => {
  const accountId = await world().openAccount(0)
  const { names, read } = await unpacked(accountId)
  expect(names).toEqual(['README.txt', 'account.json', 'attempts.json', 'statement.csv'])
  expect(JSON.parse(String(read('attempts.json')))).toEqual([])
})

test('what cannot be read is named, and another’s is never in it', async () => {
  const accountId = await world().openAccount(10)
  const other = await world().openAccount(10)
  await world().runToQuiet(await world().start(other, { prompt: 'another’s' }))
  await world().runToQuiet(await world().start(accountId, { prompt: 'mine' }))
  const images = { ...world().images, get: () => Promise.reject(new Error('down')) }
  const { names, read } = await unpacked(accountId, { ...world().deps, images })
  expect(names).toContain('not-included.txt')
  expect(String(read('not-included.txt'))).toMatch(/pictures\/.*mine/)
  expect(String(read('attempts.json'))).not.toContain('another’s')
})
