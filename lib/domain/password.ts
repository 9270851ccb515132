import { z } from 'zod'

// NIST SP 800-63B asks for at least eight; length is what makes a password strong.
export const PASSWORD_LENGTH_MIN = 10
// Longer input is no password; hashing it would only cost time.
export const PASSWORD_LENGTH_MAX = 200

/** One that somebody chooses now. What was chosen earlier is compared as it is. */
export const NewPassword = z
  .string({ error: 'Choose a password.' })
  .min(PASSWORD_LENGTH_MIN, `Choose a password of at least ${PASSWORD_LENGTH_MIN} characters.`)
  .max(PASSWORD_LENGTH_MAX, `Choose a password of at most ${PASSWORD_LENGTH_MAX} characters.`)

export const PersonName = z
  .string({ error: 'Write a name.' })
  .trim()
  .min(1, 'Write a name.')
  .max(100, 'Use at most 100 characters for the name.')
