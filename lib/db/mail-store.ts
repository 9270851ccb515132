import { z } from 'zod'
import { alertKinds } from '@/lib/domain/alert'
import { AccountId, AttemptId } from '@/lib/domain/ids'
import type { Database } from './database'

export const LinkKind = z.enum(['sign-in-link', 'password-reset'])
export type LinkKind = z.infer<typeof LinkKind>

/** Writes down a link and its mail if the address has an account; the answer does not tell whether. */
export async function requestMailLink(
  db: Database,
  link: {
    readonly email: string
    readonly kind: LinkKind
    readonly tokenId: string
    readonly tokenHash: Buffer
    readonly mailId: string
    readonly minutes: number
    readonly locale: string
  },
): Promise<void> {
  const { email, kind, tokenId, tokenHash, mailId, minutes, locale } = link
  await db.pool.query({
    name: 'request_mail_link',
    text: 'select request_mail_link($1, $2, $3, $4, $5, $6, $7)',
    values: [email, kind, tokenId, tokenHash, mailId, minutes, locale],
  })
}

const TokenRow = z.object({ drops_password: z.boolean() })

/** Whether a link still stands, and whether using it takes a password away that nobody has proved. */
export async function findMailLink(
  db: Database,
  tokenHash: Buffer,
  kind: LinkKind,
): Promise<{ readonly dropsPassword: boolean } | undefined> {
  const { rows } = await db.pool.query({
    name: 'find_mail_link',
    text: `select i.email_verified_at is null and i.password_hash is not null as drops_password
           from email_token t
           join account a on a.id = t.account_id and a.status = 'active'
           join user_identity i on i.account_id = t.account_id and i.email = t.email
           where t.token_hash = $1 and t.kind = $2 and t.used_at is null
             and t.expires_at > app_now()`,
    values: [tokenHash, kind],
  })
  return rows.length === 0 ? undefined : { dropsPassword: TokenRow.parse(rows[0]).drops_password }
}

const Owner = z.object({ account_id: AccountId.nullable() })

/** Uses up a link to sign in. Undefined: it is none, used, or too old. */
export async function signInByLink(
  db: Database,
  tokenHash: Buffer,
): Promise<AccountId | undefined> {
  const { rows } = await db.pool.query({
    name: 'sign_in_by_link',
    text: 'select sign_in_by_link($1) as account_id',
    values: [tokenHash],
  })
  return Owner.parse(rows[0]).account_id ?? undefined
}

/** Uses up a link to a new password, sets it and ends every session. */
export async function resetPassword(
  db: Database,
  tokenHash: Buffer,
  passwordHash: string,
): Promise<AccountId | undefined> {
  const { rows } = await db.pool.query({
    name: 'reset_password',
    text: 'select reset_password($1, $2) as account_id',
    values: [tokenHash, passwordHash],
  })
  return Owner.parse(rows[0]).account_id ?? undefined
}

/** The language in which the account wants to be told that a long one ended; null: not at all. */
export async function setEndsMail(
  db: Database,
  accountId: AccountId,
  locale: string | null,
): Promise<void> {
  await db.pool.query({
    name: 'set_ends_mail',
    text: 'select set_ends_mail($1, $2)',
    values: [accountId, locale],
  })
}

const mail = {
  id: z.uuid(),
  address: z.string(),
  locale: z.string(),
  created_at: z.date(),
  tries: z.int(),
}
const Link = z.object({
  ...mail,
  kind: LinkKind,
  account_id: AccountId,
  token_id: z.uuid(),
})
const Ended = z.object({
  ...mail,
  kind: z.literal('attempt-ended'),
  account_id: AccountId,
  attempt_id: AttemptId,
})
const AboutAlert = z.object({
  ...mail,
  kind: z.literal('alert'),
  alert: z.object({
    event: z.enum(['raised', 'cleared']),
    kind: z.enum(alertKinds),
    subject: z.string(),
    words: z.string(),
    raisedAt: z.coerce.date(),
    clearedAt: z.coerce.date().nullable(),
  }),
})
const MailRow = z.discriminatedUnion('kind', [Link, Ended, AboutAlert]).readonly()
export type MailRow = z.infer<typeof MailRow>

/** Due mails, each to one caller, who has `leaseMs` for them. */
export async function claimMail(
  db: Database,
  limit: number,
  leaseMs: number,
): Promise<readonly MailRow[]> {
  const { rows } = await db.pool.query({
    name: 'claim_letters',
    text: 'select * from claim_letters($1, $2)',
    values: [limit, leaseMs],
  })
  return z.array(MailRow).parse(rows)
}

/** It was sent, or with a trouble it is given up. What was to be told of an alert is told, or is not yet. */
export async function endMail(
  db: Database,
  id: string,
  trouble: string | undefined,
): Promise<void> {
  await db.pool.query({
    name: 'end_mail',
    text: 'select end_mail($1, $2)',
    values: [id, trouble ?? null],
  })
}

/** Writes down the mail about an alert, unless it waits or was sent. */
export async function mailAlert(
  db: Database,
  notice: { readonly alertId: string; readonly event: 'raised' | 'cleared' },
  address: string,
): Promise<void> {
  await db.pool.query({
    name: 'mail_alert',
    text: 'select mail_alert($1, $2, $3)',
    values: [notice.alertId, notice.event, address],
  })
}

export async function deferMail(db: Database, id: string, dueInMs: number): Promise<void> {
  await db.pool.query({
    name: 'defer_mail',
    text: `update mail_outbox set due_at = app_now() + $2 * interval '1 millisecond' where id = $1`,
    values: [id, dueInMs],
  })
}

/** Forgets links that are over, and mail that nobody could send for a day, or is there to send. */
export async function forgetOldMail(db: Database): Promise<void> {
  await db.pool.query({
    name: 'forget_old_links',
    text: `delete from email_token where expires_at < app_now() - interval '1 day'`,
  })
  await db.pool.query({
    name: 'forget_old_mail',
    text: `delete from mail_outbox where created_at < app_now() - interval '1 day'`,
  })
}
