import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { DecodeJob } from './decoder'
import type { Inspection } from './inspect-image'

// A bound on memory, whatever the worker's concurrency; more would not be faster on a small machine.
const DECODES_AT_ONCE = 2
// The slowest picture that is allowed takes a tenth of this on a small machine.
const DECODE_TIMEOUT_MS = 20_000
const START_TIMEOUT_MS = 30_000

const Bytes = z.instanceof(Uint8Array).transform((bytes) => Buffer.from(bytes))
const Image = z.object({
  sha256: z.string(),
  contentType: z.enum(['image/png', 'image/jpeg', 'image/webp']),
  width: z.int(),
  height: z.int(),
  sizeBytes: z.int(),
  blur: z.string(),
})
/** Without an inspection it says that the decoder is there. */
const Answer = z.object({
  id: z.int(),
  inspection: z
    .discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), image: Image, thumbnail: Bytes.or(z.undefined()) }),
      z.object({ ok: z.literal(false), reason: z.string(), sha256: z.string() }),
    ])
    .optional(),
})

/** The decoder ended before it answered. That says nothing certain about the bytes. */
export class DecoderError extends Error {
  override readonly name = 'DecoderError'
}

type Waiting = {
  readonly resolve: (inspection: Inspection) => void
  readonly reject: (error: DecoderError) => void
}
type Running = {
  readonly process: ChildProcess
  readonly waiting: Map<number, Waiting>
  isReady: boolean
}

export type Decoder = {
  /** Throws `DecoderError`. */
  readonly inspect: (bytes: Buffer) => Promise<Inspection>
  /** Has it ready for when it is needed. */
  readonly start: () => void
  readonly pid: () => number | undefined
  readonly close: () => void
}

/** Decodes in a process of its own, started when needed and again when it died. */
export function createDecoder(timeoutMs = DECODE_TIMEOUT_MS): Decoder {
  const queue: (() => void)[] = []
  let current: Running | undefined
  let asked = 0
  let lastId = 0

  function running(): Running {
    current ??= startProcess((ended) => {
      if (current === ended) current = undefined
    })
    return current
  }

  async function ask(bytes: Buffer): Promise<Inspection> {
    const { process, waiting, isReady } = running()
    const job: DecodeJob = { id: (lastId += 1), bytes }
    const limitMs = isReady ? timeoutMs : START_TIMEOUT_MS + timeoutMs
    const late = setTimeout(() => process.kill('SIGKILL'), limitMs)
    try {
      return await new Promise<Inspection>((resolve, reject) => {
        waiting.set(job.id, { resolve, reject })
        process.send(job, (error) => {
          if (error) reject(new DecoderError(`the decoder could not be asked: ${error.message}`))
        })
      })
    } finally {
      clearTimeout(late)
      waiting.delete(job.id)
    }
  }

  return {
    async inspect(bytes) {
      if (asked >= DECODES_AT_ONCE) await new Promise<void>((resolve) => queue.push(resolve))
      else asked += 1
      try {
        return await ask(bytes)
      } finally {
        const next = queue.shift()
        // Its place goes to the next in line.
        if (next) next()
        else asked -= 1
      }
    },
    start: () => void running(),
    pid: () => current?.process.pid,
    close: () => void current?.process.kill('SIGKILL'),
  }
}

function startProcess(onEnd: (ended: Running) => void): Running {
  const process = fork(fileURLToPath(new URL('decoder.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Whatever breaks in it finds no key of ours.
    env: { NODE_ENV: 'production' },
  })
  const running: Running = { process, waiting: new Map(), isReady: false }
  const end = (how: string) => {
    onEnd(running)
    const error = new DecoderError(`the decoder ended before it answered: ${how}`)
    for (const { reject } of running.waiting.values()) reject(error)
  }
  process.on('message', (message) => {
    const answer = Answer.safeParse(message).data
    // It talks rubbish: whatever took it over does not take us along.
    if (!answer) process.kill('SIGKILL')
    else if (answer.inspection) running.waiting.get(answer.id)?.resolve(answer.inspection)
    running.isReady = true
  })
  process.on('error', (error) => end(error.message))
  process.on('exit', (code, signal) => end(signal ?? `exit code ${code ?? '?'}`))
  // It ends with its parent, and keeps it from ending as little as a thread would.
  process.unref()
  process.channel?.unref()
  return running
}

let shared: Decoder | undefined

/** The one of this process. */
export function decoder(): Decoder {
  shared ??= createDecoder()
  return shared
}
