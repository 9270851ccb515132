import { createHash } from 'node:crypto'

const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/

/** What a link's token is found by. Undefined for what is no token. */
export function linkTokenHash(token: string): Buffer | undefined {
  return TOKEN_FORM.test(token) ? createHash('sha256').update(token).digest() : undefined
}
