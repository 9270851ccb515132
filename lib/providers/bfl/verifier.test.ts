import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { bflVerifier } from './verifier'

const SECRET = 'the-secret-of-one-attempt'

function callback(body: unknown, changes: { secret?: string; signature?: string | null } = {}) {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const hex = createHmac('sha256', changes.secret ?? SECRET)
    .update(bytes)
    .digest('hex')
  const signature = changes.signature === undefined ? `sha256=${hex}` : changes.signature
  return {
    header: (name: string) => (name === 'x-bfl-signature' ? signature : null),
    body: bytes,
    now: new Date(0),
    attemptSecret: SECRET,
  }
}

test.each<readonly [object, string | undefined]>([
  [{ id: 't1', status: 'Ready' }, 'succeeded'],
  [{ task_id: 't1', status: 'SUCCESS' }, 'succeeded'],
  [{ id: 't1', status: 'Error' }, 'failed'],
  [{ task_id: 't1', status: 'FAILED' }, 'failed'],
  [{ id: 't1', status: 'Content Moderated' }, 'failed'],
  [{ id: 't1', status: 'Request Moderated' }, 'failed'],
  [{ id: 't1', status: 'Pending' }, 'working'],
  [{ id: 't1', status: 'Pondering' }, undefined],
  [{ id: 't1', status: 'constructor' }, undefined],
  [{ id: 't1' }, undefined],
])('%j claims %s', async (body, claims) => {
  const verified = await bflVerifier.verify(callback(body))
  expect(verified).toMatchObject({ taskId: 't1' })
  expect(verified?.claims).toBe(claims)
})

test('every try to deliver one end has the same name, and another end has another', async () => {
  const nameOf = async (body: object) => (await bflVerifier.verify(callback(body)))?.deliveryId
  const first = await nameOf({ id: 't1', status: 'Ready', timestamp: 1 })
  expect(await nameOf({ id: 't1', status: 'Ready', timestamp: 2 })).toBe(first)
  expect(await nameOf({ id: 't1', status: 'Error' })).not.toBe(first)
  expect(await nameOf({ id: 't2', status: 'Ready' })).not.toBe(first)
})

test('a genuine callback that cannot be read names no task', async () => {
  const verified = await bflVerifier.verify(callback('not JSON'))
  expect(verified).toMatchObject({ taskId: undefined, claims: undefined })
})

test.each<readonly [string, Parameters<typeof callback>[1]]>([
  ['signed with another attempt’s secret', { secret: 'the-secret-of-another' }],
  ['not signed', { signature: null }],
  ['signed with nothing', { signature: 'sha256=' }],
  ['signed in another form', { signature: 'a'.repeat(64) }],
  ['signed too shortly', { signature: `sha256=${'a'.repeat(63)}` }],
])('a callback that is %s is refused', async (_what, changes) => {
  const given = callback({ id: 't1', status: 'Ready' }, changes)
  expect(await bflVerifier.verify(given)).toBeUndefined()
})

test('without an attempt there is no secret, and nothing is genuine', async () => {
  const given = { ...callback({ id: 't1', status: 'Ready' }), attemptSecret: undefined }
  expect(await bflVerifier.verify(given)).toBeUndefined()
})
