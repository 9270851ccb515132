import { expect, test } from 'vitest'
import { assertNever, invariant, InvariantError } from './invariant'
import { ok, refuse } from './result'

test('a broken invariant throws with its words, a kept one does nothing', () => {
  for (const broken of [false, null, undefined, 0, '']) {
    expect(() => invariant(broken, 'it has a value')).toThrow(InvariantError)
    expect(() => invariant(broken, 'it has a value')).toThrow('it has a value')
  }
  expect(() => invariant(true, 'never seen')).not.toThrow()
})

test('an impossible value crashes and is named', () => {
  const crash = (): unknown => Reflect.apply(assertNever, undefined, [{ kind: 'new' }])
  expect(crash).toThrow('unexpected value: {"kind":"new"}')
})

test('an answer and a refusal cannot be taken for each other', () => {
  expect(ok(1)).toEqual({ ok: true, value: 1 })
  expect(refuse({ code: 'x' })).toEqual({ ok: false, refusal: { code: 'x' } })
})
