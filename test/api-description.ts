import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { z } from 'zod'
import { openApiDocument } from '@/lib/api/openapi'

const Described = z.object({
  responses: z.record(
    z.string(),
    z.object({
      content: z.record(z.string(), z.object({ schema: z.unknown().optional() })).optional(),
      headers: z.record(z.string(), z.object({ required: z.boolean() })).optional(),
    }),
  ),
})

const document = openApiDocument()
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats(ajv)
// So that what refers to another part of the document finds it.
ajv.addSchema(document, 'openapi')

const compiled = new Map<string, ValidateFunction>()
const seen = new Set<string>()

/** `operation status` of every answer that was given so far. */
export const answersSeen = (): ReadonlySet<string> => seen

/** `operation status` of every answer that the description names. */
export function answersDescribed(): readonly string[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      Object.keys(Described.parse(operation).responses).map(
        (status) => `${method.toUpperCase()} ${path} ${status}`,
      ),
    ),
  )
}

/** Fails unless the description names this answer, with this type, these headers and this shape. */
export function expectDescribed(answer: {
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly response: Response
  readonly type: string
  readonly body: unknown
}): void {
  const { path, method, response, type, body } = answer
  const operation = document.paths[path]?.[method.toLowerCase()]
  // What is not described is refused, and 405 is the answer of a whole address.
  if (operation === undefined) {
    expect(response.status, `${method} ${path}`).toBe(405)
    return
  }
  const name = `${method} ${path} ${response.status}`
  seen.add(name)
  const described = Described.parse(operation).responses[String(response.status)]
  if (!described) throw new Error(`${name} is not described`)
  for (const [header, { required }] of Object.entries(described.headers ?? {})) {
    expect(!required || response.headers.has(header), `${name} has ${header}`).toBe(true)
  }
  const content = described.content ?? {}
  if (Object.keys(content).length === 0) return
  expect(Object.keys(content), name).toContain(type)
  if (content[type]?.schema === undefined) return
  const pointer = [
    'paths',
    path,
    method.toLowerCase(),
    'responses',
    String(response.status),
    'content',
    type,
    'schema',
  ]
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/')
  const validate = compiled.get(name) ?? ajv.compile({ $ref: `openapi#/${pointer}` })
  compiled.set(name, validate)
  validate(body)
  expect(validate.errors ?? [], name).toEqual([])
}
