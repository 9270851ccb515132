import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Generation } from './generation'
import { invariant } from './invariant'

/**
 * SHA-256 of the canonical form (RFC 8785) of everything that shapes the result. Key order and the
 * way a number is written do not matter; every character of the prompt does, white space included.
 */
export function fingerprintOf({ model, prompt, settings }: Generation): Buffer {
  const canonical = canonicalize({ model, prompt, settings })
  invariant(canonical !== undefined, 'a generation has a canonical form')
  return createHash('sha256').update(canonical, 'utf8').digest()
}
