import { givenArguments } from './cli/command-line'
import { runCli } from './cli/run'

process.exitCode = await runCli(givenArguments(process.argv), {
  out: console.log,
  err: console.error,
})
