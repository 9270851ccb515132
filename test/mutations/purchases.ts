import type { Mutation } from './mutation'

// What holds of credits for money: one session, one grant, the very amount, and no more taken back than is there.

const PURCHASES = 'prisma/migrations/20261201020000_add_purchases/migration.sql'
const EVENT = 'lib/payments/read-event.ts'
const STRIPE = 'lib/payments/stripe-payments.ts'

const RULES = 'lib/db/schema-rules.db.test.ts'
const BUYING = 'lib/use-cases/purchases.db.test.ts'
const REFUNDS = 'lib/use-cases/refunds.db.test.ts'
const READING = 'lib/payments/stripe-payments.test.ts'

const unconstrained = (
  rule: string,
  table: string,
  constraint: string,
  test: string,
): Mutation => ({
  rule,
  sql: `alter table ${table} drop constraint ${constraint} cascade;`,
  fails: [RULES, test],
})

const inSql = (
  rule: string,
  fails: Mutation['fails'],
  text: string,
  replacement: string,
): Mutation => ({ rule, file: PURCHASES, change: [[text, replacement]], fails })

export const purchaseMutations: readonly Mutation[] = [
  unconstrained(
    'a purchase is granted once',
    'purchase_entry',
    'purchase_granted_once',
    'refuses a second grant of a purchase',
  ),
  unconstrained(
    'a purchase is granted what was bought',
    'purchase_entry',
    'purchase_entry_repeats_credits',
    'refuses a grant of other credits than were bought',
  ),
  unconstrained(
    'an event is kept once',
    'payment_event',
    'payment_event_once',
    'refuses an event kept twice',
  ),
  unconstrained(
    'a session pays for one purchase',
    'purchase',
    'purchase_session_once',
    'refuses one session for two purchases',
  ),
  unconstrained(
    'what was taken back has its line',
    'purchase',
    'purchase_taken_is_last_entry',
    'refuses credits taken back without a line',
  ),
  {
    rule: 'a bought line has its purchase',
    sql: 'drop trigger ledger_entry_of_purchase on ledger_entry;',
    fails: [RULES, 'refuses a bought line without a purchase'],
  },
  inSql(
    'a paid purchase is not granted again',
    [BUYING, 'is granted once, though two events'],
    `  if v_purchase.state = 'paid' then return 'paid_before'; end if;\n`,
    '',
  ),
  inSql(
    'another amount than was asked for is never granted',
    [BUYING, 'of another amount is never granted'],
    `    when p_outcome = 'paid' and (v_purchase.amount, v_purchase.currency)
         is distinct from (p_amount, p_currency) then 'amount_mismatch'\n`,
    '',
  ),
  inSql(
    'play money buys nothing real',
    [BUYING, 'of another kind of money is never granted'],
    `    when v_purchase.livemode <> p_livemode then 'livemode_mismatch'
    when v_purchase.session_id <> p_session_id`,
    `    when v_purchase.session_id <> p_session_id`,
  ),
  inSql(
    'another session than the purchase’s grants nothing',
    [BUYING, 'through another session is never granted'],
    `    when v_purchase.session_id <> p_session_id then 'second_session'\n`,
    '',
  ),
  inSql(
    'what suspended accounts ask for is not sold',
    [BUYING, 'is not for guests, strangers, suspended accounts'],
    `  if v_account.status <> 'active' then
    return query select 'account_suspended', null::uuid;
    return;
  end if;
  if (select count(*) from purchase`,
    `  if (select count(*) from purchase`,
  ),
  inSql(
    'a refund takes no more than is available',
    [REFUNDS, 'takes no more than is available'],
    'select least(v_moved, available) into strict v_moved',
    'select v_moved into strict v_moved',
  ),
  inSql(
    'what was refunded is counted once, whoever tells it',
    [REFUNDS, 'told twenty times at once'],
    'v_moved := v_target - v_purchase.taken;',
    'v_moved := v_target;',
  ),
  inSql(
    'a refund that came before its payment is not forgotten',
    [REFUNDS, 'that comes before the payment counts'],
    `    perform settle_purchase(v_purchase.id, p_event_id);
    return 'granted';`,
    `    return 'granted';`,
  ),
  inSql(
    'a dispute that was won takes nothing',
    [REFUNDS, 'takes back, and gives back when it is won'],
    `sum(d.amount) filter (where d.outcome <> 'won')`,
    `sum(d.amount)`,
  ),
  {
    rule: 'a finished session is paid only when Stripe says so',
    file: EVENT,
    change: [[`said.data.object.payment_status === 'paid' ? 'paid' : 'waiting'`, `'paid'`]],
    fails: [READING, 'checkout.session.completed of what is paid later'],
  },
  {
    rule: 'one purchase is one session at Stripe',
    file: STRIPE,
    change: [['{ idempotencyKey: purchaseId }', '{ idempotencyKey: crypto.randomUUID() }']],
    fails: [READING, 'is one, however often its answer is lost'],
  },
  {
    rule: 'an error of Stripe’s is no proof that there is no session',
    file: STRIPE,
    change: [
      [`kind: isRefused ? 'refused' : 'unknown'`, `kind: isRefused ? 'refused' : 'refused'`],
    ],
    fails: [READING, 'may exist after an error'],
  },
  {
    rule: 'an event that was signed long ago is not believed',
    file: STRIPE,
    change: [['          TOLERANCE_SECONDS,\n', '          0,\n']],
    fails: [READING, 'is believed only as Stripe signs it'],
  },
]
