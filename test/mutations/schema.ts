import type { Mutation } from './mutation'

// What the tables themselves refuse. Each is tried by hand, as the owner, and must be refused by name.

const RULES = 'lib/db/schema-rules.db.test.ts'

const without = (rule: string, test: string, sql: string): Mutation => ({
  rule,
  sql,
  fails: [RULES, test],
})

/** What leans on the constraint goes with it. */
const unconstrained = (rule: string, table: string, constraint: string, test: string): Mutation =>
  without(rule, test, `alter table ${table} drop constraint ${constraint} cascade;`)

const once: readonly Mutation[] = [
  unconstrained(
    'a request id is one attempt of its account',
    'attempt',
    'attempt_request_id_once',
    'refuses a request id used again',
  ),
  unconstrained(
    'a task belongs to one attempt',
    'attempt',
    'attempt_task_once',
    'refuses a task used again',
  ),
  unconstrained(
    'a callback address belongs to one attempt',
    'attempt',
    'attempt_callback_token_once',
    'refuses a callback address used again',
  ),
  unconstrained(
    'a reservation is settled once',
    'settlement',
    'settlement_pkey',
    'refuses a second settlement',
  ),
  unconstrained(
    'an intent to submit is made once',
    'submission',
    'submission_pkey',
    'refuses a second intent',
  ),
  unconstrained(
    'nothing is sent more than three times',
    'submission',
    'submission_sends_bounded',
    'refuses a fourth send',
  ),
  unconstrained(
    'the ledger has one line of a kind for an attempt',
    'ledger_entry',
    'ledger_entry_once_per_attempt',
    'refuses a second hold of one attempt',
  ),
  unconstrained(
    'a grant or correction is made once for its source',
    'ledger_entry',
    'ledger_entry_source_once',
    'refuses a grant from a source that granted before',
  ),
  unconstrained(
    'an attempt has one artwork',
    'artwork',
    'artwork_pkey',
    'refuses a second artwork',
  ),
  unconstrained(
    'a callback is kept once',
    'callback',
    'callback_pkey',
    'refuses a callback kept twice',
  ),
]

const money: readonly Mutation[] = [
  without(
    'whoever asks for credits does not decide',
    'refuses a request for credits that its asker decides',
    'alter table credit_request drop constraint credit_request_four_eyes;',
  ),
  without(
    'credits above the threshold are not moved by hand alone',
    'refuses a large grant by hand that no second admin agreed to',
    'drop trigger ledger_entry_four_eyes on ledger_entry;',
  ),
  without(
    'an attempt reserves no more than was quoted',
    'refuses an attempt that reserves more than was quoted',
    'alter table attempt drop constraint attempt_within_quote;',
  ),
  unconstrained(
    'each line of the ledger continues the one before',
    'ledger_entry',
    'ledger_entry_continues_chain',
    'refuses a line after a gap',
  ),
  unconstrained(
    'no line goes below nothing',
    'ledger_entry',
    'ledger_entry_never_negative',
    'refuses a line that goes below nothing',
  ),
  unconstrained(
    'a correction has a reason',
    'ledger_entry',
    'ledger_entry_has_reason',
    'refuses a correction without a reason',
  ),
  unconstrained(
    'a balance is that of its last line',
    'account',
    'account_balance_is_last_entry',
    'refuses a balance without a line',
  ),
  without(
    'no line stays out of the balance',
    'refuses a right line that the balance does not know',
    'drop trigger ledger_entry_in_balance on ledger_entry;',
  ),
  without(
    'an account follows its lines one at a time',
    'refuses an account that goes back to an earlier line',
    'drop trigger account_follows_chain on account;',
  ),
  unconstrained(
    'nothing is recorded that was not reserved',
    'attempt',
    'attempt_reserved_before_anything',
    'refuses an attempt that nobody reserved for',
  ),
  unconstrained(
    'nothing is charged without an artwork',
    'settlement',
    'settlement_charges_only_for_artwork',
    'refuses a charge without an artwork',
  ),
  unconstrained(
    'a compensation has a reason',
    'settlement',
    'settlement_compensation_has_reason',
    'refuses a compensation without a reason',
  ),
  unconstrained(
    'a settlement is of what was reserved',
    'settlement',
    'settlement_repeats_reservation',
    'refuses a settlement of another amount',
  ),
  unconstrained(
    'a settlement has its line',
    'settlement',
    'settlement_has_entry',
    'refuses a settlement without a line',
  ),
  unconstrained(
    'a charge has its settlement',
    'ledger_entry',
    'ledger_entry_has_settlement',
    'refuses a charge without a settlement',
  ),
  unconstrained(
    'a day has no more free images than its limit',
    'allowance_day',
    'allowance_day_within_limit',
    'refuses more free images than a day has',
  ),
]

const states: readonly Mutation[] = [
  unconstrained(
    'nothing is submitting without an intent',
    'attempt',
    'attempt_intent_before_submitting',
    'refuses submitting without an intent',
  ),
  unconstrained(
    'nothing is pending without a task',
    'attempt',
    'attempt_task_known_when_pending',
    'refuses pending without a task',
  ),
  unconstrained(
    'the state and the settlement agree at the end',
    'attempt',
    'attempt_settlement_fits_state',
    'refuses completed with a release',
  ),
  unconstrained(
    'a change has its line of history',
    'attempt',
    'attempt_state_is_newest_event',
    'refuses a change whose line is missing',
  ),
  without(
    'only legal steps are taken',
    'refuses the step from UNRESOLVED to submitting',
    `alter table legal_transition disable trigger legal_transition_fixed;
     insert into legal_transition values ('status_unknown', 'submitting');`,
  ),
  without(
    'what was requested does not change, nor its first task',
    'refuses a change of prompt after the request',
    'drop trigger attempt_guarded on attempt;',
  ),
  without(
    'an open attempt keeps its work row',
    'refuses an open attempt without its work row',
    'drop trigger attempt_work_stays_while_open on attempt_work;',
  ),
]

const history: readonly Mutation[] = [
  ...['ledger_entry', 'settlement'].map((table) =>
    without(
      `${table} is append-only`,
      `refuses to update ${table}`,
      `drop trigger ${table}_append_only on ${table};`,
    ),
  ),
  // Append-only but for what is erased of a deleted account.
  ...['attempt_event', 'artwork', 'callback', 'anomaly'].map((table) =>
    without(
      `${table} is append-only`,
      `refuses to update ${table}`,
      `drop trigger ${table}_only_erased on ${table};`,
    ),
  ),
  without(
    'a deleted account stays deleted',
    'refuses an account that comes back from deletion',
    'drop trigger account_stays_deleted on account;',
  ),
  ...['attempt', 'submission', 'allowance_day', 'account'].map((table) =>
    without(
      `${table} is kept`,
      `refuses to truncate ${table}`,
      `drop trigger ${table}_kept on ${table};`,
    ),
  ),
]

export const schemaMutations: readonly Mutation[] = [...once, ...money, ...states, ...history]
