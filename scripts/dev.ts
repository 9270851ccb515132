import { runCommand } from './launch/run-command'

process.exit(await runCommand('development'))
