import { expect, test } from 'vitest'
import { looking } from '@/test/fake-provider-server'
import { openWorld } from '@/test/world'
import { lookAgain } from './look-again'
import { readAttemptNews } from './read-attempt-news'

const world = openWorld()

/** An attempt that its provider has, to be looked at in an hour. */
async function waiting() {
  world().provider.answer('status', looking('rendering'))
  const account = await world().openAccount(10)
  const key = await world().start(account)
  await world().step(key)
  await world().rows(
    `update attempt_work set due_at = app_now() + interval '1 hour', looked_at = null
     where attempt_id = $1`,
    key.id,
  )
  return key
}
const isDue = async (id: string) => {
  const [row] = await world().rows(
    'select due_at <= app_now() as due from attempt_work where attempt_id = $1',
    id,
  )
  return row?.['due']
}

test('its owner may have it looked at now', async () => {
  const key = await waiting()
  expect(await lookAgain(world().deps, key.accountId, key.id)).toBe(true)
  expect(await isDue(key.id)).toBe(true)
  expect(await lookAgain(world().deps, key.accountId, key.id)).toBe(false)
})

test('nobody else may, and learns nothing of it', async () => {
  const key = await waiting()
  const stranger = await world().openAccount(10)
  expect(await lookAgain(world().deps, stranger, key.id)).toBeUndefined()
  expect(await lookAgain(world().deps, stranger, 'no id')).toBeUndefined()
  expect(await readAttemptNews(world().deps, stranger, key.id)).toBeUndefined()
  expect(await isDue(key.id)).toBe(false)
})

test('what was not sent is not sent sooner', async () => {
  const account = await world().openAccount(10)
  const key = await world().start(account)
  await world().rows(
    `update attempt_work set due_at = app_now() + interval '1 hour' where attempt_id = $1`,
    key.id,
  )
  expect(await lookAgain(world().deps, account, key.id)).toBe(false)
  expect(await isDue(key.id)).toBe(false)
})
