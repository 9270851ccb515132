import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { generation } from '@/test/factories'
import { openWorld } from '@/test/world'
import { startAttempt } from './start-attempt'

// What is too large is refused before anything is held, by a sentence that names the limit.

const world = openWorld()

const LIMIT = 4_000

test.each([
  ['a letter', 'x'],
  ['an emoji', '🦊'],
  ['a Chinese character', '狐'],
])('a prompt of the limit, each %s, is taken, and one more is refused', async (_what, letter) => {
  const accountId = await world().openAccount(5)
  const start = (length: number) =>
    startAttempt(world().deps, accountId, {
      requestId: randomUUID(),
      ...generation,
      prompt: letter.repeat(length),
    })
  for (const length of [LIMIT + 1, 100_000]) {
    const refused = await start(length)
    expect(refused).toMatchObject({ ok: false, refusal: { fields: [{ field: 'prompt' }] } })
    expect(JSON.stringify(refused)).toMatch(/4,?000/)
  }
  expect(await world().rows('select from attempt where account_id = $1', accountId)).toEqual([])
  expect(world().provider.posts()).toBe(0)
  expect(await world().balance(accountId)).toEqual({ available: 5, held: 0, spent: 0 })

  expect((await start(LIMIT)).ok).toBe(true)
  expect((await start(LIMIT - 1)).ok).toBe(true)
})
