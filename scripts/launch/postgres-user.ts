import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { LaunchError } from './launch-error'

// PostgreSQL refuses to run as root, so root hands it to this user, as every Linux package does.
const OS_USER = 'postgres'

/** Who PostgreSQL runs as. Empty for an ordinary user, who runs it as himself. */
export type PostgresUser = {
  readonly ids?: { readonly uid: number; readonly gid: number }
  /** Put before each command line; see `findPrefix`. */
  readonly prefix: readonly string[]
}

type Reach = {
  /** Exists, and belongs to the user. */
  readonly folder: string
  /** A program to be run with `--version`. */
  readonly program: string
}

/** `dataDir` may not exist yet. */
export function findPostgresIds(dataDir: string): PostgresUser['ids'] {
  const self = userInfo().uid
  const owner = statSync(dataDir, { throwIfNoEntry: false })
  if (self !== 0) {
    if (owner === undefined || process.platform === 'win32' || owner.uid === self) return undefined
    throw new LaunchError(
      `${dataDir} belongs to another user (number ${owner.uid}). ` +
        'Start as that user, or choose another folder: DATA_DIR=… npm start',
    )
  }
  // Data that an ordinary user made stays that user's.
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  return findUser() ?? addUser()
}

function findUser(): PostgresUser['ids'] {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const { status, stdout } = spawnSync('id', [flag, OS_USER], { encoding: 'utf8' })
    return status === 0 ? Number.parseInt(stdout, 10) : undefined
  })
  return uid === undefined || gid === undefined ? undefined : { uid, gid }
}

function addUser(): PostgresUser['ids'] {
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', OS_USER])
  const ids = findUser()
  if (ids !== undefined) return ids
  throw new LaunchError(
    `PostgreSQL does not run as root and there is no user "${OS_USER}" to run it as. ` +
      `Run this as an ordinary user, or first: useradd --system ${OS_USER}`,
  )
}

/** Finds out by trying whether the user can get at PostgreSQL's programs and data. */
export function findPostgresUser(ids: PostgresUser['ids'], reach: Reach): PostgresUser {
  if (ids === undefined) return { prefix: [] }
  const plain = { ids, prefix: [] }
  if (canReach(plain, reach)) return plain
  for (const capability of ['dac_read_search', 'dac_override']) {
    const user = { prefix: findPrefix(ids, capability) }
    if (canReach(user, reach)) return user
  }
  throw new LaunchError(
    `PostgreSQL does not run as root, and the user it runs as may not enter ${reach.folder} ` +
      `or ${reach.program}. Run this as an ordinary user, or from a folder that others may enter.`,
  )
}

// A clone under /root is closed to everyone else. This lets PostgreSQL alone pass through folders
// that only root may enter; its data still belongs to it and stays where it was asked to be.
// Containers often lack the narrower capability and have the wider one.
function findPrefix(ids: { uid: number; gid: number }, capability: string): readonly string[] {
  return [
    'setpriv',
    `--reuid=${ids.uid}`,
    `--regid=${ids.gid}`,
    '--clear-groups',
    `--inh-caps=-all,+${capability}`,
    `--ambient-caps=-all,+${capability}`,
    `--bounding-set=-all,+${capability}`,
    // Otherwise access(2), by which PostgreSQL looks for its own programs, ignores the capability.
    '--securebits=+no_setuid_fixup',
    '--',
  ]
}

function canReach(user: PostgresUser, { folder, program }: Reach): boolean {
  const script = 'cd "$1" && "$2" --version'
  const { command, args } = commandFor(user, '/bin/sh', ['-c', script, 'sh', folder, program])
  const { status } = spawnSync(command, args, {
    cwd: '/',
    stdio: 'ignore',
    ...user.ids,
  })
  return status === 0
}

/** The command line that runs a program as this user. */
export function commandFor(
  { prefix: [wrapper, ...options] }: PostgresUser,
  program: string,
  args: readonly string[],
): { readonly command: string; readonly args: readonly string[] } {
  if (wrapper === undefined) return { command: program, args }
  return { command: wrapper, args: [...options, program, ...args] }
}
