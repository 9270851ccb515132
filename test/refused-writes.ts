import { randomUUID } from 'node:crypto'
import { refusedAccountWrites } from './refused-account-writes'
import { refusedPurchaseWrites } from './refused-purchase-writes'

// Writes that no program makes, written as a hand would at the database's prompt. Names in capitals
// stand for rows that the test has made ready: an attempt in each state, and their account.

export type Refused = readonly [what: string, by: RegExp | string, sql: string]

/** A next ledger line that is right in everything that is not changed. */
function entry(changed: {
  readonly kind: string
  readonly amount?: string
  readonly attempt?: string
  readonly source?: string
  readonly reason?: string
  readonly seq?: string
  readonly available?: string
}): string {
  const { kind, amount = '1', attempt = 'null', source = 'null', reason = 'null' } = changed
  return `
    insert into ledger_entry (account_id, seq, kind, amount, attempt_id, source_key, actor, reason,
                              available_after, held_after, spent_after)
    select id, ${changed.seq ?? 'last_entry_seq + 1'}, '${kind}', ${amount}, ${attempt}, ${source},
           'by hand', ${reason}, available + available_delta('${kind}', ${amount}) + ${changed.available ?? '0'},
           held + held_delta('${kind}', ${amount}), spent + spent_delta('${kind}', ${amount})
    from account where id = ACCOUNT`
}

/** A change of state with its line of history. */
const move = (attempt: string, to: string, also = '') => `
  insert into attempt_event (attempt_id, account_id, seq, from_state, to_state, kind, actor)
  select id, account_id, version + 1, state, '${to}', 'by_hand', 'by hand'
  from attempt where id = ${attempt};
  update attempt set state = '${to}', version = version + 1 ${also} where id = ${attempt}`

const settlement = (
  attempt: string,
  kind: string,
  changed: { amount?: string; account?: string; reason?: string } = {},
) => `
  insert into settlement (attempt_id, account_id, kind, amount, actor, reason)
  values (${attempt}, ${changed.account ?? 'ACCOUNT'}, '${kind}', ${changed.amount ?? '1'}, 'by hand',
          ${changed.reason ?? 'null'})`

/** A new attempt that is right in everything that is not changed, with its first line of history. */
function attempt(changed: Readonly<Record<string, string>> = {}): string {
  const id = changed['id'] ?? `'${randomUUID()}'`
  const columns: Record<string, string> = {
    id,
    account_id: 'ACCOUNT',
    request_id: 'gen_random_uuid()',
    fingerprint: `sha256('x')`,
    provider: `'simulator'`,
    model: `'simulator/proof'`,
    prompt: `'x'`,
    settings: `'{}'`,
    price: '1',
    reserved_credits: '1',
    callback_token_hash: `sha256('${id.slice(1, -1)}')`,
    ...changed,
  }
  return `
    insert into attempt (${Object.keys(columns).join(', ')}) values (${Object.values(columns).join(', ')});
    insert into attempt_event (attempt_id, account_id, seq, from_state, to_state, kind, actor)
    values (${id}, ACCOUNT, 0, null, 'initializing', 'recorded', 'by hand')`
}

/** An attempt with its hold, right if the hold is its price. */
function reservedAttempt(amount: string): string {
  const id = `'${randomUUID()}'`
  return `${attempt({ id })}; ${entry({ kind: 'reserved', amount, attempt: id })}`
}

const event = (attemptName: string, seq: string, from: string, to: string) => `
  insert into attempt_event (attempt_id, account_id, seq, from_state, to_state, kind, actor)
  select id, account_id, ${seq}, ${from}, '${to}', 'by_hand', 'by hand'
  from attempt where id = ${attemptName}`

const artwork = (attemptName: string, key: string, type = 'image/png') => `
  insert into artwork (attempt_id, account_id, object_key, sha256, content_type, width, height,
                       size_bytes, blur)
  values (${attemptName}, ACCOUNT, ${key}, sha256('x'), '${type}', 1, 1, 1, '')`

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const trace = (traceparent: string) => `
  insert into attempt_trace (attempt_id, account_id, traceparent)
  values (PENDING, ACCOUNT, '${traceparent}')`

const balance = (change: string) => `update account set ${change} where id = ACCOUNT`
const grant = { kind: 'granted', source: `'by hand'` }

const money: readonly Refused[] = [
  ['a negative balance', 'account_available_bounded', balance('available = -1')],
  ['a negative hold', 'account_held_bounded', balance('held = -1')],
  ['negative spending', 'account_spent_bounded', balance('spent = -1')],
  ['a balance beyond every bound', 'account_available_bounded', balance('available = 1000000001')],
  [
    'a balance without a line',
    'account_balance_is_last_entry',
    balance('available = available + 1'),
  ],
  [
    'a hold turned into spending without a line',
    'account_balance_is_last_entry',
    balance('held = held - 1, spent = spent + 1'),
  ],
  [
    'an account that begins with credits',
    'account_empty_without_entries',
    `insert into account (id, available) values (gen_random_uuid(), 5)`,
  ],
  [
    'an account that goes back to an earlier line',
    /follows its ledger one line at a time/,
    `update account a set available = e.available_after, held = e.held_after,
            spent = e.spent_after, last_entry_seq = e.seq
     from ledger_entry e where a.id = ACCOUNT and e.account_id = a.id and e.seq = 1`,
  ],
  [
    'an account that forgets its lines',
    /follows its ledger one line at a time/,
    balance('available = 0, held = 0, spent = 0, last_entry_seq = null'),
  ],
  ['a right line that the balance does not know', /is not in its balance/, entry(grant)],
  [
    'a line that does not continue the last',
    'ledger_entry_continues_chain',
    entry({ ...grant, available: '1' }),
  ],
  [
    'a line after a gap',
    'ledger_entry_continues_chain',
    entry({ ...grant, seq: 'last_entry_seq + 2' }),
  ],
  [
    'a first line that begins with credits',
    'ledger_entry_chain_starts_empty',
    `insert into ledger_entry (account_id, seq, kind, amount, source_key, actor, available_after, held_after, spent_after) values (NEWCOMER, 1, 'granted', 1, 'x', 'by hand', 2, 0, 0)`,
  ],
  [
    'a second line in the same place',
    'ledger_entry_pkey',
    entry({ ...grant, seq: 'last_entry_seq', available: '0' }),
  ],
  [
    'a line that goes below nothing',
    'ledger_entry_never_negative',
    entry({ kind: 'corrected', amount: '-1000', source: `'x'`, reason: `'a good reason'` }),
  ],
  ['a negative grant', 'ledger_entry_amount_positive', entry({ ...grant, amount: '-1' })],
  ['a line about nothing', 'ledger_entry_amount_bounded', entry({ ...grant, amount: '0' })],
  [
    'a line of an unknown kind',
    'ledger_entry_kind_known',
    entry({ kind: 'gift', attempt: 'PENDING' }),
  ],
  [
    'a large grant by hand that no second admin agreed to',
    'ledger_entry_four_eyes',
    `insert into declared_setting values ('approval-above', 1000, '10', 'by hand');
     ${entry({ kind: 'granted', amount: '11', source: `'operator:x'` })}`,
  ],
  ['a grant without a source', 'ledger_entry_has_source', entry({ kind: 'granted' })],
  ['a grant for an attempt', 'ledger_entry_of_attempt', entry({ ...grant, attempt: 'PENDING' })],
  ['a hold for no attempt', 'ledger_entry_of_attempt', entry({ kind: 'reserved' })],
  [
    'a grant from a source that granted before',
    'ledger_entry_source_once',
    entry({ kind: 'granted', source: `'sign-up'` }),
  ],
  [
    'a correction without a reason',
    'ledger_entry_has_reason',
    entry({ kind: 'corrected', source: `'x'`, reason: `'       x'` }),
  ],
  [
    'a second hold of one attempt',
    'ledger_entry_once_per_attempt',
    entry({ kind: 'reserved', attempt: 'PENDING' }),
  ],
  ['a hold of another amount', 'ledger_entry_repeats_reservation', reservedAttempt('2')],
  [
    'a charge without a settlement',
    'ledger_entry_has_settlement',
    entry({ kind: 'settled', attempt: 'PENDING' }),
  ],
  [
    'a release without a settlement',
    'ledger_entry_has_settlement',
    entry({ kind: 'released', attempt: 'PENDING' }),
  ],
  [
    'a second charge',
    /^ledger_entry_(once_per_attempt|has_settlement)$/,
    entry({ kind: 'settled', attempt: 'COMPLETED' }),
  ],
  [
    'a release after a charge',
    'ledger_entry_has_settlement',
    entry({ kind: 'released', attempt: 'COMPLETED' }),
  ],
  ['a second settlement', 'settlement_pkey', settlement('COMPLETED', 'released')],
  ['a second release', 'settlement_pkey', settlement('FAILED', 'released')],
  [
    'a settlement of another amount',
    'settlement_repeats_reservation',
    settlement('PENDING', 'released', { amount: '2' }),
  ],
  [
    'a settlement of nothing for a price',
    'settlement_repeats_reservation',
    settlement('PENDING', 'released', { amount: '0' }),
  ],
  [
    'a settlement to another account',
    'settlement_repeats_reservation',
    settlement('PENDING', 'released', { account: 'NEWCOMER' }),
  ],
  ['a settlement of an unknown kind', 'settlement_kind_known', settlement('PENDING', 'forgiven')],
  ['a settlement without a line', 'settlement_has_entry', settlement('PENDING', 'released')],
  [
    'a charge without an artwork',
    'settlement_charges_only_for_artwork',
    settlement('DELIVERING', 'settled'),
  ],
  [
    'a compensation without a reason',
    'settlement_compensation_has_reason',
    settlement('UNRESOLVED', 'compensated', { reason: `'   so    '` }),
  ],
  [
    'more free images than a day has',
    'allowance_day_within_limit',
    `insert into allowance_day values (ACCOUNT, '2026-01-01', 1, 1, 1)`,
  ],
  [
    'free images below none',
    'allowance_day_natural',
    `insert into allowance_day values (ACCOUNT, '2026-01-01', 1, -1, 0)`,
  ],
]

const states: readonly Refused[] = [
  ['an attempt that nobody reserved for', 'attempt_reserved_before_anything', attempt()],
  [
    'a request id used again',
    'attempt_request_id_once',
    attempt({ request_id: '(select request_id from attempt where id = PENDING)' }),
  ],
  [
    'a callback address used again',
    'attempt_callback_token_once',
    attempt({
      callback_token_hash: '(select callback_token_hash from attempt where id = PENDING)',
    }),
  ],
  [
    'a task used again',
    'attempt_task_once',
    attempt({ task_id: '(select task_id from attempt where id = PENDING)' }),
  ],
  [
    'an attempt for nothing',
    'attempt_price_bounded',
    attempt({ price: '0', reserved_credits: '0' }),
  ],
  [
    'an attempt that reserves another amount',
    'attempt_reserves_one_thing',
    attempt({ reserved_credits: '2' }),
  ],
  [
    'an attempt that reserves more than was quoted',
    'attempt_within_quote',
    attempt({ quoted_credits: '0' }),
  ],
  ['a quote below nothing', 'attempt_quote_bounded', attempt({ quoted_credits: '-1' })],
  ['a trace in words', 'attempt_trace_traceparent_form', trace('the first one of today')],
  ['a trace of nobody’s version', 'attempt_trace_traceparent_form', trace(`01-${TRACE}`)],
  [
    'a trace that becomes another',
    /^attempt_trace is append-only$/,
    `${trace(`00-${TRACE}`)}; update attempt_trace set traceparent = traceparent`,
  ],
  [
    'an attempt that reserves credits and a free image',
    'attempt_reserves_one_thing',
    attempt({ allowance_day: `'2026-01-01'` }),
  ],
  [
    'a free image of a day that was not counted',
    'attempt_allowance_of_day',
    attempt({ reserved_credits: '0', allowance_day: `'2026-01-01'` }),
  ],
  ['an attempt without a prompt', 'attempt_prompt_bounded', attempt({ prompt: `''` })],
  ['settings that are none', 'attempt_settings_bounded', attempt({ settings: `'[]'` })],
  ['half a fingerprint', 'attempt_fingerprint_is_sha256', attempt({ fingerprint: `'\\x00'` })],
  [
    'an attempt that begins at the end',
    'attempt_settlement_fits_state',
    attempt({ state: `'completed'` }),
  ],
  ...[
    ['prompt', `'another'`],
    ['price', '2'],
    ['reserved_credits', '0'],
    ['request_id', 'gen_random_uuid()'],
    ['fingerprint', `sha256('another')`],
    ['settings', `'{"seed":7}'`],
    ['model', `'simulator/safelight'`],
    ['provider', `'another'`],
    ['callback_token_hash', `sha256('another')`],
    ['created_at', 'now()'],
  ].map(([column = '', value = '']): Refused => [
    `a change of ${column} after the request`,
    /^what was requested of attempt .* cannot change$/,
    `update attempt set ${column} = ${value}, version = version + 1 where id = PENDING`,
  ]),
  [
    'a change without a line of history',
    /changes only with a line of history$/,
    `update attempt set updated_at = now() where id = PENDING`,
  ],
  [
    'a change whose line is missing',
    'attempt_state_is_newest_event',
    `update attempt set version = version + 1 where id = PENDING`,
  ],
  [
    'another task for an attempt',
    /has a task already$/,
    `update attempt set task_id = 'another', version = version + 1 where id = PENDING`,
  ],
  [
    'a task taken away',
    /has a task already$/,
    `update attempt set task_id = null, version = version + 1 where id = PENDING`,
  ],
  [
    'an unknown state',
    'attempt_state_known',
    `update attempt set state = 'gone', version = version + 1 where id = PENDING`,
  ],
  [
    'submitting without an intent',
    'attempt_intent_before_submitting',
    move('INITIALIZING', 'submitting'),
  ],
  ['pending without a task', 'attempt_task_known_when_pending', move('UNRESOLVED', 'pending')],
  [
    'delivering without a result',
    'attempt_result_known_when_delivering',
    move('PENDING', 'delivering'),
  ],
  [
    'completed without a settlement',
    'attempt_settlement_fits_state',
    move('DELIVERING', 'completed'),
  ],
  [
    'completed without an artwork',
    /^attempt_(artwork_when_completed|settlement_recorded)$/,
    move('DELIVERING', 'completed', `, settlement = 'settled'`),
  ],
  [
    'completed with a release',
    'attempt_settlement_fits_state',
    move('DELIVERING', 'completed', `, settlement = 'released'`),
  ],
  [
    'failed without a reason',
    'attempt_failure_known_when_failed',
    move('PENDING', 'failed', `, settlement = 'released'`),
  ],
  [
    'failed without a release',
    'attempt_settlement_fits_state',
    move('PENDING', 'failed', `, failure_code = 'cancelled', failure_message = 'x'`),
  ],
  [
    'failed with a release that is nowhere',
    'attempt_settlement_recorded',
    move(
      'PENDING',
      'failed',
      `, settlement = 'released', failure_code = 'cancelled', failure_message = 'x'`,
    ),
  ],
  [
    'a failure of what did not fail',
    'attempt_failure_known_when_failed',
    move('PENDING', 'pending', `, failure_code = 'cancelled', failure_message = 'x'`),
  ],
  [
    'an unknown failure',
    'attempt_failure_code_known',
    move(
      'PENDING',
      'failed',
      `, settlement = 'released', failure_code = 'late', failure_message = 'x'`,
    ),
  ],
  [
    'a compensation before the end that is nowhere',
    'attempt_settlement_recorded',
    move('UNRESOLVED', 'status_unknown', `, settlement = 'compensated'`),
  ],
  [
    'a charge before the end',
    'attempt_settlement_fits_state',
    move('PENDING', 'pending', `, settlement = 'settled'`),
  ],
  ...[
    ['COMPLETED', 'pending'],
    ['COMPLETED', 'failed'],
    ['FAILED', 'completed'],
    ['FAILED', 'initializing'],
    ['FAILED', 'failed'],
    ['PENDING', 'submitting'],
    ['PENDING', 'initializing'],
    ['UNRESOLVED', 'submitting'],
    ['UNRESOLVED', 'initializing'],
    ['DELIVERING', 'submitting'],
    ['DELIVERING', 'pending'],
    ['INITIALIZING', 'pending'],
  ].map(([from = '', to = '']): Refused => [
    `the step from ${from} to ${to}`,
    'attempt_event_legal',
    move(from, to),
  ]),
  [
    'a line of history after a gap',
    'attempt_event_continues_chain',
    event('PENDING', 'version + 2', 'state', 'pending'),
  ],
  [
    'a line of history that begins elsewhere',
    'attempt_event_continues_chain',
    event('PENDING', 'version + 1', `'submitting'`, 'pending'),
  ],
  [
    'a second beginning',
    'attempt_event_starts_chain',
    event('PENDING', 'version + 1', 'null', 'pending'),
  ],
  [
    'a second line in the same place',
    'attempt_event_pkey',
    event('PENDING', 'version', 'state', 'pending'),
  ],
  [
    'an open attempt without its work row',
    /its work row stays$/,
    `delete from attempt_work where attempt_id = UNRESOLVED`,
  ],
  [
    'a second intent',
    'submission_pkey',
    `insert into submission (attempt_id, account_id, provider, epoch) values (PENDING, ACCOUNT, 'simulator', 1)`,
  ],
  [
    'a fourth send',
    'submission_sends_bounded',
    `update submission set sends = 4 where attempt_id = PENDING`,
  ],
  ['a second artwork', 'artwork_pkey', artwork('COMPLETED', `'another'`)],
  [
    'an artwork stored where another is',
    'artwork_object_key_once',
    artwork('DELIVERING', '(select object_key from artwork where attempt_id = COMPLETED)'),
  ],
  [
    'an artwork of a kind that is not allowed',
    'artwork_content_type_known',
    artwork('DELIVERING', `'x'`, 'image/svg+xml'),
  ],
  [
    'a callback kept twice',
    'callback_pkey',
    `insert into callback values ('p', 'd', PENDING, ACCOUNT, ''), ('p', 'd', PENDING, ACCOUNT, '')`,
  ],
  [
    'a callback larger than any',
    'callback_body_bounded',
    `insert into callback values ('p', 'd', PENDING, ACCOUNT, repeat('x', 1048577))`,
  ],
  [
    'progress beyond the end',
    'attempt_work_progress_fraction',
    `update attempt_work set progress = 1.5 where attempt_id = PENDING`,
  ],
]

const identity = (changed: string) => `
  insert into user_identity (account_id, email, name, password_hash, role) values ${changed}`
const people: readonly Refused[] = [
  ['an unknown account status', 'account_status_known', balance(`status = 'gone'`)],
  [
    'an address in capitals',
    'user_identity_email_plain',
    identity(`(NEWCOMER, 'A@x.example', 'A', '$argon2id$x', 'user')`),
  ],
  [
    'a password as it was typed',
    'user_identity_password_hashed',
    identity(`(NEWCOMER, 'a@x.example', 'A', 'secret', 'user')`),
  ],
  [
    'an unknown role',
    'user_identity_role_known',
    identity(`(NEWCOMER, 'a@x.example', 'A', '$argon2id$x', 'root')`),
  ],
  [
    'an address that somebody has',
    'user_identity_email_once',
    identity(
      `(NEWCOMER, (select email from user_identity where account_id = ACCOUNT), 'A', '$argon2id$x', 'user')`,
    ),
  ],
  [
    'a session that ends before it starts',
    'session_ends_after_start',
    `insert into session (id, account_id, expires_at) values (gen_random_uuid(), ACCOUNT, now() - interval '1 day')`,
  ],
  [
    'a session that is handed to another account',
    /cannot become another$/,
    `with opened as (select gen_random_uuid() as id)
     insert into session (id, account_id, expires_at)
     select id, ACCOUNT, now() + interval '1 day' from opened;
     update session set account_id = NEWCOMER where account_id = ACCOUNT`,
  ],
  [
    'a session that begins again',
    /stays ended$/,
    `insert into session (id, account_id, expires_at, ended_at)
     values (gen_random_uuid(), ACCOUNT, now() + interval '1 day', now());
     update session set ended_at = null where account_id = ACCOUNT and ended_at is not null`,
  ],
  [
    'an account that goes with what it owns',
    /^account is append-only$/,
    `delete from account where id = ACCOUNT`,
  ],
]

export const refusedWrites: readonly Refused[] = [
  ...money,
  ...states,
  ...people,
  ...refusedAccountWrites,
  ...refusedPurchaseWrites,
]

/** What the statements above are when nothing is wrong with them. */
export const acceptedWrites: readonly (readonly [what: string, sql: string])[] = [
  [
    'a grant with its balance',
    `${entry({ ...grant, source: `'another hand'` })}; ${balance('last_entry_seq = last_entry_seq + 1, available = available + 1')}`,
  ],
  [
    'an attempt with its hold and its balance',
    `${reservedAttempt('1')}; ${balance('last_entry_seq = last_entry_seq + 1, available = available - 1, held = held + 1')}`,
  ],
  ['a step with its line of history', move('UNRESOLVED', 'status_unknown')],
]
