import { hash, verify } from '@node-rs/argon2'

// OWASP's second recommended setting for argon2id: 19 MiB, two passes, one lane. It is the
// library's default algorithm.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export function hashPassword(password: string): Promise<string> {
  return hash(password, COST)
}

let decoy: Promise<string> | undefined

/**
 * Takes as long for an address without an account as for one with, so that the time of the answer
 * does not tell which addresses have one.
 */
export async function verifyPassword(
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> {
  decoy ??= hashPassword('a password that is nobody’s')
  const matches = await verify(passwordHash ?? (await decoy), password)
  return matches && passwordHash !== undefined
}
