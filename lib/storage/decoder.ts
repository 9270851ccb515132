import { writeFileSync } from 'node:fs'
import { inspectImage } from './inspect-image'

// The process in which images are decoded, so that bytes made to break a decoder, or to fill the
// memory, break this and nothing else. It has no secrets and no connections but to its parent.

export type DecodeJob = { readonly id: number; readonly bytes: Uint8Array }

const isJob = (message: unknown): message is DecodeJob =>
  typeof message === 'object' && message !== null && 'id' in message && 'bytes' in message

async function answer({ id, bytes }: DecodeJob): Promise<void> {
  const inspection = await inspectImage(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  )
  tell({ id, inspection })
}

/** A parent that is gone needs no answer, and its death no report of ours. */
function tell(message: object): void {
  process.send?.(message, undefined, undefined, (error) => {
    if (error) process.exit()
  })
}

process.on('message', (message) => {
  if (isJob(message)) void answer(message)
})
process.on('disconnect', () => process.exit())
// A parent that is asked to stop still finishes what it began, and needs this for it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
try {
  // Where memory runs out, Linux ends this process first.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Other systems have no such file.
}
tell({ id: 0 })
