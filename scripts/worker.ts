import { spawn } from 'node:child_process'
import { EnvironmentError, parseEnvironment } from '@/lib/env'
import { given } from './launch/plan'
import { FOLLOWING, following } from './launch/programs'
import { inRoot, root } from './launch/root'
import { loadDotEnv } from './launch/run-command'
import { readRunning } from './launch/running'

// `npm run worker`: one worker and nothing else, for a database and a web app that run elsewhere.
// Beside `WORKER=external npm start` on the same machine it finds the embedded database by itself.

function findEnvironment(): NodeJS.ProcessEnv {
  const mode = process.env.NODE_ENV === 'development' ? 'development' : 'production'
  const own: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: mode, ...following() }
  if (given(own['DATABASE_URL']) !== undefined) return own
  return { ...own, ...readRunning(inRoot(given(own['DATA_DIR']) ?? '.data')) }
}

async function runWorker(env: NodeJS.ProcessEnv): Promise<number> {
  parseEnvironment(env)
  const args = [...FOLLOWING, '--import', 'tsx', inRoot('worker', 'main.ts')]
  // A group of its own, so that Ctrl-C reaches it once, through us.
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit', detached: true })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill('SIGTERM'))
  }
  return await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

loadDotEnv()
try {
  process.exit(await runWorker(findEnvironment()))
} catch (error) {
  console.error(error instanceof EnvironmentError ? error.message : error)
  process.exit(1)
}
