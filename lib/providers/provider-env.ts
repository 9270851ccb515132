import { z } from 'zod'

// What providers' environments are made of.

/** An http(s) address without a slash at its end. */
export const baseUrl = (byDefault: string) =>
  z
    .url({ protocol: /^https?$/, error: 'expected an http:// or https:// address' })
    .default(byDefault)
    .transform((url) => url.replace(/(?<!\/)\/+$/, ''))

/** A provider's key. It goes into a header, so it is printable and has no spaces around it. */
export const key = z
  .string()
  .regex(/^[\x21-\x7e]{8,500}$/, 'expected 8 to 500 printable characters without spaces')
  .optional()
