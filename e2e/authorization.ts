import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { inRoot } from '@/scripts/launch/root'

/** Who tries. `owner` is an ordinary user whose things are asked for, `other` one whose they are not. */
export const actors = ['nobody', 'guest', 'owner', 'other', 'support', 'auditor', 'admin'] as const
export type Actor = (typeof actors)[number]

/** What is asked for, all of it the owner's. */
export type Things = {
  readonly attempt: string
  readonly account: string
  readonly share: string
  readonly reference: string
}

export type Row = {
  /** With the name of a thing in braces where its id belongs. */
  readonly path: string
  readonly answers: Readonly<Record<Actor, number>>
}

const same = (status: number) => ({
  nobody: status,
  guest: status,
  owner: status,
  other: status,
  support: status,
  auditor: status,
  admin: status,
})
// What one may not see does not exist for them.
const foreign = { ...same(404), owner: 200 }
const reviewers = { ...same(404), support: 200, auditor: 200, admin: 200 }
const strangers = { ...same(307), nobody: 200, guest: 200 }
/** A page that sends whoever is not signed in to sign in. */
const pageOf = (answers: Readonly<Record<Actor, number>>) => ({ ...answers, nobody: 307 })
const dataOf = (answers: Readonly<Record<Actor, number>>) => ({ ...answers, nobody: 401 })

const byKey = (answers: Readonly<Record<Actor, number>>) => ({
  ...answers,
  nobody: 401,
  guest: 401,
})

const page = (path: string, answers: Readonly<Record<Actor, number>>): Row => ({ path, answers })

/** Every page and every handler, by its file, and what each answers to whom. */
export const table: Readonly<Record<string, Row>> = {
  // Whoever is signed in goes on to the studio.
  'GET app/page.tsx': page('/', strangers),
  'GET app/(app)/studio/page.tsx': page('/studio', same(200)),
  'GET app/(app)/images/page.tsx': page('/images', pageOf(same(200))),
  'GET app/(app)/images/[id]/page.tsx': page('/images/{attempt}', pageOf(foreign)),
  'GET app/(app)/credits/page.tsx': page('/credits', pageOf(same(200))),
  'GET app/(app)/account/page.tsx': page('/account', pageOf(same(200))),
  'GET app/sign-in/page.tsx': page('/sign-in', strangers),
  'GET app/sign-up/page.tsx': page('/sign-up', strangers),
  'GET app/sign-in/link/page.tsx': page('/sign-in/link', same(200)),
  'GET app/sign-in/link/[token]/page.tsx': page('/sign-in/link/none', same(200)),
  'GET app/forgot-password/page.tsx': page('/forgot-password', same(200)),
  'GET app/reset-password/[token]/page.tsx': page('/reset-password/none', same(200)),
  'GET app/s/[token]/page.tsx': page('/s/{share}', same(200)),
  'GET app/s/[token]/image/route.ts': page('/s/{share}/image', same(200)),
  'GET app/away.js/route.ts': page('/away.js', same(200)),

  'GET app/admin/page.tsx': page('/admin', reviewers),
  'GET app/admin/attempts/page.tsx': page('/admin/attempts', reviewers),
  'GET app/admin/attempts/[id]/page.tsx': page('/admin/attempts/{attempt}', reviewers),
  'GET app/admin/accounts/page.tsx': page('/admin/accounts', reviewers),
  'GET app/admin/accounts/[id]/page.tsx': page('/admin/accounts/{account}', reviewers),
  'GET app/admin/alerts/page.tsx': page('/admin/alerts', reviewers),
  'GET app/admin/policies/page.tsx': page('/admin/policies', reviewers),
  'GET app/admin/ledger/page.tsx': page('/admin/ledger', reviewers),
  'GET app/admin/drills/page.tsx': page('/admin/drills', reviewers),
  'GET app/admin/log/page.tsx': page('/admin/log', reviewers),
  'GET app/api/admin/attempts/csv/route.ts': page('/api/admin/attempts/csv', reviewers),
  'GET app/api/admin/ledger/route.ts': page('/api/admin/ledger', reviewers),
  // Nobody here has written down why they look at what the owner made.
  'GET app/api/admin/attempts/[id]/image/route.ts': page(
    '/api/admin/attempts/{attempt}/image',
    same(404),
  ),
  // An empty body is no image, which only those are told who may bring one.
  'POST app/api/admin/attempts/[id]/image/route.ts': page('/api/admin/attempts/{attempt}/image', {
    ...same(404),
    support: 403,
    auditor: 403,
    admin: 422,
  }),

  'GET app/api/attempts/route.ts': page('/api/attempts', dataOf(same(200))),
  'GET app/api/attempts/[id]/route.ts': page('/api/attempts/{attempt}', dataOf(foreign)),
  'GET app/api/attempts/[id]/image/route.ts': page(
    '/api/attempts/{attempt}/image',
    dataOf(foreign),
  ),
  'GET app/api/images/route.ts': page('/api/images', dataOf(same(200))),
  'GET app/api/images/zip/route.ts': page('/api/images/zip?ids={attempt}', dataOf(foreign)),
  'GET app/api/prompts/route.ts': page('/api/prompts?account={account}', {
    ...same(401),
    owner: 200,
  }),
  'GET app/api/statement/route.ts': page('/api/statement', dataOf(same(200))),
  'GET app/api/account/export/route.ts': page('/api/account/export', byKey(same(200))),
  'POST app/api/reference-images/route.ts': page('/api/reference-images', dataOf(same(422))),
  'GET app/api/reference-images/[sha256]/route.ts': page(
    '/api/reference-images/{reference}',
    dataOf(foreign),
  ),
  'GET app/api/auth/[...nextauth]/route.ts': page('/api/auth/session', same(200)),
  // Without its token it lets nobody in or out.
  'POST app/api/auth/[...nextauth]/route.ts': page('/api/auth/callback/credentials', same(302)),
  'POST app/api/callbacks/[provider]/[token]/route.ts': page(
    '/api/callbacks/simulator/none',
    same(401),
  ),
  'POST app/api/payments/stripe/route.ts': page('/api/payments/stripe', same(401)),
  'GET app/api/health/live/route.ts': page('/api/health/live', same(200)),
  'GET app/api/health/ready/route.ts': page('/api/health/ready', same(200)),
  'GET app/metrics/route.ts': page('/metrics', same(200)),

  // Programs: by the key of each, no cookie counts.
  'GET app/api/v1/attempts/route.ts': page('/api/v1/attempts', byKey(same(200))),
  // Without an Idempotency-Key nothing is made.
  'POST app/api/v1/attempts/route.ts': page('/api/v1/attempts', byKey(same(400))),
  'GET app/api/v1/attempts/[id]/route.ts': page('/api/v1/attempts/{attempt}', byKey(foreign)),
  'GET app/api/v1/attempts/[id]/image/route.ts': page(
    '/api/v1/attempts/{attempt}/image',
    byKey(foreign),
  ),
  'POST app/api/v1/attempts/[id]/cancel/route.ts': page(
    '/api/v1/attempts/{attempt}/cancel',
    byKey(foreign),
  ),
  'GET app/api/v1/balance/route.ts': page('/api/v1/balance', byKey(same(200))),
  'GET app/api/v1/ledger/route.ts': page('/api/v1/ledger', byKey(same(200))),
  'GET app/api/v1/models/route.ts': page('/api/v1/models', byKey(same(200))),
  'POST app/api/v1/reference-images/route.ts': page('/api/v1/reference-images', byKey(same(415))),
  'GET app/api/v1/openapi.json/route.ts': page('/api/v1/openapi.json', same(200)),
  ...Object.fromEntries(
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) => [
      [`${method} app/api/[...path]/route.ts`, page('/api/no/such/address', same(404))],
      [`${method} app/api/v1/[...path]/route.ts`, page('/api/v1/no/such/address', same(404))],
    ]),
  ),
}

// What a file of handlers offers: an export, or a line of what `resource` is given.
const METHODS = [
  /^export (?:async )?function (GET|POST|PUT|PATCH|DELETE)\b/gm,
  /\bas (GET|POST|PUT|PATCH|DELETE)\b/g,
  /^ {2}(GET|POST|PUT|PATCH|DELETE): /gm,
]

/** What there is, from the files themselves: "METHOD file". */
export function routesInFiles(): readonly string[] {
  return readdirSync(inRoot('app'), { recursive: true, encoding: 'utf8' })
    .map((path) => join('app', path))
    .filter((path) => /(^|\/)(page\.tsx|route\.ts)$/.test(path))
    .flatMap((path) => {
      const source = readFileSync(inRoot(path), 'utf8')
      const named = path.endsWith('route.ts')
        ? METHODS.flatMap((pattern) => [...source.matchAll(pattern)].map((match) => match[1] ?? ''))
        : []
      const methods = named.length === 0 ? ['GET'] : [...new Set(named)]
      return methods.map((method) => `${method} ${path}`)
    })
    .sort()
}

const Manifest = z.object({
  node: z.record(z.string(), z.object({ exportedName: z.string(), filename: z.string() })),
})

/** The address of each server action as the build made it, by its file and name. */
export function actionsInBuild(): Readonly<Record<string, string>> {
  const text = readFileSync(inRoot('.next', 'server', 'server-reference-manifest.json'), 'utf8')
  const { node } = Manifest.parse(JSON.parse(text))
  return Object.fromEntries(
    Object.entries(node).map(([id, { exportedName, filename }]) => [
      `${filename} ${exportedName}`,
      id,
    ]),
  )
}
