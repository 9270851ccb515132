import { z } from 'zod'
import type { Database } from './database'
import { keepableJson } from './keepable'

export const settingNames = [
  'prices',
  'daily-allowance',
  'signup-credits',
  'approval-above',
] as const
export type SettingName = (typeof settingNames)[number]

/** Makes these the ones in force; what changed is another version. */
export async function declareSettings(
  db: Database,
  settings: Readonly<Record<SettingName, unknown>>,
  actor: string,
): Promise<void> {
  for (const name of settingNames) {
    await db.pool.query('select declare_setting($1, $2, $3)', [
      name,
      keepableJson(settings[name] ?? null),
      actor,
    ])
  }
}

const SettingRow = z.object({
  name: z.enum(settingNames),
  version: z.int(),
  value: z.unknown(),
  actor: z.string(),
  declared_at: z.date(),
})
export type SettingRow = Readonly<z.infer<typeof SettingRow>>

/** Every version, the newest first. */
export async function findSettings(db: Database, limit: number): Promise<readonly SettingRow[]> {
  const { rows } = await db.pool.query(
    `select name, version, value, actor, declared_at from declared_setting
     order by declared_at desc, name limit $1`,
    [limit],
  )
  return z.array(SettingRow).parse(rows)
}

const Threshold = z.number().nullable().catch(null)

/** The threshold that the workers declared; undefined: none did, or there is none. */
export async function findDeclaredApproval(db: Database): Promise<number | undefined> {
  const { rows } = await db.pool.query<{ value: unknown }>(
    `select value from declared_setting where name = 'approval-above' order by version desc limit 1`,
  )
  return Threshold.parse(rows[0]?.value) ?? undefined
}

const PolicyRow = z.object({
  version: z.int(),
  after_ms: z.coerce.number().nullable(),
  actor: z.string(),
  created_at: z.date(),
  compensated: z.int(),
})
export type PolicyRow = Readonly<z.infer<typeof PolicyRow>>

/** The versions of the compensation policy, newest first, and what was given back under each lately. */
export async function findPolicies(db: Database, limit: number): Promise<readonly PolicyRow[]> {
  const { rows } = await db.pool.query(
    `select p.version, p.after_ms, p.actor, p.created_at,
            (select count(*)::int from settlement s
             where s.kind = 'compensated' and s.policy_version = p.version
               and s.created_at > app_now() - interval '90 days') as compensated
     from compensation_policy p order by p.version desc limit $1`,
    [limit],
  )
  return z.array(PolicyRow).parse(rows)
}

const EntryRow = z.object({
  account_id: z.uuid(),
  seq: z.int(),
  kind: z.string(),
  amount: z.int(),
  attempt_id: z.uuid().nullable(),
  actor: z.string(),
  reason: z.string().nullable(),
  available_after: z.int(),
  held_after: z.int(),
  spent_after: z.int(),
  created_at: z.date(),
})
export type LedgerRow = Readonly<z.infer<typeof EntryRow>>

/** All lines of all accounts, in the order of the primary key. */
export async function findLedgerAfter(
  db: Database,
  after: Pick<LedgerRow, 'account_id' | 'seq'> | undefined,
  limit: number,
): Promise<readonly LedgerRow[]> {
  const { rows } = await db.pool.query(
    `select account_id, seq, kind, amount, attempt_id, actor, reason, available_after, held_after,
            spent_after, created_at
     from ledger_entry where (account_id, seq) > ($1, $2) order by account_id, seq limit $3`,
    [after?.account_id ?? '00000000-0000-0000-0000-000000000000', after?.seq ?? 0, limit],
  )
  return z.array(EntryRow).parse(rows)
}
