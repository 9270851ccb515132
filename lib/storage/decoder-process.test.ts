import { afterEach, expect, test, vi } from 'vitest'
import { gifBytes, pngBytes } from '@/test/images'
import { createDecoder, DecoderError, type Decoder } from './decoder-process'
import { inspectImage } from './inspect-image'

// A process takes its time to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let decoder: Decoder | undefined
afterEach(() => decoder?.close())

const made = (timeoutMs?: number) => (decoder = createDecoder(timeoutMs))
const signal = (name: NodeJS.Signals) => {
  const pid = decoder?.pid()
  if (pid === undefined) throw new Error('no decoder runs')
  process.kill(pid, name)
}

test('answers what decoding here would, of images and of others', async () => {
  const { inspect } = made()
  for (const bytes of [await pngBytes('#a33', 1_024), await pngBytes(), await gifBytes()]) {
    expect(await inspect(bytes)).toEqual(await inspectImage(bytes))
  }
})

test('many at once are answered one by one, each with its own', async () => {
  const { inspect } = made()
  const many = await Promise.all(
    Array.from({ length: 9 }, (_, n) => pngBytes(`#${n}${n}${n}`, 64 + n)),
  )
  const answers = await Promise.all(many.map(inspect))
  expect(answers.map((answer) => answer.ok && answer.image.width)).toEqual(
    many.map((_, n) => 64 + n),
  )
})

test.each(['SIGSEGV', 'SIGKILL'] as const)(
  'a decoder that %s ended takes its images along and nothing else: the next one answers',
  async (name) => {
    const { inspect, pid } = made()
    await inspect(await pngBytes())
    const first = pid()
    const asked = inspect(await pngBytes('#a33', 2_048))
    signal(name)
    await expect(asked).rejects.toThrow(DecoderError)
    await expect(asked).rejects.toThrow(name)

    expect(await inspect(await pngBytes())).toMatchObject({ ok: true })
    expect(pid()).not.toBe(first)
  },
)

test('a decoder that hangs is ended, and the images behind it are answered by the next', async () => {
  const { inspect } = made(1_500)
  await inspect(await pngBytes())
  signal('SIGSTOP')
  const bytes = await pngBytes()
  const answers = await Promise.allSettled([inspect(bytes), inspect(bytes), inspect(bytes)])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})

test('asked to stop, it goes on until its parent does not need it', async () => {
  const { inspect } = made()
  const bytes = await pngBytes()
  await inspect(bytes)
  signal('SIGTERM')
  signal('SIGINT')
  expect(await inspect(bytes)).toMatchObject({ ok: true })
})
