import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import type { APIRequestContext, APIResponse, Browser } from '@playwright/test'
import { z } from 'zod'
import { adminActNames, mayAct, mayAudit, type Role } from '@/lib/domain/role'
import type { AdminActName } from '@/lib/domain/admin-act'
import { inRoot } from '@/scripts/launch/root'
import {
  actionsInBuild,
  actors,
  routesInFiles,
  table,
  type Actor,
  type Things,
} from './authorization'
import { attemptIdOf, expect, expectStatus, generate, onlyAttempt, signUp, test } from './fixtures'
import { makeRole } from './stage'
import type { Installation } from './installation'

// Every address and every act of admins, tried by everybody, over HTTP with real sessions and keys.

const METRICS_TOKEN = 'whoever knows this may read the figures'

test.use({
  settings: {
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'darkroom@example.com',
    METRICS_TOKEN,
  },
})

/** Guests are users who have no name. Nobody is not even that. */
const ROLES: Readonly<Record<Actor, Role>> = {
  nobody: 'user',
  guest: 'user',
  owner: 'user',
  other: 'user',
  support: 'support',
  auditor: 'auditor',
  admin: 'admin',
}
const isSignedIn = (actor: Actor) => actor !== 'nobody' && actor !== 'guest'
const people = actors.filter((actor) => isSignedIn(actor))

type House = {
  readonly things: Things
  readonly as: (actor: Actor) => Promise<APIRequestContext>
  readonly keys: Readonly<Partial<Record<Actor, string>>>
}
let house: House

/** What went into an action, as the browser sends it, and what it answered. */
async function callAction(
  { as }: Pick<House, 'as'>,
  actor: Actor,
  [file, name, path]: readonly [file: string, name: string, path: string],
  args: readonly unknown[],
  origin: string,
): Promise<unknown> {
  const id = actionsInBuild()[`${file} ${name}`]
  if (id === undefined) throw new Error(`the build has no action ${name} of ${file}`)
  const answer = await (
    await as(actor)
  ).post(path, {
    headers: { 'next-action': id, 'content-type': 'text/plain;charset=UTF-8', origin },
    data: JSON.stringify(args),
    maxRedirects: 0,
  })
  const line = /^1:(.*)$/m.exec(await answer.text())?.[1]
  if (line === undefined) throw new Error(`${name} answered ${answer.status()} and no value`)
  return JSON.parse(line)
}

const Key = z.object({ key: z.string() })

async function keyOf({ databaseUrl }: Installation, email: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', inRoot('scripts', 'cli.ts'), 'api-key', 'create', '--email', email],
    { cwd: inRoot(), env: { ...process.env, DATABASE_URL: databaseUrl } },
  )
  return Key.parse(JSON.parse(stdout)).key
}

async function openHouse(
  browser: Browser,
  darkroom: Installation,
  stranger: () => Promise<APIRequestContext>,
): Promise<House> {
  const pages = new Map<Actor, Awaited<ReturnType<Browser['newPage']>>>()
  const keys: Partial<Record<Actor, string>> = {}
  let account = ''
  for (const actor of people) {
    const page = await (await browser.newContext({ baseURL: darkroom.url })).newPage()
    const person = await signUp(page)
    if (actor === 'owner') {
      const { rows } = await darkroom.sql.query<{ account_id: string }>(
        'select account_id from user_identity where email = $1',
        [person.email],
      )
      account = rows[0]?.account_id ?? ''
    }
    await makeRole(darkroom, person, ROLES[actor])
    keys[actor] = await keyOf(darkroom, person.email)
    pages.set(actor, page)
  }
  const guest = await stranger()
  await guest.get('/studio')
  const as = async (actor: Actor) =>
    actor === 'guest' ? guest : (pages.get(actor)?.request ?? (await stranger()))
  const owner = pages.get('owner')
  if (!owner) throw new Error('there is no owner')
  await generate(owner, 'Mine to see')
  await expectStatus(onlyAttempt(owner), 'delivered')
  const attempt = await attemptIdOf(onlyAttempt(owner))
  const image = await owner.request.get(`/api/attempts/${attempt}/image`)
  const kept = await owner.request.post('/api/reference-images', {
    headers: { origin: darkroom.url },
    data: await image.body(),
  })
  const { sha256 } = (await kept.json()) as { sha256: string }
  const shared = await callAction(
    { as },
    'owner',
    ['app/(app)/images/actions.ts', 'sharePictureAction', `/images/${attempt}`],
    [attempt, false],
    darkroom.url,
  )
  const share = z.object({ url: z.string() }).parse(shared).url.split('/').at(-1) ?? ''
  return { things: { attempt, account, share, reference: sha256 }, as, keys }
}

test.beforeAll(async ({ browser, darkroom, playwright }) => {
  test.setTimeout(240_000)
  // Nobody brings no cookie, not even that of the page before.
  house = await openHouse(browser, darkroom, () =>
    playwright.request.newContext({ baseURL: darkroom.url }),
  )
})

const filled = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: keyof Things) => house.things[name])

async function ask(
  actor: Actor,
  method: string,
  path: string,
  origin: string,
): Promise<APIResponse> {
  const key = path.startsWith('/api/v1/') ? house.keys[actor] : undefined
  const context = await house.as(actor)
  return context.fetch(filled(path), {
    method,
    maxRedirects: 0,
    headers: { origin, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
  })
}

test('every page and every handler has its row', () => {
  expect(Object.keys(table).sort()).toEqual(routesInFiles())
})

test('every page and every handler answers each as it may', async ({ darkroom }) => {
  const found: Record<string, Partial<Record<Actor, number>>> = {}
  for (const [route, { path }] of Object.entries(table)) {
    const [method = 'GET'] = route.split(' ')
    const answers: Partial<Record<Actor, number>> = {}
    for (const actor of actors) {
      answers[actor] = (await ask(actor, method, path, darkroom.url)).status()
    }
    found[route] = answers
  }
  const expected = Object.entries(table).map(([route, { answers }]) => [route, answers])
  expect(found).toEqual(Object.fromEntries(expected))
})

test('without its key no cookie opens the API for programs', async () => {
  for (const [route, { path }] of Object.entries(table)) {
    if (!path.startsWith('/api/v1/') || /openapi|no\/such/.test(path)) continue
    const [method = 'GET'] = route.split(' ')
    const owner = await house.as('owner')
    const answer = await owner.fetch(filled(path), { method })
    expect([route, answer.status()]).toEqual([route, 401])
  }
})

test('from elsewhere the figures are read with their token, by no session and no key', async () => {
  const read = async (actor: Actor, authorization: string | undefined) => {
    const context = await house.as(actor)
    const answer = await context.get('/metrics', {
      headers: { 'x-forwarded-for': '203.0.113.7', ...(authorization && { authorization }) },
    })
    return answer.status()
  }
  for (const actor of actors) expect([actor, await read(actor, undefined)]).toEqual([actor, 401])
  expect(await read('nobody', `Bearer ${METRICS_TOKEN}`)).toBe(200)
  expect(await read('nobody', `Bearer ${METRICS_TOKEN}.`)).toBe(401)
  expect(await read('admin', `Bearer ${house.keys.admin ?? ''}`)).toBe(401)
})

/** An act as it is asked for: on the owner's things, or on what there is none of. */
function asked(act: AdminActName, things: Pick<Things, 'attempt' | 'account'>) {
  const common = { act, id: randomUUID(), reason: 'tried by everybody' }
  const ofAttempt = { ...common, attemptId: things.attempt, version: 0 }
  const ofAccount = { ...common, accountId: things.account }
  const inputs: Readonly<Record<AdminActName, unknown>> = {
    'look-again': ofAttempt,
    'look-up': ofAttempt,
    'retry-delivery': ofAttempt,
    'record-delivery': { ...ofAttempt, sha256: '0'.repeat(64) },
    'attach-task': { ...ofAttempt, taskId: 'task' },
    fail: { ...ofAttempt, proof: 'tried by everybody' },
    compensate: ofAttempt,
    'unblock-provider': { ...common, provider: 'nobody' },
    'grant-credits': { ...ofAccount, credits: 5 },
    'correct-credits': { ...ofAccount, credits: -5 },
    approve: { ...ofAccount, requestId: randomUUID() },
    reject: { ...ofAccount, requestId: randomUUID() },
    suspend: ofAccount,
    restore: ofAccount,
    'end-sessions': ofAccount,
    'read-prompts': ofAccount,
  }
  return inputs[act]
}

const Answer = z.object({ ok: z.boolean(), refusal: z.object({ code: z.string() }).optional() })
const DENIED = ['not-admin', 'signed-out', 'invalid']

async function codeOf(actor: Actor, name: string, path: string, arg: unknown, origin: string) {
  const action = ['app/admin/actions.ts', name, filled(path)] as const
  const { ok, refusal } = Answer.parse(await callAction(house, actor, action, [arg], origin))
  return ok ? 'done' : (refusal?.code ?? '')
}

test('every act of admins is done for those whose role may, and for nobody else', async ({
  darkroom,
}) => {
  const none = { attempt: randomUUID(), account: randomUUID() }
  const found: string[] = []
  for (const act of adminActNames) {
    for (const actor of actors) {
      const may = mayAct(ROLES[actor], act)
      const input = asked(act, may ? none : house.things)
      const code = await codeOf(
        actor,
        'adminAction',
        '/admin/accounts/{account}',
        input,
        darkroom.url,
      )
      const isRight = may
        ? !DENIED.includes(code)
        : code === (isSignedIn(actor) ? 'not-admin' : 'signed-out')
      if (!isRight) found.push(`${act} as ${actor}: ${code}`)
    }
  }
  expect(found).toEqual([])
})

test('every other action of admins is tried too', async ({ darkroom }) => {
  const names = Object.keys(actionsInBuild()).filter((name) => name.startsWith('app/admin/'))
  expect(names.map((name) => name.split(' ')[1]).sort()).toEqual([
    'adminAction',
    'auditAction',
    'drillAction',
    'previewAction',
  ])
  for (const actor of actors) {
    const role = ROLES[actor]
    const code = await codeOf(actor, 'auditAction', '/admin/ledger', undefined, darkroom.url)
    expect([actor, code]).toEqual([actor, mayAudit(role) ? 'done' : 'not-admin'])
    const drill = await codeOf(actor, 'drillAction', '/admin/drills', {}, darkroom.url)
    expect([actor, drill]).toEqual([actor, role === 'admin' ? 'invalid' : 'not-admin'])
    const preview = await callAction(
      house,
      actor,
      ['app/admin/actions.ts', 'previewAction', '/admin/attempts'],
      [{ act: 'compensate', ids: [house.things.attempt] }],
      darkroom.url,
    )
    expect([actor, z.array(z.unknown()).parse(preview).length]).toEqual([
      actor,
      mayAct(role, 'compensate') ? 1 : 0,
    ])
  }
})

test('after all of it the owner has what they had', async ({ darkroom }) => {
  const { account, attempt } = house.things
  const { rows } = await darkroom.sql.query(
    `select a.status, a.available, a.held, a.spent, t.state,
            (select count(*)::int from admin_log where subject like '%' || a.id) as lines
     from account a join attempt t on t.account_id = a.id where a.id = $1 and t.id = $2`,
    [account, attempt],
  )
  expect(rows).toEqual([
    { status: 'active', available: 96, held: 0, spent: 4, state: 'completed', lines: 0 },
  ])
  const owner = await house.as('owner')
  expect((await owner.get('/api/attempts')).status()).toBe(200)
})
