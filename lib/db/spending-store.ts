import { z } from 'zod'
import type { AccountId } from '@/lib/domain/ids'
import type { Database } from './database'

const Spending = z.object({ day: z.string(), used: z.int(), limit: z.int().nullable() })
export type Spending = Readonly<z.infer<typeof Spending>>

/** This UTC day's credits, charged or on hold, and the account's own limit for them. */
export async function findSpending(db: Database, accountId: AccountId): Promise<Spending> {
  const { rows } = await db.pool.query({
    name: 'find_spending',
    text: `select today.day::text, credits_used_on($1, today.day) as used,
                  (select credits from spending_limit where account_id = $1) as "limit"
           from (select (app_now() at time zone 'utc')::date as day) today`,
    values: [accountId],
  })
  return Spending.parse(rows[0])
}

/** Undefined takes the limit away. `no_account`: a guest who has started nothing. */
export async function setSpendingLimit(
  db: Database,
  accountId: AccountId,
  credits: number | undefined,
): Promise<'set' | 'removed' | 'no_account'> {
  const { rows } = await db.pool.query({
    name: 'set_spending_limit',
    text: 'select set_spending_limit($1, $2) as outcome',
    values: [accountId, credits ?? null],
  })
  return z.object({ outcome: z.enum(['set', 'removed', 'no_account']) }).parse(rows[0]).outcome
}

const DayUse = z.object({ day: z.string(), charged: z.int(), held: z.int(), images: z.int() })
export type DayUse = Readonly<z.infer<typeof DayUse>>

/**
 * What became of the holds of each of the last UTC days, today included, oldest first. A day counts
 * what was set aside on it, as the daily limit does: what came back is on none.
 */
export async function findUseByDay(
  db: Database,
  accountId: AccountId,
  days: number,
): Promise<readonly DayUse[]> {
  const { rows } = await db.pool.query({
    name: 'find_use_by_day',
    text: `with today as (select (app_now() at time zone 'utc')::date as day),
                used as (
                  select (e.created_at at time zone 'utc')::date as day, e.amount, a.settlement
                  from today cross join ledger_entry e
                  join attempt a on a.id = e.attempt_id and a.account_id = e.account_id
                  where e.account_id = $1 and e.kind = 'reserved'
                    and e.created_at >= (today.day - $2::int + 1)::timestamp at time zone 'utc'
                    and coalesce(a.settlement, 'settled') = 'settled')
           select d::date::text as day,
                  coalesce(sum(u.amount) filter (where u.settlement = 'settled'), 0)::int as charged,
                  coalesce(sum(u.amount) filter (where u.settlement is null), 0)::int as held,
                  count(u.amount) filter (where u.settlement = 'settled')::int as images
           from today
           cross join generate_series(today.day - $2::int + 1, today.day, interval '1 day') d
           left join used u on u.day = d::date
           group by d order by d`,
    values: [accountId, days],
  })
  return z.array(DayUse).parse(rows)
}
