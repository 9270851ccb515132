import type pg from 'pg'

/**
 * What must hold between any two transactions, whatever happened. Each query names what breaks its
 * rule, and so must find nothing. The schema refuses most of it; these do not trust the schema.
 */
export const invariants: Readonly<Record<string, string>> = {
  'balances are the sums of the entries': `
    select a.id from account a
    left join (
      select account_id, sum(available_delta(kind, amount)) as available,
             sum(held_delta(kind, amount)) as held, sum(spent_delta(kind, amount)) as spent
      from ledger_entry group by account_id
    ) l on l.account_id = a.id
    where (a.available, a.held, a.spent) is distinct from
          (coalesce(l.available, 0), coalesce(l.held, 0), coalesce(l.spent, 0))`,
  'entries are numbered without a gap and the account stands at the last': `
    select a.id from account a
    left join (select account_id, count(*) as n, max(seq) as last from ledger_entry group by 1) l
      on l.account_id = a.id
    where coalesce(l.n, 0) <> coalesce(l.last, 0) or a.last_entry_seq is distinct from l.last`,
  'held credits are those of the attempts that are not settled': `
    select a.id from account a
    left join (
      select account_id, sum(reserved_credits) as held from attempt
      where settlement is null group by account_id
    ) o on o.account_id = a.id
    where a.held <> coalesce(o.held, 0)`,
  'spent credits are those of the settled attempts': `
    select a.id from account a
    left join (
      select account_id, sum(reserved_credits) as spent from attempt
      where settlement = 'settled' group by account_id
    ) o on o.account_id = a.id
    where a.spent <> coalesce(o.spent, 0)`,
  'every attempt has one reservation, and one resolution exactly when it is settled': `
    select t.id from attempt t
    left join ledger_entry e on e.attempt_id = t.id
    left join settlement s on s.attempt_id = t.id
    group by t.id, t.account_id, t.reserved_credits, t.settlement, s.kind
    having count(*) filter (where e.kind = 'reserved') <> (t.reserved_credits > 0)::int
        or count(*) filter (where e.kind <> 'reserved')
           <> (t.reserved_credits > 0 and t.settlement is not null)::int
        or t.settlement is distinct from s.kind`,
  'what ended is settled as it ended': `
    select id from attempt
    where (state = 'completed' and coalesce(settlement, '') not in ('settled', 'compensated'))
       or (state = 'failed' and coalesce(settlement, '') not in ('released', 'compensated'))
       or (state not in ('completed', 'failed') and coalesce(settlement, 'compensated') <> 'compensated')`,
  'a work row exists exactly while the outcome is open': `
    select coalesce(t.id, w.attempt_id) from attempt t
    full join attempt_work w on w.attempt_id = t.id and w.account_id = t.account_id
    where (w.attempt_id is not null) is distinct from (t.state not in ('completed', 'failed'))`,
  'nothing was sent without an intent, and nothing pends without a task': `
    select t.id from attempt t
    left join submission s on s.attempt_id = t.id and s.account_id = t.account_id
    where (s.attempt_id is null and t.state not in ('initializing', 'failed'))
       or (t.task_id is null and t.state = 'pending')`,
  'an intent is disarmed exactly when it is proved that it created nothing': `
    select t.id from attempt t join submission s on s.attempt_id = t.id
    where (t.state = 'initializing' and s.armed)
       or (t.state not in ('initializing', 'failed') and not s.armed)`,
  'an artwork exists exactly when the attempt is completed': `
    select coalesce(t.id, w.attempt_id) from attempt t
    full join artwork w on w.attempt_id = t.id and w.account_id = t.account_id
    where (w.attempt_id is not null) is distinct from (t.state = 'completed')`,
  'history has no gap and ends in the state': `
    select t.id from attempt t
    left join (
      select attempt_id, count(*) as n, max(seq) as last,
             (array_agg(to_state order by seq desc))[1] as state
      from attempt_event group by attempt_id
    ) e on e.attempt_id = t.id
    where (e.n, e.last, e.state) is distinct from (t.version + 1, t.version, t.state)`,
  'each line of history begins where the one before ended': `
    select attempt_id from (
      select attempt_id, seq, from_state,
             lag(to_state) over (partition by attempt_id order by seq) as before
      from attempt_event
    ) x where from_state is distinct from before`,
  'a day of the allowance counts the attempts that hold or used it': `
    select d.account_id from allowance_day d
    left join (
      select account_id, allowance_day,
             count(*) filter (where settlement is null) as held,
             count(*) filter (where settlement = 'settled') as delivered
      from attempt where allowance_day is not null group by 1, 2
    ) t on t.account_id = d.account_id and t.allowance_day = d.day
    where (d.held, d.delivered) is distinct from (coalesce(t.held, 0), coalesce(t.delivered, 0))
       or d.held + d.delivered > d.unit_limit`,
  'a purchase is granted once when it is paid, and never otherwise': `
    select p.id from purchase p
    left join ledger_entry e on e.account_id = p.account_id and e.kind = 'purchased'
                            and e.source_key like 'purchase:' || p.id || ':%'
    group by p.id, p.state, p.credits
    having (count(e.seq), coalesce(sum(e.amount), 0)) is distinct from
           ((p.state = 'paid')::int::bigint, case when p.state = 'paid' then p.credits else 0 end)`,
  'what was taken back of a purchase is what its lines took': `
    select p.id from purchase p
    left join ledger_entry e on e.account_id = p.account_id and e.kind <> 'purchased'
                            and e.source_key like 'purchase:' || p.id || ':%'
    group by p.id, p.taken having p.taken <> -coalesce(sum(e.amount), 0)`,
}

/** Every row that breaks a rule, by the rule. */
export async function findInvariantBreaks(
  owner: pg.Pool,
): Promise<Readonly<Record<string, unknown>>> {
  const found = await Promise.all(
    Object.entries(invariants).map(async ([rule, sql]) => {
      const { rows } = await owner.query<Record<string, unknown>>(sql)
      return [rule, rows] as const
    }),
  )
  return Object.fromEntries(found.filter(([, rows]) => rows.length > 0))
}
