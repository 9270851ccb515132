import { expect, test } from 'vitest'
import { openWorld } from '@/test/world'
import { readPrompts } from './read-prompts'

const world = openWorld()

test('an account reads its own prompts, the latest first, each once and exactly as typed', async () => {
  const account = await world().openAccount(100)
  const stranger = await world().openAccount(100)
  for (const prompt of ['  first\n ', 'second', '  first\n ', 'e\u0301 😀']) {
    await world().start(account, { prompt })
  }
  await world().start(stranger, { prompt: 'not yours' })
  expect(await readPrompts(world().deps, account)).toEqual(['e\u0301 😀', '  first\n ', 'second'])
})

test('no more than a hundred', async () => {
  const account = await world().openAccount(1_000)
  for (let number = 0; number < 101; number += 1) {
    await world().start(account, { prompt: `prompt ${number}` })
  }
  const prompts = await readPrompts(world().deps, account)
  expect([prompts.length, prompts[0], prompts.at(-1)]).toEqual([100, 'prompt 100', 'prompt 1'])
})
