import { parseArgs } from 'node:util'
import { type z } from 'zod'
import type { AppDeps } from '@/lib/deps'
import { UsageError } from './cli-error'

/** What a command answers: what is printed, and whether all is well. */
export type CommandAnswer = { readonly output: unknown; readonly ok: boolean }

export type Command = {
  readonly words: readonly string[]
  readonly usage: string
  /** Throws `UsageError` before anything is done. */
  readonly prepare: (args: readonly string[]) => (deps: AppDeps) => Promise<CommandAnswer>
}

/** `input` names the options, and `id` when the command takes one argument. */
export function command<Shape extends z.ZodRawShape>(definition: {
  readonly words: readonly string[]
  readonly usage: string
  readonly input: z.ZodObject<Shape>
  readonly run: (deps: AppDeps, input: z.output<z.ZodObject<Shape>>) => Promise<CommandAnswer>
}): Command {
  const { words, usage, input, run } = definition
  return {
    words,
    usage,
    prepare: (args) => {
      const parsed = input.safeParse(readArguments(args, Object.keys(input.shape)))
      if (!parsed.success) throw new UsageError(issueWords(parsed.error))
      return (deps) => run(deps, parsed.data)
    },
  }
}

/** The answer of a command that did what it was asked to. */
export function done(output: unknown): CommandAnswer {
  return { output, ok: true }
}

function readArguments(args: readonly string[], names: readonly string[]) {
  const takesId = names.includes('id')
  const options = Object.fromEntries(
    names.filter((name) => name !== 'id').map((name) => [name, { type: 'string' }] as const),
  )
  try {
    const { values, positionals } = parseArgs({
      args: joinNegatives(args),
      options,
      allowPositionals: takesId,
      strict: true,
    })
    if (positionals.length > 1) throw new UsageError(`One id, not ${positionals.length}.`)
    return takesId ? { ...values, id: positionals[0] } : values
  } catch (error) {
    // An option that is not known, given without a value, or an argument too many.
    throw error instanceof TypeError ? new UsageError(error.message) : error
  }
}

/** `--amount -5` means what it says: to parseArgs -5 would be an option called 5. */
function joinNegatives(args: readonly string[]): string[] {
  return args.reduce<string[]>((joined, arg) => {
    const option = joined.at(-1)
    return option !== undefined && /^--[a-z-]+$/.test(option) && /^-\d+$/.test(arg)
      ? [...joined.slice(0, -1), `${option}=${arg}`]
      : [...joined, arg]
  }, [])
}

function issueWords(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => {
      const name = path.map(String).join('.')
      return name === 'id' ? `ID: ${message}` : `--${name}: ${message}`
    })
    .join('\n')
}
