import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { drills } from '@/lib/domain/drill'
import { faultNames } from '@/simulator/drills'
import { openWorld } from '@/test/world'
import type { Admin } from './perform-admin-act'
import { startDrill } from './start-drill'

const world = openWorld()

async function openAdmin(role: Admin['role'] = 'admin', credits = 10): Promise<Admin> {
  const accountId = await world().openAccount(credits)
  return { accountId, email: `${accountId}@example.com`, role }
}

test('every drill is a fault that the simulator knows', () => {
  for (const { fault } of drills) expect(faultNames).toContain(fault)
})

test('a drill is an attempt of the admin’s own, and one however often it is asked for', async () => {
  const admin = await openAdmin()
  const asked = { requestId: randomUUID(), fault: 'lost-answer' }
  const started = await startDrill(world(), admin, asked)
  expect(await startDrill(world(), admin, asked)).toEqual(started)
  const rows = await world().rows(
    'select id, prompt from attempt where account_id = $1',
    admin.accountId,
  )
  expect(rows).toEqual([
    { id: started.ok && started.value.id, prompt: 'A drill of ours #drill:lost-answer' },
  ])
})

test('nobody but an admin starts one, nor without the simulator, nor without credits', async () => {
  const asked = { requestId: randomUUID(), fault: 'slow' }
  for (const role of ['user', 'support', 'auditor'] as const) {
    expect(await startDrill(world(), await openAdmin(role), asked)).toMatchObject({
      refusal: { code: 'not-admin' },
    })
  }
  const admin = await openAdmin()
  expect(await startDrill(world(), admin, { ...asked, fault: 'none' })).toMatchObject({
    refusal: { code: 'invalid' },
  })
  expect(await startDrill({ ...world(), models: [] }, admin, asked)).toMatchObject({
    refusal: { message: 'The simulator is off: there is nothing to drill.' },
  })
  expect(await startDrill(world(), await openAdmin('admin', 0), asked)).toMatchObject({
    refusal: { code: 'not-possible' },
  })
})
