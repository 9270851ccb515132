import { readFileSync } from 'node:fs'
import { z } from 'zod'

export type Count = { readonly passed: number; readonly failed: number }

// What is read of the JSON that vitest and Playwright write; the rest of it is ignored.
const VitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
})

const PlaywrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
  errors: z.array(z.unknown()),
})

/** Counts the tests in vitest's report; a file that failed before its first test counts as one. */
export function readVitest(file: string): Count {
  const report = VitestReport.parse(JSON.parse(readFileSync(file, 'utf8')))
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests + brokenFiles.length }
}

/** Counts the tests in Playwright's report. One that passed only when tried again has failed. */
export function readPlaywright(file: string): Count {
  const { stats, errors } = PlaywrightReport.parse(JSON.parse(readFileSync(file, 'utf8')))
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length }
}
