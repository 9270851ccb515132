import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readPlaywright, readVitest } from './reports'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-reports-'))
  file = join(folder, 'report.json')
})

afterEach(() => rmSync(folder, { recursive: true }))

const write = (report: unknown) => writeFileSync(file, JSON.stringify(report))

test('counts the tests that vitest ran', () => {
  const testResults = [
    { status: 'passed', assertionResults: [{ status: 'passed' }, { status: 'passed' }] },
    { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] },
  ]
  write({ numPassedTests: 3, numFailedTests: 1, testResults })
  expect(readVitest(file)).toEqual({ passed: 3, failed: 1 })
})

test('counts a file that failed before its first test, or after its last', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'passed' }] },
  ]
  write({ numPassedTests: 1, numFailedTests: 0, testResults })
  expect(readVitest(file)).toEqual({ passed: 1, failed: 2 })
})

test('counts a browser test that passed only at the second try as failed', () => {
  write({ stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 }, errors: [] })
  expect(readPlaywright(file)).toEqual({ passed: 5, failed: 2 })
})

test('counts what kept the browser tests from running', () => {
  write({
    stats: { expected: 0, unexpected: 0, flaky: 0 },
    errors: [{ message: 'no tests found' }],
  })
  expect(readPlaywright(file)).toEqual({ passed: 0, failed: 1 })
})

test.each([readVitest, readPlaywright])('%o refuses a report that it cannot read', (read) => {
  write({})
  expect(() => read(file)).toThrow()
})
