import { isRecord } from './browser-storage'

// Answers are checked before they are believed. These few lines do it in the browser, where a whole
// library for it would be a sixth of everything that a page loads.

export type Check = (value: unknown) => boolean

export const isText: Check = (value) => typeof value === 'string'
export const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value)
export const isWhole: Check = (value) => Number.isSafeInteger(value)
export const isBoolean: Check = (value) => typeof value === 'boolean'
export const isTime: Check = (value) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value))
export const isAnything: Check = () => true

export const oneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)
export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)

/** An object that has at least these, each of its kind. A field that the type has and this lacks does not compile. */
export function shaped<Value>(shape: { readonly [Field in keyof Value]-?: Check }): (
  value: unknown,
) => value is Value {
  const fields: readonly (readonly [string, Check])[] = Object.entries(shape)
  return (value): value is Value =>
    isRecord(value) && fields.every(([name, check]) => check(value[name]))
}
