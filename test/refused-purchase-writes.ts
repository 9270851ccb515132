import type { Refused } from './refused-writes'

// What nobody may write about purchases, by hand either. The same names in capitals stand for rows: PURCHASE
// was paid and a fifth of it refunded, UNPAID has a session and no payment.

/** A next purchase that is right in everything that is not changed. */
function purchase(changed: Readonly<Record<string, string>> = {}): string {
  const columns: Record<string, string> = {
    id: 'gen_random_uuid()',
    account_id: 'ACCOUNT',
    request_id: 'gen_random_uuid()',
    pack: `'s'`,
    pack_name: `'S'`,
    credits: '100',
    amount: '500',
    currency: `'eur'`,
    livemode: 'false',
    ...changed,
  }
  return `insert into purchase (${Object.keys(columns).join(', ')}) values (${Object.values(columns).join(', ')})`
}

const event = (changed: Readonly<Record<string, string>> = {}) => {
  const columns: Record<string, string> = {
    id: `'by hand'`,
    kind: `'session'`,
    livemode: 'false',
    outcome: `'paid'`,
    amount: '500',
    currency: `'eur'`,
    occurred_at: 'now()',
    ...changed,
  }
  return `insert into payment_event (${Object.keys(columns).join(', ')}) values (${Object.values(columns).join(', ')})`
}

/** A line of a purchase, right as the next of PURCHASE if nothing is changed. */
const line = ({
  of = 'PURCHASE',
  seq = '3',
  kind = 'refunded',
  amount = '-1',
  taken = '21',
  because = 'paid',
} = {}) => `
  insert into purchase_entry (purchase_id, account_id, seq, kind, amount, taken_after, event_id)
  values (${of}, ACCOUNT, ${seq}, '${kind}', ${amount}, ${taken}, '${because}')`

const change = (what: string, of = 'PURCHASE') => `update purchase set ${what} where id = ${of}`

const ledgerLine = (kind: string, amount: string, source: string) =>
  `select post_entry(ACCOUNT, '${kind}', ${amount}, null, ${source}, 'by hand', null)`

export const refusedPurchaseWrites: readonly Refused[] = [
  ['a purchase of no credits', 'purchase_credits_bounded', purchase({ credits: '0' })],
  ['a purchase for nothing', 'purchase_amount_bounded', purchase({ amount: '0' })],
  ['a purchase in no currency', 'purchase_currency_plain', purchase({ currency: `'EURO'` })],
  [
    'a purchase in an unknown state',
    'purchase_state_known',
    purchase({ state: `'free'`, look_at: 'null', session_id: `'cs x'` }),
  ],
  [
    'a second purchase under one request',
    'purchase_request_once',
    purchase({ request_id: '(select request_id from purchase where id = PURCHASE)' }),
  ],
  [
    'a purchase made twice',
    'purchase_id_once',
    purchase({ id: 'PURCHASE', account_id: 'NEWCOMER' }),
  ],
  [
    'one session for two purchases',
    'purchase_session_once',
    purchase({ state: `'open'`, session_id: `'cs unpaid'` }),
  ],
  [
    'one payment for two purchases',
    'purchase_payment_once',
    change(`payment_id = 'pi paid'`, 'UNPAID'),
  ],
  ['an open purchase without a session', 'purchase_session_known', purchase({ state: `'open'` })],
  [
    'a paid purchase without its grant',
    'purchase_paid_has_line',
    change(`state = 'paid', look_at = null`, 'UNPAID'),
  ],
  [
    'a grant that is no line of the purchase',
    'purchase_taken_is_last_entry',
    change(`state = 'paid', look_at = null, last_seq = 1`, 'UNPAID'),
  ],
  ['a purchase that is paid no more', /stays paid$/, change(`state = 'expired', last_seq = null`)],
  [
    'a purchase that nobody looks for',
    'purchase_looked_at_while_open',
    change('look_at = null', 'UNPAID'),
  ],
  ['another price of a purchase', /cannot change$/, change('amount = 1')],
  [
    'another session of a purchase',
    /has a session or a payment already$/,
    change(`session_id = 'x'`),
  ],
  ['credits taken back without a line', 'purchase_taken_is_last_entry', change('taken = 21')],
  ['more taken back than was bought', 'purchase_taken_within_credits', change('owed = 81')],
  [
    'credits owed of what was not paid',
    'purchase_takes_only_when_paid',
    change('owed = 1', 'UNPAID'),
  ],
  [
    'a second grant of a purchase',
    'purchase_granted_once',
    line({ seq: '1', kind: 'purchased', amount: '100', taken: '0' }),
  ],
  [
    'a grant after the first line',
    'purchase_entry_begins_with_grant',
    line({ kind: 'purchased', amount: '100', taken: '20' }),
  ],
  [
    'a grant of other credits than were bought',
    'purchase_entry_repeats_credits',
    line({ of: 'UNPAID', seq: '1', kind: 'purchased', amount: '101', taken: '0' }),
  ],
  [
    'a grant because of nothing',
    'purchase_entry_because_of_event',
    line({ of: 'UNPAID', seq: '1', kind: 'purchased', amount: '100', taken: '0', because: 'x' }),
  ],
  [
    'a refund that adds credits',
    'purchase_entry_amount_signed',
    line({ amount: '1', taken: '19' }),
  ],
  ['a line after a gap in a purchase', 'purchase_entry_continues_chain', line({ seq: '4' })],
  [
    'a line that does not continue the last of a purchase',
    'purchase_entry_continues_chain',
    line({ taken: '22' }),
  ],
  ['a line of a purchase that is not in the ledger', 'purchase_entry_in_ledger', line()],
  [
    'a bought line without a purchase',
    'ledger_entry_of_purchase',
    ledgerLine('purchased', '100', `'purchase:' || UNPAID || ':1'`),
  ],
  [
    'a refunded line of another amount than the purchase has',
    'ledger_entry_of_purchase',
    `${line()}; ${ledgerLine('refunded', '-2', `'purchase:' || PURCHASE || ':3'`)}`,
  ],
  [
    'a grant in the name of a purchase',
    'ledger_entry_of_purchase',
    ledgerLine('granted', '100', `'purchase:' || UNPAID || ':1'`),
  ],
  [
    'a refund in the ledger that adds credits',
    'ledger_entry_of_purchase',
    ledgerLine('refunded', '1', `'x'`),
  ],
  ['an event kept twice', 'payment_event_once', event({ id: `'paid'` })],
  ['an event of an unknown kind', 'payment_event_kind_known', event({ kind: `'gift'` })],
  [
    'an event that says what its kind cannot',
    'payment_event_outcome_known',
    event({ outcome: `'won'` }),
  ],
  ['an event of a negative amount', 'payment_event_amount_natural', event({ amount: '-1' })],
  ['an event with an unknown trouble', 'payment_event_trouble_known', event({ trouble: `'x'` })],
  [
    'a dispute that has no name',
    'payment_event_names_dispute',
    event({ kind: `'dispute'`, outcome: `'open'` }),
  ],
]
