import { makeZip } from 'client-zip'
import {
  findAllFavourites,
  findAllReferenceImages,
  findAllowanceDays,
  findAllShares,
} from '@/lib/db/own-account-reader'
import { findAttemptPage, findEvents } from '@/lib/db/attempt-reader'
import type { AttemptRow } from '@/lib/db/attempt-row'
import { findExternalIdentities } from '@/lib/db/external-identity-store'
import { findOwnIdentity } from '@/lib/db/identity-store'
import { findPurchasesOf, type PurchaseRow } from '@/lib/db/purchase-reader'
import { findSessions } from '@/lib/db/session-store'
import { pictureFileName } from '@/lib/domain/file-name'
import type { AccountId, AttemptId } from '@/lib/domain/ids'
import { referenceKeyOf } from '@/lib/storage/object-keys'
import { listApiKeys } from './api-keys'
import { attemptView } from './attempt-view'
import type { Deps } from './deps'
import { exportStatement } from './export-statement'
import { historyLine } from './history-lines'
import { readImage } from './read-attempts'
import { readBalance } from './read-ledger'
import { readSpending } from './spending'

const ATTEMPTS_AT_ONCE = 50
const SESSIONS_MAX = 200
const PURCHASES_MAX = 10_000

const EXTENSION_OF = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const

const README = `What Darkroom keeps of you.

account.json       who you are here: address, name, ways to sign in, sessions, API keys (without the keys), choices,
                   credits, purchases, free images by day, links to pictures
attempts.json      every image that you asked for: prompt, settings, what became of it and when, what it cost
statement.csv      every line about credits, oldest first
pictures/          the pictures that you did not delete
reference-images/  the images that you uploaded to make others after

Times are in UTC. Times and identifiers are written as in the HTTP API.
`

type Entry = {
  readonly name: string
  readonly input: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  readonly lastModified?: Date
}

/**
 * All that is kept of an account, as one zip that is read while it is sent. What cannot be read is
 * named in a note inside: the archive never passes for more than it holds.
 */
export function exportAccount(deps: Deps, accountId: AccountId): ReadableStream<Uint8Array> {
  return makeZip(entries(deps, accountId))
}

async function* entries(deps: Deps, accountId: AccountId): AsyncGenerator<Entry> {
  const missing: string[] = []
  yield { name: 'README.txt', input: README }
  yield { name: 'account.json', input: json(await accountFacts(deps, accountId)) }
  yield { name: 'attempts.json', input: textStream(attemptsAsJson(deps, accountId)) }
  yield { name: 'statement.csv', input: exportStatement(deps, accountId) }
  yield* pictures(deps, accountId, missing)
  yield* referenceImages(deps, accountId, missing)
  if (missing.length > 0) {
    const input = `These could not be read, and are not in this archive:\n${missing.join('\n')}\n`
    yield { name: 'not-included.txt', input }
  }
}

async function accountFacts(deps: Deps, accountId: AccountId) {
  const { db } = deps
  const identity = await findOwnIdentity(db, accountId)
  return {
    email: identity?.email,
    email_verified_at: identity?.emailVerifiedAt,
    name: identity?.name,
    role: identity?.role,
    has_password: identity?.passwordHash !== undefined,
    told_by_email_when_a_long_one_ends: identity?.endsMailLocale !== undefined,
    signs_in_through: await findExternalIdentities(db, accountId),
    sessions: await findSessions(db, accountId, SESSIONS_MAX),
    api_keys: await listApiKeys(deps, accountId),
    credits: await readBalance(deps, accountId),
    daily_limit: (await readSpending(deps, accountId)).limit,
    free_images_by_day: await findAllowanceDays(db, accountId),
    purchases: (await findPurchasesOf(db, accountId, PURCHASES_MAX)).map(purchaseFacts),
    shared_links: await findAllShares(db, accountId),
    favourites: await findAllFavourites(db, accountId),
  }
}

const purchaseFacts = ({ id, pack_name, credits, amount, currency, ...row }: PurchaseRow) => ({
  ...{ id, pack: pack_name, credits, amount, currency, state: row.state },
  stripe_session: row.session_id,
  stripe_payment: row.payment_id,
  created_at: row.created_at,
})

/** Newest first, a page at a time. */
async function* allAttempts(deps: Deps, accountId: AccountId): AsyncGenerator<AttemptRow> {
  let olderThan: AttemptId | undefined
  for (;;) {
    const rows = await findAttemptPage(deps.db, accountId, { olderThan, limit: ATTEMPTS_AT_ONCE })
    const page = rows.slice(0, ATTEMPTS_AT_ONCE)
    yield* page
    olderThan = page.at(-1)?.id
    if (rows.length <= ATTEMPTS_AT_ONCE || olderThan === undefined) return
  }
}

async function* attemptsAsJson(deps: Deps, accountId: AccountId): AsyncGenerator<string> {
  let before = '[\n'
  for await (const row of allAttempts(deps, accountId)) {
    const history = (await findEvents(deps.db, row.id)).map(historyLine)
    const { artwork, ...attempt } = attemptView(row, new Date())
    // The small stand-in for the picture would be most of the file; the picture itself is beside it.
    const picture = artwork && { ...artwork, url: undefined, blur: undefined, file: fileOf(row) }
    yield `${before}${JSON.stringify({ ...attempt, picture, history }, undefined, 2)}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

const fileOf = ({ id, prompt, artwork }: AttemptRow) =>
  `pictures/${pictureFileName({ prompt, id, contentType: artwork?.contentType ?? '' })}`

async function* pictures(
  deps: Deps,
  accountId: AccountId,
  missing: string[],
): AsyncGenerator<Entry> {
  for await (const row of allAttempts(deps, accountId)) {
    if (row.state !== 'completed' || !row.artwork || row.artwork.deletedAt) continue
    const name = fileOf(row)
    const image = await readImage(deps, accountId, row.id).catch(() => undefined)
    if (image) yield { name, input: new Uint8Array(image.bytes), lastModified: row.createdAt }
    else missing.push(name)
  }
}

async function* referenceImages(
  deps: Deps,
  accountId: AccountId,
  missing: string[],
): AsyncGenerator<Entry> {
  for (const row of await findAllReferenceImages(deps.db, accountId)) {
    const name = `reference-images/${row.sha256}.${EXTENSION_OF[row.content_type]}`
    const key = referenceKeyOf(accountId, row.sha256)
    const bytes = await deps.images.get(key).catch(() => undefined)
    if (bytes) yield { name, input: new Uint8Array(bytes), lastModified: row.created_at }
    else missing.push(name)
  }
}

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`

function textStream(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const next = await parts.next()
      if (next.done === true) controller.close()
      else controller.enqueue(encoder.encode(next.value))
    },
    cancel: async () => {
      await parts.return(undefined)
    },
  })
}
