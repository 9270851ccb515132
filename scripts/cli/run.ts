import { isDatabaseUnavailable } from '@/lib/db/unavailable'
import { EnvironmentError } from '@/lib/env'
import { messageOf } from '@/scripts/launch/launch-error'
import { accountCommands } from './account-commands'
import { attemptCommands } from './attempt-commands'
import { creditCommands } from './credit-commands'
import { imageCommands } from './image-commands'
import { CliError, UsageError } from './cli-error'
import type { Command } from './command'
import { openDeps } from './open-deps'

const EXIT_REFUSED = 1
const EXIT_USAGE = 2

const commands: readonly Command[] = [
  ...accountCommands,
  ...creditCommands,
  ...attemptCommands,
  ...imageCommands,
]

type Streams = {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

/** One command, from its words to its exit code: JSON on the one stream, reasons on the other. */
export async function runCli(
  args: readonly string[],
  { out, err }: Streams,
  open: typeof openDeps = openDeps,
): Promise<number> {
  if (args.length === 0 || args.includes('--help') || args[0] === 'help') {
    const isAsked = args.length > 0
    ;(isAsked ? out : err)(usage(commands))
    return isAsked ? 0 : EXIT_USAGE
  }
  const found = commands.find(({ words }) => words.every((word, index) => args[index] === word))
  try {
    if (!found) throw new UsageError(`There is no command \`${args.slice(0, 2).join(' ')}\`.`)
    const run = found.prepare(args.slice(found.words.length))
    const deps = open()
    try {
      const { output, ok } = await run(deps)
      out(JSON.stringify(output, null, 2))
      return ok ? 0 : EXIT_REFUSED
    } finally {
      await deps.trace.close()
      await deps.db.close()
    }
  } catch (error) {
    err(reasonOf(error, found))
    return error instanceof UsageError ? EXIT_USAGE : EXIT_REFUSED
  }
}

function reasonOf(error: unknown, found: Command | undefined): string {
  if (error instanceof UsageError) return `${error.message}\n${usage(found ? [found] : commands)}`
  if (error instanceof CliError || error instanceof EnvironmentError) return error.message
  if (isDatabaseUnavailable(error)) {
    return `The database does not answer (${messageOf(error)}). Is Darkroom running, or DATABASE_URL right?`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function usage(shown: readonly Command[]): string {
  return ['Usage:', ...shown.map((one) => `  npm run -s cli -- ${one.usage}`)].join('\n')
}
