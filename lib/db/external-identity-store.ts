import { z } from 'zod'
import { AccountId } from '@/lib/domain/ids'
import type { Database } from './database'

/** Whom an issuer names, and what it says of them. */
export type ExternalPerson = {
  readonly issuer: string
  readonly subject: string
  /** Undefined unless the issuer says that it verified it. */
  readonly verifiedEmail: string | undefined
  readonly name: string
}

const SignedIn = z.object({
  outcome: z.enum([
    'known',
    'linked',
    'joined',
    'registered',
    'taken',
    'unproved',
    'no_email',
    'suspended',
  ]),
  account_id: AccountId.nullable(),
})
export type ExternalOutcome = z.infer<typeof SignedIn>['outcome']

/** The rules are in the database (add_external_identities): one transaction decides whom it lets in. */
export async function signInExternally(
  db: Database,
  person: ExternalPerson,
  here: {
    readonly signedIn: AccountId | undefined
    /** The guest of this browser, or an id that nobody has. */
    readonly newAccount: AccountId
    readonly signupCredits: number
  },
): Promise<{ readonly outcome: ExternalOutcome; readonly accountId: AccountId | undefined }> {
  const { rows } = await db.pool.query({
    name: 'sign_in_externally',
    text: 'select outcome, account_id from sign_in_externally($1, $2, $3, $4, $5, $6, $7)',
    values: [
      person.issuer,
      person.subject,
      person.verifiedEmail ?? null,
      person.name,
      here.signedIn ?? null,
      here.newAccount,
      here.signupCredits,
    ],
  })
  const { outcome, account_id: accountId } = SignedIn.parse(rows[0])
  return { outcome, accountId: accountId ?? undefined }
}

const IdentityRow = z.object({ issuer: z.string(), created_at: z.date() })
export type ExternalIdentityRow = Readonly<z.infer<typeof IdentityRow>>

export async function findExternalIdentities(
  db: Database,
  accountId: AccountId,
): Promise<readonly ExternalIdentityRow[]> {
  const { rows } = await db.pool.query({
    name: 'find_external_identities',
    text: `select issuer, created_at from external_identity where account_id = $1
           order by created_at`,
    values: [accountId],
  })
  return z.array(IdentityRow).parse(rows)
}

const Unlinked = z.object({ outcome: z.enum(['unlinked', 'unknown', 'last_way_in']) })

/** `last_way_in`: nothing would be left to sign in with. */
export async function unlinkIdentity(
  db: Database,
  accountId: AccountId,
  issuer: string,
): Promise<z.infer<typeof Unlinked>['outcome']> {
  const { rows } = await db.pool.query({
    name: 'unlink_identity',
    text: 'select unlink_identity($1, $2) as outcome',
    values: [accountId, issuer],
  })
  return Unlinked.parse(rows[0]).outcome
}
