/** Lets at most so many run at a time; the others wait in the order in which they came. */
export function createSlots(count: number) {
  let free = count
  const waiting: (() => void)[] = []

  return async function inSlot<Value>(work: () => Promise<Value>): Promise<Value> {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The slot passes from hand to hand, so that no newcomer overtakes.
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
