import { pino, type Logger } from 'pino'

export type { Logger }

/** JSON lines. Never prompts, keys, tokens or bodies: what may not be logged is not handed over. */
export function createLogger(name: string, level: string): Logger {
  return pino({ name, level, base: { name, pid: process.pid } })
}
