import { expect, test } from 'vitest'
import { needsApproval, stricter, whyNotDecide } from './approval'
import { AccountId } from './ids'

const ada = AccountId.parse('01890000-0000-7000-8000-000000000001')
const grace = AccountId.parse('01890000-0000-7000-8000-000000000002')

test('what is above the threshold needs a second admin, given or taken', () => {
  expect([100, 101, -100, -101].map((credits) => needsApproval(credits, 100))).toEqual([
    false,
    true,
    false,
    true,
  ])
  expect(needsApproval(1, 0)).toBe(true)
  expect(needsApproval(1_000_000, undefined)).toBe(false)
})

test('of two thresholds the one counts that lets less through', () => {
  expect([stricter(5, 3), stricter(undefined, 3), stricter(0, undefined)]).toEqual([3, 3, 0])
  expect(stricter(undefined, undefined)).toBeUndefined()
})

test('only somebody else decides, and once', () => {
  const open = { requestedBy: ada, decision: null }
  expect(whyNotDecide(open, ada)).toContain('another admin')
  expect(whyNotDecide(open, grace)).toBeUndefined()
  expect(whyNotDecide({ ...open, decision: 'rejected' }, grace)).toBe('It was rejected already.')
})
