import { expect, test } from 'vitest'
import { Email, normaliseEmail } from './email'

test.each([['ada@example.com'], ['  ADA@Example.COM '], ['Ada@example.com\n']])(
  '%j is one and the same address',
  (written) => {
    expect(Email.parse(written)).toBe('ada@example.com')
    expect(normaliseEmail(written)).toBe('ada@example.com')
  },
)

test.each([
  ['', 'Write an e-mail address'],
  ['ada', 'Write an e-mail address'],
  ['ada@', 'Write an e-mail address'],
  ['a b@example.com', 'Write an e-mail address'],
  [`${'a'.repeat(250)}@example.com`, ''],
  [undefined, 'Write your e-mail address.'],
  [7, 'Write your e-mail address.'],
])('refuses %j and says what is expected', (written, words) => {
  const { success, error } = Email.safeParse(written)
  expect(success).toBe(false)
  expect(error?.issues[0]?.message).toContain(words)
})
