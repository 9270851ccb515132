import { z } from 'zod'

// Those whose smallest unit Stripe counts as everybody else does: how many digits stand after the point.
// https://docs.stripe.com/currencies#special-cases names the others.
export const currencyDigits = {
  aud: 2,
  brl: 2,
  cad: 2,
  chf: 2,
  czk: 2,
  dkk: 2,
  eur: 2,
  gbp: 2,
  hkd: 2,
  inr: 2,
  jpy: 0,
  krw: 0,
  mxn: 2,
  nok: 2,
  nzd: 2,
  pln: 2,
  sek: 2,
  sgd: 2,
  usd: 2,
} as const
export const Currency = z.enum(
  Object.keys(currencyDigits) as (keyof typeof currencyDigits)[],
  'expected the code of a currency that is sold in, like eur or usd',
)
export type Currency = z.infer<typeof Currency>

// Stripe takes eight digits at most.
const AMOUNT_MAX = 99_999_999
const CREDITS_MAX = 1_000_000
const PACKS_MAX = 12

const wholeUpTo = (max: number, what: string) => {
  const expected = `expected a whole number of ${what} from 1 to ${max}`
  return z.int(expected).min(1, expected).max(max, expected)
}

/** Credits that are sold together, and for how much. */
export const Pack = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9-]{1,40}$/, 'expected lower-case letters, digits and hyphens'),
    /** As it stands on the page, on the receipt and in the statement. */
    name: z.string().trim().min(1, 'expected a name').max(100, 'expected at most 100 characters'),
    credits: wholeUpTo(CREDITS_MAX, 'credits'),
    /** In the currency's smallest unit: 500 of eur are 5 euros, 500 of jpy are 500 yen. */
    amount: wholeUpTo(AMOUNT_MAX, 'the smallest units'),
    currency: Currency,
  })
  .readonly()
export type Pack = z.infer<typeof Pack>

export const Packs = z
  .array(Pack, 'expected a list of packs')
  .min(1, 'expected at least one pack')
  .max(PACKS_MAX, `expected at most ${PACKS_MAX} packs`)
  .refine((packs) => new Set(packs.map(({ id }) => id)).size === packs.length, {
    error: 'expected a different id for each pack',
  })
  .readonly()
