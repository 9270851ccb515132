import type { z } from 'zod'
import type { FieldProblem } from './problem'

/** Each issue under the name of its field; a member that nobody knows is a field of its own. */
export function problemsOf(error: z.ZodError): FieldProblem[] {
  return error.issues.flatMap((issue): FieldProblem[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((field) => ({ field, message: 'There is no such field.' }))
    }
    return [{ field: issue.path.map(String).join('.') || 'body', message: issue.message }]
  })
}
