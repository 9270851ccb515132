import type { Mutation } from './mutation'

// What the database's functions make sure of: leases, versions, replays, money, days.

const FUNCTIONS = 'prisma/migrations/20261130070100_create_attempt_functions/migration.sql'
const RECOVERY = 'prisma/migrations/20261130071000_add_recovery/migration.sql'
const GUESTS = 'prisma/migrations/20261130072000_add_guests/migration.sql'
const REPEATS = 'prisma/migrations/20261130092000_add_provider_recovery/migration.sql'
const QUOTES = 'prisma/migrations/20261130180000_add_quotes/migration.sql'
const ALERT_MAIL = 'prisma/migrations/20261130210000_mail_alerts/migration.sql'
const CORRECTIONS = 'prisma/migrations/20261130090000_correct_credits/migration.sql'

const RACES = 'lib/db/races.db.test.ts'
const ACCOUNTS = 'lib/db/account-store.db.test.ts'
const START = 'lib/use-cases/start-attempt.db.test.ts'
const SUBMISSION = 'lib/use-cases/submission.db.test.ts'
const CRASHES = 'lib/use-cases/crash.db.test.ts'
const RECOVERING = 'lib/use-cases/recovery.db.test.ts'
const QUOTE_TESTS = 'lib/use-cases/quotes.db.test.ts'
const ALERT_MAIL_TESTS = 'lib/use-cases/alert-mail.db.test.ts'
const ROLES = 'lib/use-cases/admin-roles.db.test.ts'
const GUEST_TESTS = 'lib/use-cases/guests.db.test.ts'
const ROLE = 'lib/db/app-role.db.test.ts'

export const functionMutations: readonly Mutation[] = [
  // Leases and versions.
  {
    rule: 'an attempt that is not due is not claimed',
    file: FUNCTIONS,
    change: [['    where w.due_at <= app_now()\n', '']],
    fails: [CRASHES, 'a dead worker’s lease is nobody’s'],
  },
  {
    rule: 'what is claimed is not due while its lease lasts',
    file: FUNCTIONS,
    change: [
      [
        `        lease_until = app_now() + p_lease_ms * interval '1 millisecond',
        due_at = app_now() + p_lease_ms * interval '1 millisecond'
    from due`,
        `        lease_until = app_now() + p_lease_ms * interval '1 millisecond'
    from due`,
      ],
    ],
    fails: [CRASHES, 'a dead worker’s lease is nobody’s'],
  },
  {
    rule: 'an attempt is claimed by one worker',
    file: FUNCTIONS,
    change: [['    limit p_limit\n    for update skip locked\n', '    limit p_limit\n']],
    fails: [RACES, 'two workers that claim among 1,000'],
  },
  {
    rule: 'a claim fences every lease before it',
    file: FUNCTIONS,
    change: [['    set epoch = w.epoch + 1,', '    set epoch = w.epoch,']],
    fails: [RACES, 'a worker that lost its lease writes nothing by failing it'],
  },
  {
    rule: 'a submission is begun only under the lease',
    file: FUNCTIONS,
    change: [
      [
        `and epoch = p_epoch;
  if not found then return 'fenced'; end if;`,
        `and true;
  if not found then return 'fenced'; end if;`,
      ],
    ],
    fails: [RACES, 'a worker that lost its lease writes nothing by beginning'],
  },
  {
    rule: 'a submission is begun on what is known now',
    file: FUNCTIONS,
    change: [
      [
        `  if v_attempt.version <> p_version then return 'stale'; end if;
  update submission`,
        '  update submission',
      ],
    ],
    fails: [RACES, 'an intent begun 20 times at once is armed once'],
  },
  {
    rule: 'an intent that is armed is not armed again',
    file: FUNCTIONS,
    change: [['and account_id = p_account_id and not armed;', 'and account_id = p_account_id;']],
    fails: [RACES, 'an intent that is armed stays as it is'],
  },
  {
    rule: 'an intent is disarmed only by proof',
    file: FUNCTIONS,
    change: [
      [
        `p_to_state in ('initializing', 'failed') then
    update submission`,
        `p_to_state in ('initializing', 'failed', 'status_unknown') then
    update submission`,
      ],
    ],
    fails: [SUBMISSION, 'the answer is lost after the work was accepted'],
  },
  {
    rule: 'a decision is applied only under the lease it was made under',
    file: FUNCTIONS,
    change: [
      [`  if p_epoch is not null and v_work.epoch <> p_epoch then return 'fenced'; end if;\n`, ''],
    ],
    fails: [RACES, 'a worker that lost its lease writes nothing by recording'],
  },
  {
    rule: 'a decision is applied only to what it was made on',
    file: FUNCTIONS,
    change: [
      [
        `  if v_attempt.version <> p_version then return 'stale'; end if;
  if p_task_id`,
        '  if p_task_id',
      ],
    ],
    fails: [RACES, 'a decision made on what is no longer known is stale'],
  },
  {
    rule: 'a lease is ended only by whoever has it',
    file: FUNCTIONS,
    change: [
      [
        `and epoch = p_epoch;
  return case`,
        `and true;
  return case`,
      ],
    ],
    fails: [RACES, 'a worker that lost its lease writes nothing by looking again'],
  },
  {
    rule: 'the same POST is repeated only under the lease',
    file: REPEATS,
    change: [
      [
        `and epoch = p_epoch;
  if not found then return 'fenced'; end if;`,
        `and true;
  if not found then return 'fenced'; end if;`,
      ],
    ],
    fails: [RACES, 'a worker that lost its lease writes nothing by repeating'],
  },
  {
    rule: 'the same POST is repeated on what is known now',
    file: REPEATS,
    change: [[`  if v_attempt.version <> p_version then return 'stale'; end if;\n`, '']],
    fails: [RACES, 'the same POST is repeated only for what is unresolved'],
  },
  {
    rule: 'the same POST is repeated only for what is unresolved',
    file: REPEATS,
    change: [
      [
        `  if v_attempt.state <> 'status_unknown' or v_attempt.task_id is not null then`,
        '  if false then',
      ],
    ],
    fails: [RACES, 'the same POST is repeated only for what is unresolved'],
  },
  {
    rule: 'an attempt under a live lease is not woken',
    file: FUNCTIONS,
    change: [
      ['    and lease_until is null and due_at > app_now();', '    and due_at > app_now();'],
    ],
    fails: [RACES, 'an attempt under a live lease is not woken'],
  },
  {
    rule: 'a task of another attempt is told apart from a fault',
    file: FUNCTIONS,
    change: [[`    and id <> p_attempt_id\n`, `    and id <> p_attempt_id and false\n`]],
    fails: [SUBMISSION, 'a task that belongs to another attempt'],
  },
  // Replays.
  {
    rule: 'the id is looked for before the balance',
    file: QUOTES,
    change: [
      [
        `a.request_id = p_request_id;
  if found then`,
        `a.request_id = p_request_id;
  if found and v_account.available >= p_price then`,
      ],
    ],
    fails: [START, 'an id used again while pending'],
  },
  {
    rule: 'an id used again asks for the same',
    file: QUOTES,
    change: [[`case when v_fingerprint = p_fingerprint then`, 'case when true then']],
    fails: [START, 'an id used again while pending'],
  },
  {
    rule: 'an id belongs to its account',
    file: QUOTES,
    change: [
      [
        'where a.account_id = p_account_id and a.request_id = p_request_id',
        'where a.request_id = p_request_id',
      ],
    ],
    fails: [RACES, 'one id on two accounts'],
  },
  {
    rule: 'the account is locked before the id is looked for',
    file: QUOTES,
    change: [
      [
        '  select * into v_account from account where id = p_account_id for no key update;',
        '  select * into v_account from account where id = p_account_id;',
      ],
      // Where one function ends before the next one gets a turn, nobody would meet.
      [
        `  if v_account.status <> 'active' then`,
        `  perform pg_sleep(0.05);\n  if v_account.status <> 'active' then`,
      ],
    ],
    fails: [RACES, 'one id, 50 times'],
  },
  // Money.
  {
    rule: 'what is not available is not reserved',
    file: QUOTES,
    change: [['    if v_account.available < p_price then', '    if false then']],
    fails: [RACES, 'the last credit is won by one of 50'],
  },
  {
    rule: 'a suspended account starts nothing',
    file: QUOTES,
    change: [[`  if v_account.status <> 'active' then`, '  if false then']],
    fails: [START, 'a suspended account starts nothing'],
  },
  {
    rule: 'nothing is held above what was agreed to',
    file: QUOTES,
    change: [['    if p_price > p_quoted_credits then', '    if false then']],
    fails: [QUOTE_TESTS, 'a price that rose between the page and the press'],
  },
  {
    rule: 'an act is logged under a role that has it',
    sql: 'alter table admin_log drop constraint admin_log_role_may;',
    fails: [ROLES, 'the log takes no line that its role may not have written'],
  },
  {
    rule: 'what was settled stays settled',
    file: FUNCTIONS,
    change: [
      [
        '  if p_settlement is not null and v_attempt.settlement is null then',
        '  if p_settlement is not null then',
      ],
    ],
    fails: [RECOVERING, 'a compensated attempt that proves failed'],
  },
  {
    rule: 'a grant is made once for its source',
    file: CORRECTIONS,
    change: [
      [
        `  if found then
    return case when v_known.kind = 'granted'`,
        `  if false then
    return case when v_known.kind = 'granted'`,
      ],
    ],
    fails: [RACES, 'a grant asked for 50 times'],
  },
  {
    rule: 'a grant asked for with another amount is told apart',
    file: CORRECTIONS,
    change: [
      [
        `when v_known.kind = 'granted' and v_known.amount = p_amount`,
        `when v_known.kind = 'granted'`,
      ],
    ],
    fails: [ACCOUNTS, 'a key that was used for one change'],
  },
  {
    rule: 'a correction takes no more than is available',
    file: CORRECTIONS,
    change: [['  if v_available + p_amount < 0 then', '  if false then']],
    fails: [ACCOUNTS, 'what is held or spent is not corrected away'],
  },
  // Free images.
  {
    rule: 'the last free image has one winner',
    file: FUNCTIONS,
    change: [['\n  where d.held + d.delivered < excluded.unit_limit;', ';']],
    fails: [RACES, 'the last free image of the day'],
  },
  {
    rule: 'a free image goes back to the day that it came from',
    file: FUNCTIONS,
    change: [
      ['and day = v_attempt.allowance_day;', `and day = (app_now() at time zone 'utc')::date;`],
    ],
    fails: [GUEST_TESTS, 'a free image that fails goes back to the day'],
  },
  {
    rule: 'a free image that failed was not delivered',
    file: FUNCTIONS,
    change: [[`case p_settlement when 'settled' then 1 else 0 end`, '1']],
    fails: [GUEST_TESTS, 'a free image that fails goes back to the day'],
  },
  {
    rule: 'one address brings no more guests’ attempts than its cap',
    file: GUESTS,
    change: [[' where g.attempts < p_address_cap;', ';']],
    fails: [GUEST_TESTS, 'one address brings no more attempts a day'],
  },
  {
    rule: 'the spool is bounded',
    file: RECOVERY,
    change: [['  if (select count(*) from spool) >= p_rows_max then', '  if false then']],
    fails: [RECOVERING, 'the spool holds as much as it may'],
  },
  // Rights.
  {
    rule: 'the app’s role writes no table of money',
    file: FUNCTIONS,
    change: [
      [
        'grant select on all tables in schema public to darkroom_app;',
        'grant select, update on all tables in schema public to darkroom_app;',
      ],
    ],
    fails: [ROLE, 'the app role writes no table but these'],
  },
  {
    rule: 'the app’s role posts no line of the ledger',
    file: FUNCTIONS,
    change: [['revoke execute on all functions in schema public from public;\n', '']],
    fails: [ROLE, 'the app role calls no function but these'],
  },

  // Alerts.
  {
    rule: 'an alert whose mail was sent is told',
    file: ALERT_MAIL,
    change: [
      [`    perform note_notice(v_alert_id, v_event, 'email', p_trouble);\n`, '    null;\n'],
    ],
    fails: [ALERT_MAIL_TESTS, 'an alert is mailed once when it begins and once when it ends'],
  },
  {
    rule: 'a mail that was given up leaves its alert untold',
    file: ALERT_MAIL,
    change: [[`v_event, 'email', p_trouble);`, `v_event, 'email', null);`]],
    fails: [ALERT_MAIL_TESTS, 'what no server takes is mailed when one does'],
  },
]
