import { expect, test } from 'vitest'
import { accepted } from '@/test/fake-provider-server'
import { openWorld } from '@/test/world'
import { doubtUnsent } from './doubt-unsent'
import { takeNextAction } from './take-next-action'

const world = openWorld()

test('what looks unsent in a restored database is never sent, and waits for evidence', async () => {
  world().provider.answer('submit', accepted)
  const account = await world().openAccount(10)
  const queued = await world().start(account)
  const sent = await world().start(account)
  await world().step(sent)
  const before = await world().attempt(sent)

  expect(await doubtUnsent(world().deps, 'operator:test')).toEqual([queued.id])
  await world().runToQuiet(queued)

  expect(world().provider.posts()).toBe(1)
  expect(world().provider.tasksOf(queued.id)).toBe(0)
  expect(await world().attempt(queued)).toMatchObject({ state: 'status_unknown', settlement: null })
  expect(await world().attempt(sent)).toEqual(before)
  expect(await world().balance(account)).toMatchObject({ held: 2, spent: 0 })
})

test('a worker that had claimed it before sends nothing any more', async () => {
  world().provider.answer('submit', accepted)
  const account = await world().openAccount(10)
  const key = await world().start(account)
  const claimed = await world().claimOne(key)
  const posts = world().provider.posts()
  await doubtUnsent(world().deps, 'operator:test')
  await takeNextAction(world().deps, claimed)
  expect(world().provider.posts()).toBe(posts)
})
