import { z } from 'zod'

/** One person, one spelling: addresses differ in no practical system by case alone. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase()
}

export const Email = z
  .string({ error: 'Write your e-mail address.' })
  .transform(normaliseEmail)
  .pipe(z.email('Write an e-mail address, like name@example.com.').max(254))
