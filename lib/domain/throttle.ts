const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S

/**
 * How often something may be tried by one of a kind. Bounds of a pair stop whoever guesses; those of
 * an address stop who guesses for many, above what a school behind one address does by mistake; those of
 * an e-mail alone are wide, so that nobody can keep its owner out with few tries.
 */
export const throttleRules = {
  'sign-in-pair': { tries: 10, seconds: 15 * MINUTE_S },
  'sign-in-email': { tries: 60, seconds: HOUR_S },
  'sign-in-address': { tries: 100, seconds: 15 * MINUTE_S },
  'sign-up-address': { tries: 120, seconds: HOUR_S },
  // Mail that nobody asked for is a nuisance by itself.
  'mail-email': { tries: 5, seconds: HOUR_S },
  'mail-address': { tries: 40, seconds: HOUR_S },
  // Tokens cannot be guessed; this keeps the trying cheap for us.
  'token-address': { tries: 60, seconds: 15 * MINUTE_S },
  'password-account': { tries: 10, seconds: 15 * MINUTE_S },
} as const satisfies Record<string, { readonly tries: number; readonly seconds: number }>

export type ThrottleRule = keyof typeof throttleRules

/** One kind of thing, and of whom: counted under a digest of both. */
export type Try = { readonly rule: ThrottleRule; readonly of: string }

/** What is counted when somebody tries to sign in. */
export function signInTries(address: string, email: string): readonly Try[] {
  return [
    { rule: 'sign-in-pair', of: `${address} ${email}` },
    { rule: 'sign-in-email', of: email },
    { rule: 'sign-in-address', of: address },
  ]
}

/** What is counted when somebody asks for an e-mail. */
export function mailTries(address: string, email: string): readonly Try[] {
  return [
    { rule: 'mail-email', of: email },
    { rule: 'mail-address', of: address },
  ]
}

/** Whole seconds, at least one: nobody is told to try again at once and refused again. */
export function retryAfterSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1_000))
}
