import { runAlone } from './launch/run-alone'

// `npm run worker`: one worker and nothing else.
process.exit(await runAlone('worker'))
