// Lock files that outlive neither their process nor a reboot. Plain JavaScript, with types in
// lock.d.mts: bootstrap.mjs takes a lock before any package is installed.
import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

/** The command line of a running process, or undefined. */
export function commandOf(pid) {
  try {
    if (process.platform === 'linux') {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() || undefined
    }
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

/** The parent of a running process; undefined where it cannot be told cheaply. */
export function parentOf(pid) {
  try {
    return Number(statOf(pid)[1])
  } catch {
    return undefined
  }
}

// The program's name, in brackets, may hold spaces: the fields are counted from behind it.
const statOf = (pid) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')

// A number alone is not enough: after a reboot it may belong to another program.
function startOf(pid) {
  try {
    if (process.platform === 'linux') {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
      const fields = statOf(pid)
      return fields[0] === 'Z' ? undefined : `${boot} ${fields[19]}`
    }
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
    return started.trim()
  } catch {
    return undefined
  }
}

function readHolder(path) {
  try {
    const { pid, started } = JSON.parse(readFileSync(path, 'utf8'))
    return startOf(pid) === started ? pid : undefined
  } catch {
    return undefined
  }
}

/** Takes the lock, or tells which process has it. */
export function takeLock(path) {
  const mine = `${path}.${process.pid}`
  writeFileSync(mine, JSON.stringify({ pid: process.pid, started: startOf(process.pid) }))
  try {
    for (;;) {
      try {
        // A link appears whole or not at all, so nobody reads half a lock.
        linkSync(mine, path)
        return { release: () => rmSync(path, { force: true }) }
      } catch (error) {
        if (error.code !== 'EEXIST') throw error
        const heldBy = readHolder(path)
        if (heldBy !== undefined) return { heldBy }
        rmSync(path, { force: true })
      }
    }
  } finally {
    rmSync(mine, { force: true })
  }
}
