import { setTimeout as pause } from 'node:timers/promises'

type UntilOptions = { readonly withinMs: number; readonly everyMs?: number }

/** Asks until the answer is true. False when it was not within the time. */
export async function until(
  ask: () => boolean | Promise<boolean>,
  { withinMs, everyMs = 50 }: UntilOptions,
): Promise<boolean> {
  const deadline = performance.now() + withinMs
  for (;;) {
    if (await ask()) return true
    if (performance.now() >= deadline) return false
    await pause(everyMs)
  }
}
