import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChildSpec } from './child'
import { createSupervisor } from './supervisor'
import { until } from './until'

// Programs are started for real, which takes a while where there is much else to do.
vi.setConfig({ testTimeout: 60_000 })

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-supervisor-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

// Each program writes what happens to it into one file, so that the order can be read off it.
function specOf(name: string, script = ''): ChildSpec {
  const journal = JSON.stringify(join(folder, 'journal'))
  const prelude = `
    const { appendFileSync } = require('node:fs')
    const write = (word) => appendFileSync(${journal}, '${name} ' + word + '\\n')
    process.on('SIGTERM', () => { write('asked'); setTimeout(() => { write('ended'); process.exit(0) }, 50) })
    write('up')
    const life = setInterval(() => {}, 1000)`
  return {
    name,
    command: process.execPath,
    args: ['-e', `${prelude}\n${script}`],
    env: process.env,
    cwd: folder,
    logFile: join(folder, `${name}.log`),
    stopSignal: 'SIGTERM',
    killSignal: 'SIGKILL',
    graceMs: 5_000,
  }
}

const journal = () => readFileSync(join(folder, 'journal'), 'utf8').trim().split('\n')
const has = (line: string) => until(() => journal().includes(line), { withinMs: 10_000 })

async function startAll(names: readonly string[]) {
  const supervisor = createSupervisor()
  writeFileSync(join(folder, 'journal'), '')
  for (const name of names) {
    supervisor.start(specOf(name))
    await has(`${name} up`)
  }
  return supervisor
}

test('ends the web server and the worker before the simulator, and that before PostgreSQL', async () => {
  const supervisor = await startAll(['postgres', 'simulator', 'worker', 'web'])
  await supervisor.stopAll()

  const order = journal().filter((line) => !line.endsWith('up'))
  expect(new Set(order.slice(0, 2))).toEqual(new Set(['web asked', 'worker asked']))
  expect(order.slice(4)).toEqual([
    'simulator asked',
    'simulator ended',
    'postgres asked',
    'postgres ended',
  ])
})

test('reports which program crashed, how, and where its log is', async () => {
  const supervisor = createSupervisor()
  supervisor.start(specOf('worker', 'process.exit(7)'))
  expect(await supervisor.crashed).toBe(
    `worker ended unexpectedly (exit code 7). Its log: ${join(folder, 'worker.log')}`,
  )
})

test('reports no crash for what it was told to kill or restart', async () => {
  const supervisor = await startAll(['worker'])
  await supervisor.kill('worker', 'SIGKILL')
  await supervisor.restart('worker')
  await until(() => journal().filter((line) => line === 'worker up').length === 2, {
    withinMs: 10_000,
  })
  await supervisor.restart('worker')
  expect(journal()).toContain('worker ended')

  await supervisor.stopAll()
  expect(await Promise.race([supervisor.crashed, Promise.resolve('none')])).toBe('none')
})

test('kills a program that does not end within its time, with what it started', async () => {
  const supervisor = createSupervisor()
  writeFileSync(join(folder, 'journal'), '')
  const stubborn = `
    process.removeAllListeners('SIGTERM')
    process.on('SIGTERM', () => {})
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    write(child.pid)`
  supervisor.start({ ...specOf('web', stubborn), graceMs: 200 })
  await until(() => journal().length === 2, { withinMs: 10_000 })
  const grandchild = Number(journal()[1]?.replace('web ', ''))
  await supervisor.stopAll()

  const isGone = () => {
    try {
      return !process.kill(grandchild, 0)
    } catch {
      return true
    }
  }
  expect(await until(isGone, { withinMs: 5_000 })).toBe(true)
})

test('starts nothing more once it is stopping', async () => {
  const supervisor = createSupervisor()
  await supervisor.stopAll()
  expect(() => supervisor.start(specOf('web'))).toThrow('Stopping.')
})

test('runs a program to its end, and fails with its log when that was no success', async () => {
  const supervisor = createSupervisor()
  await supervisor.run(specOf('seed', 'process.exit(0)'), 'No seed')
  await expect(supervisor.run(specOf('seed', 'process.exit(3)'), 'No seed')).rejects.toThrow(
    `No seed (exit code 3). Its log: ${join(folder, 'seed.log')}`,
  )
})

test('names a program that cannot be started', async () => {
  const supervisor = createSupervisor()
  supervisor.start({ ...specOf('web'), command: join(folder, 'missing') })
  expect(await supervisor.crashed).toMatch(/^web ended unexpectedly \(spawn .*missing ENOENT\)/)
})
