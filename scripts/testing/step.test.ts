import { expect, test, vi } from 'vitest'
import { runStep } from './step'

vi.setConfig({ testTimeout: 60_000 })

const script = (text: string) => ({ name: 'step', args: ['-e', text] })

test('counts a step without tests of its own as one, by its exit code', async () => {
  expect(await runStep(script(''))).toMatchObject({ passed: 1, failed: 0 })
  expect(await runStep(script('process.exit(2)'))).toMatchObject({ passed: 0, failed: 1 })
})

test('keeps all that was printed, for the end', async () => {
  const { output } = await runStep(script('console.log("to stdout"); console.error("to stderr")'))
  expect(output).toContain('to stdout\n')
  expect(output).toContain('to stderr\n')
})

test('takes no tests for a failure', async () => {
  const outcome = await runStep({ ...script(''), count: () => ({ passed: 0, failed: 0 }) })
  expect(outcome).toMatchObject({ passed: 0, failed: 1, output: 'No tests ran.\n' })
})

test('takes a failed program for a failure even when its report has none', async () => {
  const outcome = await runStep({
    ...script('process.exit(1)'),
    count: () => ({ passed: 4, failed: 0 }),
  })
  expect(outcome).toMatchObject({ passed: 4, failed: 1 })
})

test('takes a missing report for a failure', async () => {
  const count = () => {
    throw new Error('ENOENT: no such file')
  }
  const outcome = await runStep({ ...script(''), count })
  expect(outcome).toMatchObject({ passed: 0, failed: 1 })
  expect(outcome.output).toContain('ENOENT: no such file')
})
