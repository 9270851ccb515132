import { runAlone } from './launch/run-alone'

// `npm run web`: one web server and nothing else. Any number of them share one database.
process.exit(await runAlone('web'))
