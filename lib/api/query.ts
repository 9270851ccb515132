import { z } from 'zod'
import { AttemptStateName } from '@/lib/domain/attempt'
import { RequestId } from '@/lib/domain/ids'
import { ok, refuse, type Result } from '@/lib/domain/result'
import { problemsOf } from './field-problems'
import { problemAnswer } from './problem'

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100

const LIMIT_WORDS = `expected a whole number from 1 to ${LIMIT_MAX}`
const CURSOR_WORDS = 'expected the next_cursor of an answer'

const Limit = z
  .string()
  .regex(/^\d{1,3}$/, LIMIT_WORDS)
  .transform(Number)
  .pipe(z.int().min(1, LIMIT_WORDS).max(LIMIT_MAX, LIMIT_WORDS))
  .default(LIMIT_DEFAULT)
  .meta({ description: 'How many at most.' })

export const AttemptsQuery = z.object({
  request_id: RequestId.optional().meta({ description: 'The attempt of this request id, if any.' }),
  state: AttemptStateName.optional().meta({ description: 'Only attempts in this state.' }),
  cursor: z
    .uuid(CURSOR_WORDS)
    .optional()
    .meta({ description: 'The `next_cursor` of the page before.' }),
  limit: Limit,
})

export const LedgerQuery = z.object({
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, CURSOR_WORDS)
    .optional()
    .meta({ description: 'The `next_cursor` of the page before.' }),
  limit: Limit,
})

/**
 * The query parameters, or the answer that names each that cannot be used. An empty one counts as
 * left out; one that is given twice is refused, because which of the two was meant is a guess.
 */
export function readQuery<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  url: URL,
): Result<z.output<z.ZodObject<Shape>>, Response> {
  const names = Object.keys(schema.shape)
  const twice = names.filter((name) => url.searchParams.getAll(name).length > 1)
  if (twice.length > 0) {
    const errors = twice.map((field) => ({ field, message: 'given more than once' }))
    return refuse(problemAnswer('invalid_input', { errors }))
  }
  const given = names.flatMap((name) => {
    const value = url.searchParams.get(name)
    return value === null || value === '' ? [] : [[name, value] as const]
  })
  const parsed = schema.safeParse(Object.fromEntries(given))
  if (parsed.success) return ok(parsed.data)
  return refuse(problemAnswer('invalid_input', { errors: problemsOf(parsed.error) }))
}
