// What `npm start`, `npm test`, `npm run dev` and `npm run worker` run: installs what is missing, then
// hands over to scripts/<command>.ts. It uses Node.js alone, because nothing else may be there yet.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { takeLock } from './lock.mjs'

const NODE_NEEDED = [20, 19]
const root = realpathSync(join(dirname(fileURLToPath(import.meta.url)), '..'))
const command = process.argv[2]

function fail(line) {
  console.error(line)
  // The last line of `npm test` is always this count.
  if (command === 'test') console.log('0 passed, 1 failed')
  process.exit(1)
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [neededMajor, neededMinor] = NODE_NEEDED
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return
  fail(
    `Node.js ${process.versions.node} is too old: Darkroom needs ${NODE_NEEDED.join('.')} or later. ` +
      'Install a newer one from https://nodejs.org, then run this again.',
  )
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages
  } catch {
    return undefined
  }
}

// npm leaves its own record of what it installed; an interrupted install leaves none.
function isInstalled() {
  const wanted = readPackages('package-lock.json')
  const installed = readPackages('node_modules/.package-lock.json')
  if (wanted === undefined || installed === undefined) return false
  const hasAll = Object.entries(wanted).every(([path, { version, optional, devOptional }]) => {
    if (path === '') return true
    if (installed[path] === undefined) return optional || devOptional
    return installed[path].version === version
  })
  return hasAll && Object.keys(installed).every((path) => wanted[path] !== undefined)
}

async function takeInstallLock() {
  const id = createHash('sha256').update(root).digest('hex').slice(0, 12)
  for (let told = false; ; told = true) {
    const lock = takeLock(join(tmpdir(), `darkroom-install-${id}.lock`))
    if (lock.release) return lock
    if (!told) console.error(`Waiting for the installation by process ${lock.heldBy} ...`)
    await pause(500)
  }
}

async function install() {
  if (isInstalled()) return
  const lock = await takeInstallLock()
  try {
    if (isInstalled()) return
    const first = !existsSync(join(root, 'node_modules'))
    console.error(`Installing packages (${first ? 'first start only, ' : ''}about a minute) ...`)
    // What builds and tests the app is needed whatever NODE_ENV says.
    const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
    const npm = process.env.npm_execpath
    const [program, ...options] = npm?.endsWith('.js')
      ? [process.execPath, npm, ...args]
      : ['npm', ...args]
    const { status, stdout, stderr, error } = spawnSync(program, options, {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32' && program === 'npm',
      maxBuffer: 64 * 1024 * 1024,
    })
    if (status !== 0)
      fail(`${stdout ?? ''}${stderr ?? ''}npm ci failed: ${error?.message ?? 'see above'}.`)
  } finally {
    lock.release()
  }
}

function generate() {
  const hash = createHash('sha256')
  for (const file of [
    'prisma/schema.prisma',
    'scripts/generate.mjs',
    'node_modules/prisma/package.json',
  ]) {
    hash.update(readFileSync(join(root, file)))
  }
  const wanted = hash.digest('hex')
  const stamp = join(root, 'lib/db/generated/.sources.sha256')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.error('Generating the database client ...')
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/generate.mjs')], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) fail('The database client could not be generated: see above.')
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}

checkNode()
if (command === undefined || !existsSync(join(root, 'scripts', `${command}.ts`))) {
  fail('Usage: npm start | npm test | npm run dev | npm run worker')
}
// So that a relative DATA_DIR means the same whatever folder this was called from.
process.chdir(root)
await install()
generate()
// In this very process, so that signals and exit codes need no passing on.
const { register } = await import('tsx/esm/api')
register()
await import(`./${command}.ts`)
