import { writeSync } from 'node:fs'
import { environment } from '@/lib/env'
import { mortal } from '@/test/mortal'
import { createWorkerDeps } from '@/worker/deps'
import { runLoop } from '@/worker/loop'

// A real worker that kills itself with SIGKILL at its n-th effect on the world: no handler runs, no
// buffer is flushed, nothing is told to anybody. Its last word is where it died.

const [n = '1', when = 'before'] = process.argv.slice(2)
const side = when === 'after' ? 'after' : 'before'

const { worker } = mortal(
  await createWorkerDeps(environment()),
  Number(n),
  side,
  (effect): never => {
    writeSync(1, `killed ${side} ${effect}\n`)
    process.kill(process.pid, 'SIGKILL')
    throw new Error('not reached')
  },
)
await runLoop(worker, environment().WORKER_CONCURRENCY, new AbortController().signal)
