import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findChromium } from './chromium'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-chromium-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

function makeProgram(name: string, exitCode = 0): string {
  const path = join(folder, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, `#!/bin/sh\nexit ${exitCode}\n`)
  chmodSync(path, 0o755)
  return path
}

const find = (env: Record<string, string>, playwrightPath = join(folder, 'none')) => {
  const said: string[] = []
  const path = findChromium({
    env: { NODE_ENV: 'test', ...env },
    playwrightPath,
    say: (line) => said.push(line),
  })
  return { path, said }
}

test('takes the browser that the caller names before any other', () => {
  const asked = makeProgram('asked')
  makeProgram('bin/chromium')
  expect(find({ CHROMIUM_PATH: asked, PATH: join(folder, 'bin') }).path).toBe(asked)
})

test('says so when the caller names no program, and looks no further', () => {
  makeProgram('bin/chromium')
  const { path, said } = find({ CHROMIUM_PATH: join(folder, 'missing'), PATH: join(folder, 'bin') })
  expect(path).toBeUndefined()
  expect(said).toEqual([`CHROMIUM_PATH names no program: ${join(folder, 'missing')}`])
})

test('takes the system’s before Playwright’s own', () => {
  const playwrights = makeProgram('playwright/chrome')
  const chrome = makeProgram('b/google-chrome')
  const PATH = [join(folder, 'a'), join(folder, 'b')].join(delimiter)
  expect(find({ PATH }, playwrights).path).toBe(chrome)
  const chromium = makeProgram('b/chromium')
  expect(find({ PATH }, playwrights).path).toBe(chromium)
})

test('passes over one that does not start', () => {
  makeProgram('a/chromium-browser', 1)
  const playwrights = makeProgram('playwright/chrome')
  expect(find({ PATH: join(folder, 'a') }, playwrights).path).toBe(playwrights)
})
