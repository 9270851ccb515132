import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { runStep } from './step'

// What is read of the JSON that vitest writes.
const Report = z.object({
  testResults: z.array(
    z.object({
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
})

export type NamedTests = {
  /** The names of those that ran, by how they ended. */
  readonly passed: readonly string[]
  readonly failed: readonly string[]
  /** Everything that was printed. */
  readonly output: string
}

/**
 * Runs the tests of one file whose names contain one of the texts, in a copy of the tree. A run that
 * never came to its tests has neither passed nor failed ones.
 */
export async function runNamedTests(
  folder: string,
  file: string,
  names: readonly string[],
  { stopAtFirst }: { readonly stopAtFirst: boolean },
): Promise<NamedTests> {
  const report = join(folder, 'report.json')
  rmSync(report, { force: true })
  const { output } = await runStep({
    name: file,
    cwd: folder,
    args: [
      join(folder, 'node_modules', 'vitest', 'vitest.mjs'),
      ...['run', file, '--project', file.endsWith('.db.test.ts') ? 'db' : 'unit'],
      ...['--testNamePattern', names.map(escaped).join('|')],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      ...(stopAtFirst ? ['--bail=1'] : []),
    ],
    env: { NODE_ENV: 'test' },
  })
  const results = existsSync(report)
    ? Report.parse(JSON.parse(readFileSync(report, 'utf8'))).testResults
    : []
  const namesBy = (status: string) =>
    results.flatMap(({ assertionResults }) =>
      assertionResults.flatMap((test) => (test.status === status ? [test.fullName] : [])),
    )
  return { passed: namesBy('passed'), failed: namesBy('failed'), output }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
