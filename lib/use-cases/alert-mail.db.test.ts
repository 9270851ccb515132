import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { acceptedAndReset } from '@/test/fake-provider-server'
import { startSmtpServer } from '@/test/smtp-server'
import { openWorld } from '@/test/world'
import { forgetOldMail } from '@/lib/db/mail-store'
import { createMailer, type Mailer } from '@/lib/mail/mailer'
import type { WorkerDeps } from './deps'
import { sendDueMail } from './send-mail'
import { watch } from './watch'

// From what is so to an operator's mail box: once when it begins and once when it ends.

const ADDRESS = 'operators@darkroom.example'
const world = openWorld()
let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let mailer: Mailer

beforeAll(async () => {
  smtp = await startSmtpServer()
  mailer = createMailer({
    url: smtp.url,
    from: 'Darkroom <darkroom@darkroom.example>',
    onError: () => undefined,
  })
})
beforeEach(async () => {
  smtp.received.length = 0
  await world().rows('delete from mail_outbox')
})
afterAll(async () => {
  mailer.close()
  await smtp.close()
})

const rows = (sql: string, ...values: readonly unknown[]) => world().rows(sql, ...values)
const deps = (email: string | undefined): WorkerDeps => ({
  ...world().deps,
  watch: {
    thresholds: { unresolvedMs: 0, heldCredits: undefined },
    webhook: undefined,
    email,
    auditEveryMs: undefined,
  },
})
const send = () => sendDueMail(world().deps, mailer)
/** What watches sees what is so, and what sends mail sends what is due. */
async function round(settings: WorkerDeps = deps(ADDRESS)) {
  await rows('update alert_notice set due_at = now() where delivered_at is null')
  await rows('update mail_outbox set due_at = now()')
  await watch(settings)
  await send()
}
const untold = () => rows('select event, trouble from alert_notice where delivered_at is null')

async function unresolved() {
  const key = await world().start(await world().openAccount(10))
  world().provider.answer('submit', acceptedAndReset)
  await world().step(key)
  world().provider.reset()
  return key
}
const fail = ({ id, accountId }: Awaited<ReturnType<typeof unresolved>>) =>
  rows(
    `select apply_decision($1, $2, version, null, 'failed', 'failed_by_operator', 'test', '{}', null, null,
       'provider_failed', 'It failed.', 'released', null, null, null, 0) from attempt where id = $2`,
    accountId,
    id,
  )

test('an alert is mailed once when it begins and once when it ends', async () => {
  const key = await unresolved()
  await round()
  await round()
  await round()
  expect(smtp.received.map(({ to }) => to)).toEqual([ADDRESS])
  const [raised] = smtp.received
  expect(raised?.headers.get('subject')).toBe('Darkroom: Unresolved for too long')
  expect(raised?.text).toContain('The oldest unresolved attempt is a minute old.')
  expect(raised?.text).toContain('/admin/attempts?state=status_unknown')
  expect(raised?.text).not.toContain(key.id)
  expect(await untold()).toEqual([])

  await fail(key)
  await round()
  await round()
  expect(smtp.received.map(({ headers }) => headers.get('subject'))).toEqual([
    'Darkroom: Unresolved for too long',
    'Darkroom: over: Unresolved for too long',
  ])
  const ids = smtp.received.map(({ headers }) => headers.get('message-id'))
  expect(new Set(ids).size).toBe(2)
  expect(await rows('select from mail_outbox')).toEqual([])
})

test('what no server takes is mailed when one does, as the same mail', async () => {
  const key = await unresolved()
  smtp.answer('550 no such person')
  await round()
  expect(smtp.received).toEqual([])
  expect(await untold()).toEqual([{ event: 'raised', trouble: 'The mail server did not take it.' }])
  // A day without a server: the mail is forgotten, and what it is about is not.
  smtp.answer('451 busy')
  await round()
  await rows(`update mail_outbox set created_at = now() - interval '25 hours'`)
  await forgetOldMail(world().db)
  expect(await rows('select from mail_outbox')).toEqual([])
  await round()
  expect(smtp.received).toHaveLength(1)
  expect(await untold()).toEqual([])

  await fail(key)
  await round()
  expect(smtp.received).toHaveLength(2)
})

test('a worker that dies before it notes that it was sent sends the same mail again', async () => {
  const key = await unresolved()
  await watch(deps(ADDRESS))
  const dying = {
    ...mailer,
    send: async (letter: Parameters<Mailer['send']>[0]) => {
      await mailer.send(letter)
      throw new Error('killed')
    },
  }
  await expect(sendDueMail(world().deps, dying)).rejects.toThrow('killed')
  await round()
  await round()
  const ids = smtp.received.map(({ headers }) => headers.get('message-id'))
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
  await fail(key)
  await round()
})

test('nobody is mailed where no address is set, and an older program is handed no alert', async () => {
  const key = await unresolved()
  await round(deps(undefined))
  expect(await rows('select from mail_outbox')).toEqual([])
  await fail(key)
  await round(deps(undefined))
  expect(smtp.received).toEqual([])

  await unresolved()
  await watch(deps(ADDRESS))
  expect(await rows('select kind from mail_outbox')).toEqual([{ kind: 'alert' }])
  expect(await rows('select * from claim_mail(10, 1000)')).toEqual([])
})
