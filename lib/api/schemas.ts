import { z } from 'zod'
import { AttemptView, BalanceView, LedgerEntryView } from '@/lib/web/views'
import { NewAttempt } from './new-attempt'
import { Problem } from './problem'

// The shapes of the API by the names that its description gives them. They are the very schemas that
// the server's answers are made of, and that what comes in is checked with.

const Model = z.object({
  id: z.string(),
  name: z.string(),
  provider: z.string(),
  price: z.int().meta({ description: 'In credits, for one image.' }),
  settings: z
    .record(z.string(), z.unknown())
    .meta({ description: 'A JSON Schema for the settings among the members of a new attempt.' }),
})

const Cancellation = z.object({
  cancelled: z
    .boolean()
    .meta({ description: 'It is certain that nothing was made, and the reservation is released.' }),
  requested: z.boolean().meta({ description: 'The provider was asked to stop.' }),
  attempt: AttemptView,
})

const ReferenceImage = z.object({
  sha256: z
    .string()
    .meta({ description: 'For `referenceImages` of a new attempt: of its bytes, in hexadecimal.' }),
  content_type: z.enum(['image/png', 'image/jpeg', 'image/webp']),
  size_bytes: z.int(),
})

const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'For the page after this one; null when there is none.' }),
  })

const input = { NewAttempt }
const output = {
  Attempt: AttemptView,
  AttemptPage: pageOf(AttemptView),
  Balance: BalanceView,
  Cancellation,
  LedgerEntry: LedgerEntryView,
  LedgerPage: pageOf(LedgerEntryView),
  Model,
  ModelPage: pageOf(Model),
  Problem,
  ReferenceImage,
}

export type SchemaName = keyof typeof input | keyof typeof output

export const refTo = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` }) as const

/** All of them as JSON Schema 2020-12, referring to each other. */
export function componentSchemas(): Readonly<Record<string, unknown>> {
  return { ...jsonSchemas(input, 'input'), ...jsonSchemas(output, 'output') }
}

function jsonSchemas(schemas: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output') {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id })
  const document = z.toJSONSchema(registry, { io, uri: (id) => `#/components/schemas/${id}` })
  return Object.fromEntries(
    Object.entries(document.schemas).map(([id, schema]) => {
      // The document says these two for all of them.
      const own = Object.entries(schema).filter(([name]) => name !== '$schema' && name !== '$id')
      return [id, Object.fromEntries(own)] as const
    }),
  )
}
