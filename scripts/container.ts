import { runCli } from './cli/run'
import { messageOf } from './launch/launch-error'
import { withNames } from './launch/program-environment'
import { migrate } from './migrate'

// What the image runs: one program in this very process, so that signals reach it. Nothing is
// installed, built or looked for first: the image is whole, and its files cannot be written.

const [, , program = 'web', ...args] = process.argv
Object.assign(process.env, withNames(process.env))

switch (program) {
  case 'web':
    await import('@/web/main')
    break
  case 'worker':
    await import('@/worker/main')
    break
  case 'simulator':
    await import('@/simulator/main')
    break
  case 'migrate':
    await migrate().catch((error: unknown) => {
      console.error(messageOf(error))
      process.exitCode = 1
    })
    break
  case 'cli':
    process.exitCode = await runCli(args, { out: console.log, err: console.error })
    break
  default:
    console.error('Usage: web | worker | migrate | simulator | cli …')
    process.exitCode = 2
}
