import { createHash } from 'node:crypto'

/** A stream of chance that is the same for the same words on every machine. */
export type Random = {
  /** From 0 up to but without 1. */
  unit(): number
  between(low: number, high: number): number
  /** A whole number, both ends included. */
  whole(low: number, high: number): number
  chance(probability: number): boolean
  pick<Value>(values: readonly [Value, ...Value[]]): Value
  /** Around zero, bell-shaped, rarely beyond 2. */
  bell(): number
}

export function hashOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0)
}

/** Mulberry32: quick, small, and only integer arithmetic, so that no platform disagrees. */
export function createRandom(text: string): Random {
  let state = hashOf(text)
  const unit = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    unit,
    between: (low, high) => low + (high - low) * unit(),
    whole: (low, high) => low + Math.floor(unit() * (high - low + 1)),
    chance: (probability) => unit() < probability,
    pick: (values) => values[Math.floor(unit() * values.length)] ?? values[0],
    bell: () => (unit() + unit() + unit() + unit() - 2) * 1.2,
  }
}
