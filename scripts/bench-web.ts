import { runBrowser } from './testing/run-browser'

// What each page costs its visitor, measured in a browser on a slow machine.
process.exit(runBrowser('web-vitals'))
