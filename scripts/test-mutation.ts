import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { mutations } from '@/test/mutations/list'
import { mutate, type Mutation } from '@/test/mutations/mutation'
import { messageOf } from './launch/launch-error'
import { runNamedTests } from './testing/named-tests'
import { stopStep } from './testing/step'
import { copyTree } from './testing/tree-copy'

// Breaks each rule of the list, one at a time, in a copy of the tree, and runs the test that must
// notice. A rule whose break nobody notices is one that the tests do not hold.

const LAST_MIGRATION = join('prisma', 'migrations', '99991231000000_break_a_rule', 'migration.sql')

const wanted = process.argv[3] ?? ''
const chosen = mutations.filter((one) =>
  `${one.rule} ${'file' in one ? one.file : ''}`.includes(wanted),
)

type Verdict = { readonly word: 'killed' | 'SURVIVED' | 'NO VERDICT'; readonly why: string }

/** What does not occur once, as it must, is out of date. */
const outdated = (folder: string): readonly string[] =>
  chosen.flatMap((mutation) => {
    if ('sql' in mutation) return []
    const { rule, file, change } = mutation
    const mutated = mutate(readFileSync(join(folder, file), 'utf8'), change)
    return mutated.ok ? [] : `${rule}: ${file}: ${mutated.why}`
  })

/** Unbroken, every test that is named must be there and pass: else its failure would say nothing. */
async function problemsUnbroken(folder: string): Promise<readonly string[]> {
  const problems: string[] = []
  for (const file of new Set(chosen.map(({ fails }) => fails[0]))) {
    const names = [...new Set(chosen.flatMap(({ fails }) => (fails[0] === file ? fails[1] : [])))]
    const run = await runNamedTests(folder, file, names, { stopAtFirst: false })
    const missing = names.filter((name) => !run.passed.some((one) => one.includes(name)))
    problems.push(
      ...run.failed.map((name) => `${file} fails as it is: ${name}`),
      ...missing.map((name) => `${file} has no test that passes with this name: ${name}`),
    )
    if (run.failed.length + missing.length > 0) problems.push(run.output.trim())
    console.log(`${String(run.passed.length).padStart(4)} tests pass unbroken   ${file}`)
  }
  return problems
}

/** Breaks the rule in the copy, and answers what mends it. */
function breakRule(folder: string, mutation: Mutation): () => void {
  if ('sql' in mutation) {
    const path = join(folder, LAST_MIGRATION)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, mutation.sql)
    return () => rmSync(dirname(path), { recursive: true })
  }
  const path = join(folder, mutation.file)
  const source = readFileSync(path, 'utf8')
  const mutated = mutate(source, mutation.change)
  if (mutated.ok) writeFileSync(path, mutated.source)
  return () => writeFileSync(path, source)
}

async function judge(folder: string, mutation: Mutation): Promise<Verdict> {
  const mend = breakRule(folder, mutation)
  try {
    const [testFile, name] = mutation.fails
    const run = await runNamedTests(folder, testFile, [name], { stopAtFirst: true })
    if (run.failed.length > 0) return { word: 'killed', why: run.failed[0] ?? '' }
    if (run.passed.length > 0) return { word: 'SURVIVED', why: `${testFile}: ${name}` }
    // It broke more than the rule: the tests did not even begin.
    return { word: 'NO VERDICT', why: run.output.trim().slice(-2_000) }
  } finally {
    mend()
  }
}

async function run(folder: string): Promise<number> {
  const old = outdated(folder)
  const problems = old.length > 0 ? old : await problemsUnbroken(folder)
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    return 1
  }
  const verdicts: Verdict[] = []
  for (const mutation of chosen) {
    const start = performance.now()
    const verdict = await judge(folder, mutation)
    const seconds = ((performance.now() - start) / 1_000).toFixed(1).padStart(5)
    console.log(`${verdict.word.padEnd(10)} ${seconds} s   ${mutation.rule}`)
    if (verdict.word !== 'killed') console.log(`  ${verdict.why}`)
    verdicts.push(verdict)
  }
  const count = (word: Verdict['word']) => verdicts.filter((one) => one.word === word).length
  const [killed, survived, none] = [count('killed'), count('SURVIVED'), count('NO VERDICT')]
  console.log(`\n${killed} killed, ${survived} survived, ${none} without a verdict`)
  return killed === verdicts.length && killed > 0 ? 0 : 1
}

const folder = copyTree()
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopStep()
    process.exit(1)
  })
}
process.exitCode = await run(folder).catch((error: unknown) => {
  console.error(messageOf(error))
  return 1
})
