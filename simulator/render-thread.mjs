// A thread does not inherit the loader that lets its parent run TypeScript, so it registers its own.
import { register } from 'tsx/esm/api'

register()
await import('./render-thread.ts')
