// One statement for each family of rules. Each makes one pass over whole tables, compares what is
// there with what it is made of, and answers a row for every rule that does not hold: its name, the
// account, the attempt, what was expected and what was found. Triggers and foreign keys refuse all of
// this; the audit is for what got past them: a restored backup, a disabled trigger, a broken disk.
// The words are made for what is broken only: making them for every row takes longer than the rest.

/** The lines of each account are numbered without gaps, and each carries the balances so far. */
const LEDGER_LINES = `
  with line as (
    select account_id, attempt_id, seq, available_after, held_after, spent_after,
           row_number() over so_far as position,
           sum(available_delta(kind, amount)) over so_far as available,
           sum(held_delta(kind, amount)) over so_far as held,
           sum(spent_delta(kind, amount)) over so_far as spent
    from ledger_entry
    window so_far as (partition by account_id order by seq)
  ), wrong as materialized (
    select *, seq <> position as has_gap,
           (available, held, spent) <> (available_after, held_after, spent_after) as differs
    from line
    where seq <> position or available <> available_after or held <> held_after
       or spent <> spent_after
  )
  (select distinct on (account_id) 'ledger_lines_gapless' as invariant, account_id, attempt_id,
          'line ' || position as expected, 'line ' || seq as found
   from wrong where has_gap order by account_id, position)
  union all
  (select distinct on (account_id) 'running_balances_add_up', account_id, attempt_id,
          format('after line %s: available %s, held %s, spent %s', seq, available, held, spent),
          format('available %s, held %s, spent %s', available_after, held_after, spent_after)
   from wrong where differs order by account_id, position)`

/** An account's balances are the sums of its lines, and what it holds is what its attempts hold. */
const BALANCES = `
  with entries as (
    select account_id, sum(available_delta(kind, amount)) as available,
           sum(held_delta(kind, amount)) as held, sum(spent_delta(kind, amount)) as spent,
           max(seq) as last_seq
    from ledger_entry group by account_id
  ), reserved as (
    select a.account_id, sum(a.reserved_credits) as held
    from attempt a
    left join settlement s on s.attempt_id = a.id and s.account_id = a.account_id
    where s.attempt_id is null group by a.account_id
  )
  select 'balance_equals_entries' as invariant, coalesce(a.id, e.account_id) as account_id,
         null::uuid as attempt_id,
         format('available %s, held %s, spent %s, last line %s', coalesce(e.available, 0),
                coalesce(e.held, 0), coalesce(e.spent, 0), coalesce(e.last_seq, 0)) as expected,
         case when a.id is null then 'no account' else
           format('available %s, held %s, spent %s, last line %s', a.available, a.held, a.spent,
                  coalesce(a.last_entry_seq, 0)) end as found
  from account a full join entries e on e.account_id = a.id
  where a.id is null or a.available <> coalesce(e.available, 0) or a.held <> coalesce(e.held, 0)
     or a.spent <> coalesce(e.spent, 0) or a.last_entry_seq is distinct from e.last_seq
  union all
  select 'held_equals_open_reservations', coalesce(a.id, r.account_id), null,
         format('held %s', coalesce(r.held, 0)),
         case when a.id is null then 'no account' else format('held %s', a.held) end
  from account a full join reserved r on r.account_id = a.id
  where a.id is null or a.held <> coalesce(r.held, 0)`

/** Each reservation has its line and at most one end; state, settlement and ledger tell the same. */
const SETTLEMENTS = `
  with entry as (
    select attempt_id, account_id,
           max(amount) filter (where kind = 'reserved') as reserved,
           min(seq) filter (where kind = 'reserved') as reserved_seq,
           count(*) filter (where kind <> 'reserved') as ends,
           max(kind) filter (where kind <> 'reserved') as end_kind,
           max(amount) filter (where kind <> 'reserved') as end_amount,
           min(seq) filter (where kind <> 'reserved') as end_seq
    from ledger_entry where attempt_id is not null group by attempt_id, account_id
  ), known as (
    select coalesce(a.account_id, e.account_id, s.account_id) as account_id,
           coalesce(a.id, e.attempt_id, s.attempt_id) as attempt_id,
           a.id is not null as there, a.state, a.settlement, a.reserved_credits,
           nullif(a.reserved_credits, 0) as owed, s.kind, s.amount, s.reason, e.reserved,
           e.reserved_seq, coalesce(e.ends, 0) as ends, e.end_kind, e.end_amount, e.end_seq
    from attempt a
    full join entry e on e.attempt_id = a.id and e.account_id = a.account_id
    full join settlement s on s.attempt_id = coalesce(a.id, e.attempt_id)
                          and s.account_id = coalesce(a.account_id, e.account_id)
  ), judged as (
    select *, array_remove(array[
      case when not there then 'money_belongs_to_attempt' end,
      case when there and reserved is distinct from owed then 'reservation_in_ledger' end,
      case when there and settlement is distinct from kind then 'settlement_of_attempt' end,
      case when there and not case state
        when 'completed' then coalesce(kind, '') in ('settled', 'compensated')
        when 'failed' then coalesce(kind, '') in ('released', 'compensated')
        else coalesce(kind, 'compensated') = 'compensated' end then 'settlement_fits_state' end,
      case when there and amount <> reserved_credits then 'settlement_of_reserved_amount' end,
      case when end_kind is distinct from case when owed is not null then kind end
             or end_amount <> amount then 'settlement_in_ledger' end,
      case when ends > 1 then 'settled_once' end,
      case when end_seq <= reserved_seq then 'settled_after_reserved' end,
      case when kind = 'compensated' and char_length(btrim(coalesce(reason, ''))) < 8
           then 'compensation_has_reason' end
    ], null) as broken
    from known
  )
  select invariant, account_id, attempt_id,
    case invariant
      when 'money_belongs_to_attempt' then 'an attempt'
      when 'reservation_in_ledger' then 'reserved ' || coalesce(owed, 0)
      when 'settlement_of_attempt' then 'settlement ' || coalesce(kind, 'none')
      when 'settlement_fits_state' then 'a settlement that fits ' || state
      when 'settlement_of_reserved_amount' then 'amount ' || reserved_credits
      when 'settlement_in_ledger' then
        coalesce(case when owed is not null then kind || ' ' || amount end, 'no line')
      when 'settled_once' then 'at most 1 end of the reservation'
      when 'settled_after_reserved' then 'after line ' || reserved_seq
      else 'a reason' end as expected,
    case invariant
      when 'money_belongs_to_attempt' then 'none'
      when 'reservation_in_ledger' then 'reserved ' || coalesce(reserved, 0)
      when 'settlement_of_attempt' then 'the attempt says ' || coalesce(settlement, 'none')
      when 'settlement_fits_state' then 'settlement ' || coalesce(kind, 'none')
      when 'settlement_of_reserved_amount' then 'amount ' || amount
      when 'settlement_in_ledger' then coalesce(end_kind || ' ' || end_amount, 'no line')
      when 'settled_once' then ends::text
      when 'settled_after_reserved' then 'line ' || end_seq
      else coalesce(reason, 'none') end as found
  from judged cross join lateral unnest(broken) as invariant
  where broken <> '{}'`

/** A day's counters are the attempts that took its units. */
const ALLOWANCES = `
  with taken as (
    select a.account_id, a.allowance_day as day, count(*) filter (where s.kind is null) as held,
           count(*) filter (where s.kind = 'settled') as delivered
    from attempt a
    left join settlement s on s.attempt_id = a.id and s.account_id = a.account_id
    where a.allowance_day is not null group by a.account_id, a.allowance_day
  )
  select 'allowance_counts_attempts' as invariant, coalesce(d.account_id, t.account_id) as account_id,
         null::uuid as attempt_id,
         format('%s: held %s, delivered %s', coalesce(d.day, t.day), coalesce(t.held, 0),
                coalesce(t.delivered, 0)) as expected,
         case when d.day is null then 'no such day'
              else format('held %s, delivered %s', d.held, d.delivered) end as found
  from allowance_day d full join taken t on t.account_id = d.account_id and t.day = d.day
  where d.day is null or d.held <> coalesce(t.held, 0) or d.delivered <> coalesce(t.delivered, 0)
  union all
  select 'allowance_within_limit', account_id, null, format('%s: at most %s', day, unit_limit),
         format('held %s, delivered %s', held, delivered)
  from allowance_day where held + delivered > unit_limit`

/** Work is there exactly while the outcome is open, an artwork exactly when it was delivered. */
const TRACES = `
  with known as (
    select coalesce(a.account_id, w.account_id, i.account_id) as account_id,
           coalesce(a.id, w.attempt_id, i.attempt_id) as attempt_id, a.state,
           w.attempt_id is not null as has_work, i.attempt_id is not null as has_artwork
    from attempt a
    full join attempt_work w on w.attempt_id = a.id and w.account_id = a.account_id
    full join artwork i on i.attempt_id = coalesce(a.id, w.attempt_id)
                       and i.account_id = coalesce(a.account_id, w.account_id)
  ), judged as (
    select *, array_remove(array[
      case when has_work <> coalesce(state not in ('completed', 'failed'), false)
           then 'work_while_open' end,
      case when has_artwork <> coalesce(state = 'completed', false)
           then 'artwork_when_completed' end
    ], null) as broken
    from known
  )
  select invariant, account_id, attempt_id,
         case when state is null then 'an attempt'
              when invariant = 'work_while_open' then 'a work row exactly while open: it is ' || state
              else 'an artwork exactly when completed: it is ' || state end as expected,
         case when case invariant when 'work_while_open' then has_work else has_artwork end
              then 'it is there' else 'it is not there' end as found
  from judged cross join lateral unnest(broken) as invariant
  where broken <> '{}'`

/** A purchase is granted once, when it is paid, and what was taken back of it is in the ledger. */
const PURCHASES = `
  with line as (
    select account_id, source_key, kind, amount from ledger_entry
    where kind in ('purchased', 'refunded', 'disputed', 'reinstated')
  ), told as (
    select account_id, split_part(source_key, ':', 2) as purchase_id,
           count(*) filter (where kind = 'purchased') as grants,
           sum(amount) filter (where kind = 'purchased') as granted,
           -coalesce(sum(amount) filter (where kind <> 'purchased'), 0) as taken
    from line group by 1, 2
  ), known as (
    select coalesce(p.account_id, t.account_id) as account_id, p.id, p.state, p.credits, p.taken, p.owed,
           coalesce(t.grants, 0) as grants, coalesce(t.granted, 0) as granted,
           coalesce(t.taken, 0) as told_taken
    from purchase p
    full join told t on t.account_id = p.account_id and t.purchase_id = p.id::text
  )
  select 'purchase_granted_once' as invariant, account_id, null::uuid as attempt_id,
         case when id is null then 'a purchase' when state = 'paid' then '1 grant of ' || credits
              else 'no grant of what is ' || state end as expected,
         format('%s grants, of %s together', grants, granted) as found
  from known
  where id is null or grants <> (state = 'paid')::int
     or granted <> case when state = 'paid' then credits else 0 end
  union all
  select 'purchase_taken_in_ledger', account_id, null, format('taken %s of %s', told_taken, credits),
         format('taken %s, owed %s', taken, owed)
  from known where id is not null and (taken <> told_taken or taken + owed > credits)
  union all
  select 'purchase_entry_in_ledger', coalesce(e.account_id, l.account_id), null,
         case when e.seq is null then 'no line' else format('%s %s', e.kind, e.amount) end,
         case when l.source_key is null then 'no line' else format('%s %s', l.kind, l.amount) end
  from purchase_entry e
  full join line l on l.account_id = e.account_id and l.source_key = e.source_key
  where (e.kind, e.amount) is distinct from (l.kind, l.amount)`

/**
 * The history has no gap, each line begins where the one before ended, the last one ends at the
 * state, and a call may have been made exactly as often as the intents say.
 *
 * What a line ends at and what the next one begins at is the same pair of state and number, so over
 * an unbroken chain the hashes of all ends and of all beginnings differ by the last end alone. To
 * sort the largest table, as comparing each line with its neighbour would, takes three times as long.
 */
const HISTORIES = `
  with told as (
    select e.attempt_id, e.account_id, count(*) as lines, max(e.seq) as last_seq,
           sum(hashtextextended(e.to_state, e.seq)) as ends,
           sum(hashtextextended(e.from_state, e.seq - 1)) as begins,
           bool_and(t.from_state is not null or e.from_state is null) as legal,
           count(*) filter (where e.to_state = 'submitting') as sendings
    from attempt_event e
    left join legal_transition t on t.from_state = e.from_state and t.to_state = e.to_state
    group by e.attempt_id, e.account_id
  ), known as (
    select coalesce(a.account_id, t.account_id, s.account_id) as account_id,
           coalesce(a.id, t.attempt_id, s.attempt_id) as attempt_id, a.id is not null as there,
           a.state, a.version, t.lines, t.last_seq, t.legal,
           t.ends - coalesce(t.begins, 0) as remaining, coalesce(t.sendings, 0) as sendings,
           coalesce(s.sends, 0) as sends, s.armed
    from attempt a
    full join told t on t.attempt_id = a.id and t.account_id = a.account_id
    full join submission s on s.attempt_id = coalesce(a.id, t.attempt_id)
                          and s.account_id = coalesce(a.account_id, t.account_id)
  ), judged as (
    select *, array_remove(array[
      case when not there then 'history_of_attempt' end,
      case when there and (lines is distinct from version + 1 or last_seq is distinct from version)
           then 'history_gapless' end,
      case when there and remaining is distinct from hashtextextended(state, version)
           then 'history_replays_to_state' end,
      case when not legal then 'history_legal' end,
      case when sends <> sendings then 'submission_when_sent' end,
      case when there and not case state
        when 'failed' then true
        when 'initializing' then not coalesce(armed, false)
        else coalesce(armed, false) end then 'submission_armed_while_sent' end
    ], null) as broken
    from known
  )
  select invariant, account_id, attempt_id,
    case invariant
      when 'history_of_attempt' then 'an attempt'
      when 'history_gapless' then format('%s lines, the last one %s', version + 1, version)
      when 'history_replays_to_state' then 'a chain of lines that ends at ' || state
      when 'history_legal' then 'steps that a state may take'
      when 'submission_when_sent' then sendings || ' sends'
      else 'an intent that fits ' || state end as expected,
    case invariant
      when 'history_of_attempt' then 'none'
      when 'history_gapless' then
        format('%s lines, the last one %s', coalesce(lines, 0), coalesce(last_seq::text, 'none'))
      when 'history_replays_to_state' then 'a broken chain, or another end'
      when 'history_legal' then 'another one'
      when 'submission_when_sent' then sends || ' sends'
      else case when armed is null then 'none' when armed then 'an armed one'
                else 'a disarmed one' end end as found
  from judged cross join lateral unnest(broken) as invariant
  where broken <> '{}'`

/** Those that take longest come first. */
export const auditQueries: readonly string[] = [
  HISTORIES,
  SETTLEMENTS,
  LEDGER_LINES,
  BALANCES,
  TRACES,
  ALLOWANCES,
  PURCHASES,
]

/** Every rule that the statements above check. */
export const invariants = [
  'ledger_lines_gapless',
  'running_balances_add_up',
  'balance_equals_entries',
  'held_equals_open_reservations',
  'money_belongs_to_attempt',
  'reservation_in_ledger',
  'settlement_of_attempt',
  'settlement_fits_state',
  'settlement_of_reserved_amount',
  'settlement_in_ledger',
  'settled_once',
  'settled_after_reserved',
  'compensation_has_reason',
  'allowance_counts_attempts',
  'allowance_within_limit',
  'work_while_open',
  'artwork_when_completed',
  'history_of_attempt',
  'history_gapless',
  'history_replays_to_state',
  'history_legal',
  'submission_when_sent',
  'submission_armed_while_sent',
  'purchase_granted_once',
  'purchase_taken_in_ledger',
  'purchase_entry_in_ledger',
] as const
