import { expect, test } from 'vitest'
import { adminActNames, mayAct, mayAudit, mayReview, roles } from './role'

// A role that is new, or an act, is decided about here first.
const TABLE = {
  user: { reviews: false, audits: false, acts: [] },
  support: { reviews: true, audits: false, acts: ['look-again'] },
  admin: { reviews: true, audits: true, acts: adminActNames },
  auditor: { reviews: true, audits: true, acts: [] },
} as const

test.each(roles)('%s may do this and nothing else', (role) => {
  const { reviews, audits, acts } = TABLE[role]
  expect(mayReview(role)).toBe(reviews)
  expect(mayAudit(role)).toBe(audits)
  expect(adminActNames.filter((act) => mayAct(role, act))).toEqual(acts)
})
