import { z } from 'zod'
import { operations, type Answer, type DescribedOperation } from './operations'
import { statusOf, type ProblemCode } from './problem'
import { componentSchemas, refTo } from './schemas'

// What any call that needs a key may be answered with.
const ALWAYS: readonly ProblemCode[] = ['unauthorized', 'internal_error', 'unavailable']

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const

/** The API as an OpenAPI 3.1 document, made of the schemas that the server itself uses. */
export function openApiDocument() {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: operationObject(operation),
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Darkroom',
      version: '1.0.0',
      summary: 'Generate AI images and pay with credits.',
      description:
        'One Idempotency-Key is one intended generation, at most one provider task and at most ' +
        'one charge. Errors are problem documents (RFC 9457) with a stable `code`.',
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of an account: `Authorization: Bearer dk_…`.',
        },
      },
      schemas: componentSchemas(),
    },
  }
}

function operationObject(operation: DescribedOperation) {
  const { operationId, summary, description, body, open } = operation
  const parameters = parametersOf(operation)
  return {
    operationId,
    summary,
    ...(description && { description }),
    ...(open && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: contentOf(body) },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.answers).map(([status, answer]) => [status, answerObject(answer)]),
      ),
      ...problemResponses([...(open ? [] : ALWAYS), ...operation.problems]),
    },
  }
}

function parametersOf({ path, headers = {}, query }: DescribedOperation) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  }))
  const inHeader = Object.entries(headers).map(([name, { required, description, uuid }]) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string', ...(uuid && { format: 'uuid' }) },
  }))
  return [...inPath, ...inHeader, ...(query ? queryParameters(query) : [])]
}

const Properties = z.object({ properties: z.record(z.string(), z.record(z.string(), z.unknown())) })

function queryParameters(query: z.ZodObject) {
  // The output side: as a number or a UUID, not as the text that an address is made of.
  const { properties } = Properties.parse(z.toJSONSchema(query, { io: 'output' }))
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema,
  }))
}

function answerObject({ description, body, headers = {} }: Answer) {
  return {
    description,
    ...(body && { content: contentOf(body) }),
    ...(Object.keys(headers).length > 0 && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, words]) => [
          name,
          { description: words, required: true, schema: { type: 'string' } },
        ]),
      ),
    }),
  }
}

function contentOf(body: NonNullable<Answer['body']>) {
  if (body === 'image') return Object.fromEntries(IMAGE_TYPES.map((type) => [type, {}]))
  const schema = body === 'document' ? { type: 'object' } : refTo(body)
  return { 'application/json': { schema } }
}

/** One response for each status, which names the codes that it comes with. */
function problemResponses(codes: readonly ProblemCode[]) {
  const statuses = [...new Set(codes.map(statusOf))]
  return Object.fromEntries(
    statuses.map((status) => {
      const codesOfStatus = codes.filter((code) => statusOf(code) === status)
      return [
        String(status),
        {
          description: codesOfStatus.map((code) => `\`${code}\``).join(' or '),
          ...(status === 503 && {
            headers: {
              'Retry-After': {
                description: 'In seconds.',
                required: true,
                schema: { type: 'integer' },
              },
            },
          }),
          content: {
            'application/problem+json': {
              schema: {
                allOf: [refTo('Problem')],
                properties: { status: { const: status }, code: { enum: codesOfStatus } },
              },
            },
          },
        },
      ]
    }),
  )
}
