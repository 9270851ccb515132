import { z } from 'zod'
import { findLogPage } from '@/lib/db/admin-log-reader'
import { adminActNames, mayReview, Role, roles } from '@/lib/domain/role'
import type { AdminLogLineView } from '@/lib/web/admin-views'
import type { Page } from '@/lib/web/views'
import type { Deps } from './deps'
import type { Admin } from './perform-admin-act'

const EMPTY = { data: [], next_cursor: null } as const

/** What admins asked for and what came of it, newest first. */
export async function readAdminLog(
  deps: Deps,
  admin: Admin,
  page: {
    /** An admin's e-mail. */
    readonly actor?: string | undefined
    readonly subject?: string | undefined
    readonly act?: string | undefined
    /** The role that it was done in. */
    readonly role?: string | undefined
    /** The first and the last day, as days of UTC: 2026-11-30. */
    readonly from?: string | undefined
    readonly to?: string | undefined
    readonly cursor?: string | undefined
    readonly limit: number
  },
): Promise<Page<AdminLogLineView>> {
  if (!mayReview(admin.role)) return EMPTY
  const { limit } = page
  const rows = await findLogPage(deps.db, {
    actors: page.actor === undefined ? undefined : actorsOf(page.actor),
    subject: page.subject && keepable(page.subject),
    act: adminActNames.find((name) => name === page.act),
    role: Role.safeParse(page.role).data,
    from: dayOf(page.from),
    before: dayAfter(dayOf(page.to)),
    olderThan: /^\d{1,18}$/.test(page.cursor ?? '') ? page.cursor : undefined,
    limit,
  })
  const data = rows.slice(0, limit)
  return { data, next_cursor: rows.length > limit ? (data.at(-1)?.seq ?? null) : null }
}

/** Somebody may have had another role when they did it. */
const actorsOf = (email: string) =>
  roles.map((role) => `${role}:${keepable(email).toLowerCase()}`.slice(0, 200))

// An address may hold what the database cannot: it then names nothing.
const keepable = (text: string) => text.trim().toWellFormed().replaceAll('\u0000', '\ufffd')

const Day = z.iso.date().transform((day) => new Date(`${day}T00:00:00Z`))
const DAY_MS = 86_400_000

// What is no day filters nothing, as what is no act does.
const dayOf = (text: string | undefined) => Day.safeParse(text).data
const dayAfter = (day: Date | undefined) => day && new Date(day.getTime() + DAY_MS)
