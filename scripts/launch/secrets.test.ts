import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LaunchError } from './launch-error'
import { loadSecrets, makeReadablePassword } from './secrets'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-secrets-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

test('makes secrets once and keeps them', () => {
  const first = loadSecrets(folder)
  expect(loadSecrets(folder)).toEqual(first)
  expect(readdirSync(folder)).toEqual(['secrets.json'])
})

test('lets nobody else read them', () => {
  loadSecrets(folder)
  expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600)
})

test('shares no secret between two data folders, nor between two uses', () => {
  const first = Object.values(loadSecrets(folder))
  rmSync(join(folder, 'secrets.json'))
  const second = Object.values(loadSecrets(folder))
  expect(new Set([...first, ...second]).size).toBe(14)
})

test('gives Next.js the 32 bytes that it asks for', () => {
  expect(Buffer.from(loadSecrets(folder).serverActionsKey, 'base64')).toHaveLength(32)
})

test.each(['', '{"authSecret":', '{}'])('refuses %j by name and does not replace it', (text) => {
  writeFileSync(join(folder, 'secrets.json'), text)
  expect(() => loadSecrets(folder)).toThrow(LaunchError)
  expect(() => loadSecrets(folder)).toThrow(join(folder, 'secrets.json'))
})

test('makes passwords of letters and digits that cannot be mistaken for one another', () => {
  const passwords = Array.from({ length: 200 }, makeReadablePassword)
  expect(new Set(passwords).size).toBe(200)
  for (const password of passwords)
    expect(password).toMatch(/^([a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/)
})
