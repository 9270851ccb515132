import type pg from 'pg'
import { expect } from 'vitest'
import { findInvariantBreaks } from './invariant-queries'

export async function expectInvariants(owner: pg.Pool): Promise<void> {
  expect(await findInvariantBreaks(owner)).toEqual({})
}
