import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

// While Darkroom runs, its data folder holds the environment its programs were given. Commands on
// the same machine find the embedded database by it.
const Running = z.record(z.string(), z.string())

export type Running = Readonly<z.infer<typeof Running>>

const pathIn = (dataDir: string): string => join(dataDir, 'running.json')

export function writeRunning(dataDir: string, facts: Running): void {
  writeFileSync(pathIn(dataDir), `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 })
}

export const removeRunning = (dataDir: string): void => rmSync(pathIn(dataDir), { force: true })

export function readRunning(dataDir: string): Running | undefined {
  try {
    return Running.parse(JSON.parse(readFileSync(pathIn(dataDir), 'utf8')))
  } catch {
    return undefined
  }
}
