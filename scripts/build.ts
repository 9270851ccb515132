import { buildIfChanged } from './launch/build'
import { buildWeb } from './launch/run-alone'

// `npm run build`: what web servers give out, made when its sources changed.
await buildIfChanged({ say: console.log, build: buildWeb })
