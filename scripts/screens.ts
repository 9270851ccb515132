import { runBrowser } from './testing/run-browser'

// Takes the pictures in docs/screens anew: every page and every state of an attempt.
process.exit(runBrowser('screens'))
