import { readdirSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { openApiDocument } from './openapi'

test('the description is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator()
  const result = await validator.validate({ ...openApiDocument() })
  expect(result.errors).toBeUndefined()
  expect(result.valid).toBe(true)
  expect(validator.version).toBe('3.1')
})

test('every address that there is a handler for is described, and no other', () => {
  const handled = readdirSync('app/api/v1', { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('route.ts') && !path.startsWith('[...path]'))
    .map((path) => `/api/v1/${path.replace('/route.ts', '').replace('[id]', '{id}')}`)
  expect(Object.keys(openApiDocument().paths).sort()).toEqual(handled.sort())
})

test('every operation has a name of its own', () => {
  const names = Object.values(openApiDocument().paths).flatMap((operations) =>
    Object.values(operations).map(
      (operation) => JSON.stringify(operation).match(/"operationId":"(\w+)"/)?.[1],
    ),
  )
  expect(new Set(names).size).toBe(names.length)
  expect(names).not.toContain(undefined)
})
