import { findAttempt } from '@/lib/db/known-attempt'
import { claimMail, deferMail, endMail, type MailRow } from '@/lib/db/mail-store'
import { assertNever } from '@/lib/domain/invariant'
import { letterText } from '@/lib/mail/letter'
import type { Letter, Mailer } from '@/lib/mail/mailer'
import { alertLetter } from '@/lib/watch/alert-letter'
import type { Deps } from './deps'
import { LINK_MINUTES, mailTokenOf } from './mail-links'

const MAILS_AT_ONCE = 10
// Longer than a server that stays silent is waited for.
const LEASE_MS = 60_000
const TRIES_MAX = 8
const PAUSE_MS = 10_000
const PAUSE_MS_MAX = 15 * 60_000

type MailDeps = Pick<Deps, 'db' | 'log' | 'callbackSecret'> & { readonly appUrl: string }

/**
 * Sends what is due, each at least once: a worker that dies between sending and forgetting sends it
 * again, under the same Message-ID. Answers whether there was any.
 */
export async function sendDueMail(deps: MailDeps, mailer: Mailer): Promise<boolean> {
  const mails = await claimMail(deps.db, MAILS_AT_ONCE, LEASE_MS)
  for (const mail of mails) await sendOne(deps, mailer, mail)
  return mails.length > 0
}

async function sendOne(deps: MailDeps, mailer: Mailer, mail: MailRow): Promise<void> {
  const letter = isOver(mail) ? undefined : await letterOf(deps, mail)
  const outcome = letter ? await mailer.send(letter) : 'refused'
  if (outcome === 'not-now' && mail.tries < TRIES_MAX) {
    await deferMail(deps.db, mail.id, Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** (mail.tries - 1)))
    return
  }
  const trouble = outcome === 'sent' ? undefined : 'The mail server did not take it.'
  await endMail(deps.db, mail.id, trouble)
  const known = { mailId: mail.id, kind: mail.kind, tries: mail.tries }
  if (outcome === 'sent') deps.log.info(known, 'mail sent')
  else deps.log.warn(known, 'mail given up')
}

/** A link that works no more is not sent. */
function isOver({ kind, created_at: createdAt }: MailRow): boolean {
  if (kind === 'attempt-ended' || kind === 'alert') return false
  return Date.now() - createdAt.getTime() > LINK_MINUTES[kind] * 60_000
}

async function letterOf(deps: MailDeps, mail: MailRow): Promise<Letter | undefined> {
  const { id, address: to, locale } = mail
  switch (mail.kind) {
    case 'alert':
      return { id, to, ...alertLetter(mail.alert, deps.appUrl) }
    case 'attempt-ended': {
      const { attempt_id: attemptId, account_id: accountId } = mail
      const attempt = await findAttempt(deps.db, { id: attemptId, accountId })
      const kind = attempt?.state.state === 'completed' ? 'delivered' : 'failed'
      const url = `${deps.appUrl}/images/${attemptId}`
      return { id, to, ...letterText(kind, locale, { url, account: `${deps.appUrl}/account` }) }
    }
    case 'sign-in-link':
    case 'password-reset': {
      const [kind, path] =
        mail.kind === 'sign-in-link'
          ? (['signInLink', 'sign-in/link'] as const)
          : (['passwordReset', 'reset-password'] as const)
      const url = `${deps.appUrl}/${path}/${mailTokenOf(deps.callbackSecret, mail.token_id)}`
      const minutes = String(LINK_MINUTES[mail.kind])
      return { id, to, ...letterText(kind, locale, { url, minutes }) }
    }
    default:
      return assertNever(mail)
  }
}
