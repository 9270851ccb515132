import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { commandOf, takeLock } from './lock.mjs'

// Programs are started for real, which takes a while where there is much else to do.
vi.setConfig({ testTimeout: 60_000 })

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-lock-'))
  path = join(folder, 'lock')
})

afterEach(() => rmSync(folder, { recursive: true }))

async function holdElsewhere(): Promise<ChildProcess> {
  const lockModule = pathToFileURL(join(import.meta.dirname, 'lock.mjs')).href
  const script = `
    const { takeLock } = await import(${JSON.stringify(lockModule)})
    console.log(JSON.stringify(takeLock(${JSON.stringify(path)})))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  await once(child.stdout, 'data')
  return child
}

test('names the process that holds the lock, until that ends without a word', async () => {
  const child = await holdElsewhere()
  expect(takeLock(path)).toEqual({ heldBy: child.pid })

  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(takeLock(path)).toHaveProperty('release')
})

test('is free again once released, and leaves no file behind', () => {
  const lock = takeLock(path)
  if ('heldBy' in lock) throw new Error('held by nobody')
  expect(takeLock(path)).toEqual({ heldBy: process.pid })
  lock.release()
  expect(readdirSync(folder)).toEqual([])
})

test('does not take another program with the same number, as after a reboot, for the holder', () => {
  takeLock(path)
  const content = readFileSync(path, 'utf8').replace(/"started":"[^"]*/, '"started":"another time')
  writeFileSync(path, content)
  expect(takeLock(path)).toHaveProperty('release')
})

test('does not count a file that a full disk left half written', () => {
  writeFileSync(path, '{"pid":')
  expect(takeLock(path)).toHaveProperty('release')
})

test('tells the command line of a running process and of no other', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'a b'])
  await once(child, 'spawn')
  expect(commandOf(child.pid ?? 0)).toContain('a b')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(commandOf(child.pid ?? 0)).toBeUndefined()
})
