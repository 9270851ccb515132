import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { setEndsMail } from '@/lib/db/mail-store'
import type { AccountId } from '@/lib/domain/ids'
import { createMailer, type Mailer } from '@/lib/mail/mailer'
import { startSmtpServer } from '@/test/smtp-server'
import { openWorld } from '@/test/world'
import { askForMailLink } from './mail-links'
import { sendDueMail } from './send-mail'

// From the outbox to a mail server on a real socket: at least once, and as one mail.

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

const send = () => sendDueMail(world().deps, mailer)
const left = () => world().rows('select tries, due_at > now() as later from mail_outbox')
const ask = (accountId: AccountId, locale = 'en') =>
  askForMailLink(world().deps, 'sign-in-link', { email: `${accountId}@example.com`, locale })

test('a link is mailed to its address, in its language, under the id of its row', async () => {
  const accountId = await world().openAccount()
  await ask(accountId, 'ja')
  const [row] = await world().rows('select id from mail_outbox')
  expect(await send()).toBe(true)
  const [mail] = smtp.received
  expect(mail?.to).toBe(`${accountId}@example.com`)
  expect(mail?.text).toContain('ログイン')
  expect(mail?.text).toMatch(/http:\/\/127\.0\.0\.1:3000\/sign-in\/link\/[A-Za-z0-9_-]{43}/)
  expect(mail?.headers.get('message-id')).toBe(`<${String(row?.['id'])}@darkroom.example>`)
  expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
  expect(await left()).toEqual([])
  expect(await send()).toBe(false)
})

test('a worker that dies before it forgets sends the same mail again, and not another', async () => {
  await ask(await world().openAccount())
  const dying = {
    ...mailer,
    send: async (letter: Parameters<Mailer['send']>[0]) => {
      await mailer.send(letter)
      throw new Error('killed')
    },
  }
  await expect(sendDueMail(world().deps, dying)).rejects.toThrow('killed')
  await world().rows('update mail_outbox set due_at = now()')
  await send()
  const ids = smtp.received.map(({ headers }) => headers.get('message-id'))
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})

test('a server that is busy is asked again later, and one that refuses is not', async () => {
  await ask(await world().openAccount())
  smtp.answer('451 busy')
  await send()
  expect(await left()).toEqual([{ tries: 1, later: true }])
  await world().rows('update mail_outbox set due_at = now()')
  smtp.answer('550 no such person')
  await send()
  expect(await left()).toEqual([])
  expect(smtp.received).toEqual([])
})

test('a mail that nobody takes is given up after a bounded number of tries', async () => {
  await ask(await world().openAccount())
  const nobody = createMailer({
    url: 'smtp://127.0.0.1:1',
    from: 'darkroom@darkroom.example',
    onError: () => undefined,
  })
  let tries = 0
  while ((await left()).length > 0 && tries < 20) {
    await world().rows('update mail_outbox set due_at = now()')
    await sendDueMail(world().deps, nobody)
    tries += 1
  }
  expect(tries).toBe(8)
})

test('a link that is over is not sent', async () => {
  await ask(await world().openAccount())
  await world().rows(`update mail_outbox set created_at = now() - interval '16 minutes'`)
  await send()
  expect(smtp.received).toEqual([])
  expect(await left()).toEqual([])
})

test('whoever wants it is told that a long one ended, without what they asked for; nobody else is', async () => {
  const [asking, silent] = [await world().openAccount(), await world().openAccount()]
  await setEndsMail(world().db, asking, 'de')
  const prompt = 'nobody’s business'
  for (const accountId of [asking, silent]) {
    const long = await world().start(accountId, { prompt })
    await world().rows('alter table attempt disable trigger attempt_guarded')
    await world().rows(
      `update attempt set created_at = created_at - interval '3 minutes' where id = $1`,
      long.id,
    )
    await world().rows('alter table attempt enable trigger attempt_guarded')
    await world().runToQuiet(long)
    // Short ones are not worth a mail.
    await world().runToQuiet(await world().start(accountId, { prompt }))
  }
  await send()
  expect(smtp.received.map(({ to }) => to)).toEqual([`${asking}@example.com`])
  const [mail] = smtp.received
  expect(mail?.text).toContain('Es wurde geliefert')
  expect(JSON.stringify([...(mail?.headers ?? [])]) + (mail?.text ?? '')).not.toContain(prompt)
})
