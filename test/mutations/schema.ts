import type { Change, Mutation } from './mutation'

// What the tables themselves refuse. Each is tried by hand, as the owner, and must be refused by name.

const FILE = 'prisma/migrations/20261130070000_create_ledger_and_attempts/migration.sql'
const RECOVERY = 'prisma/migrations/20261130092000_add_provider_recovery/migration.sql'
const RULES = 'lib/db/schema-rules.db.test.ts'

const refused = (rule: string, by: string, ...change: readonly Change[]): Mutation => ({
  rule,
  file: FILE,
  change,
  fails: [RULES, by],
})

export const schemaMutations: readonly Mutation[] = [
  refused('a request id is one attempt of its account', '(attempt_request_id_once)', [
    '  constraint attempt_request_id_once unique (account_id, request_id),\n',
    '',
  ]),
  refused('a task belongs to one attempt', '(attempt_task_once)', [
    '  constraint attempt_task_once unique (provider, task_id),\n',
    '',
  ]),
  refused('a callback address belongs to one attempt', '(attempt_callback_token_once)', [
    '  constraint attempt_callback_token_once unique (callback_token_hash),\n',
    '',
  ]),
  refused('a reservation is settled once', 'refuses a second settlement', [
    '  primary key (attempt_id, account_id),\n  constraint settlement_kind_key',
    '  constraint settlement_kind_key',
  ]),
  refused(
    'an intent to submit is made once',
    'refuses a second intent',
    [
      '  primary key (attempt_id, account_id),\n  constraint submission_of_attempt',
      '  constraint submission_of_attempt',
    ],
    // These need the key.
    [
      `  constraint usage_record_of_submission foreign key (attempt_id, account_id)
    references submission (attempt_id, account_id) on delete restrict,
`,
      '',
      RECOVERY,
    ],
    [
      `alter table attempt add constraint attempt_intent_before_submitting
  foreign key (needs_submission, account_id) references submission (attempt_id, account_id)
  deferrable initially deferred;
`,
      '',
    ],
  ),
  refused('nothing is submitting without an intent', 'submitting without an intent', [
    `alter table attempt add constraint attempt_intent_before_submitting
  foreign key (needs_submission, account_id) references submission (attempt_id, account_id)
  deferrable initially deferred;
`,
    '',
  ]),
  refused('nothing is sent more than three times', 'refuses a fourth send', [
    'sends between 1 and 3),',
    'sends between 1 and 4),',
  ]),
  refused(
    'the ledger has one line of a kind for an attempt',
    'refuses a second hold of one attempt',
    [
      'constraint ledger_entry_once_per_attempt unique (attempt_id, account_id, kind),',
      'constraint ledger_entry_once_per_attempt unique (attempt_id, account_id, kind, seq),',
    ],
    // These need the key.
    [
      `,
  constraint ledger_entry_resolves_reservation foreign key (attempt_id, account_id, resolves)
    references ledger_entry (attempt_id, account_id, kind)
`,
      '\n',
    ],
    [
      `alter table attempt add constraint attempt_reserved_before_anything
  foreign key (id, account_id, reserved) references ledger_entry (attempt_id, account_id, kind)
  deferrable initially deferred;
`,
      '',
    ],
    [
      `alter table settlement add constraint settlement_has_entry
  foreign key (attempt_id, account_id, entry_kind)
  references ledger_entry (attempt_id, account_id, kind)
  deferrable initially deferred;
`,
      '',
    ],
  ),
  refused('a grant or correction is made once for its source', '(ledger_entry_source_once)', [
    '  constraint ledger_entry_source_once unique (account_id, source_key),\n',
    '',
  ]),
  refused('each line of the ledger continues the one before', 'refuses a line after a gap', [
    `  constraint ledger_entry_continues_chain
    foreign key (account_id, prior_seq, available_before, held_before, spent_before)
    references ledger_entry (account_id, seq, available_after, held_after, spent_after),
`,
    '',
  ]),
  refused('no line goes below nothing', '(ledger_entry_never_negative)', [
    `  constraint ledger_entry_never_negative check (
    available_after >= 0 and held_after >= 0 and spent_after >= 0),
`,
    '',
  ]),
  refused('a correction has a reason', '(ledger_entry_has_reason)', [
    `    kind not in ('corrected', 'compensated') or`,
    `    kind not in ('compensated') or`,
  ]),
  refused('a balance is that of its last line', '(account_balance_is_last_entry)', [
    `alter table account add constraint account_balance_is_last_entry
  foreign key (id, last_entry_seq, available, held, spent)
  references ledger_entry (account_id, seq, available_after, held_after, spent_after)
  deferrable initially deferred;
`,
    '',
  ]),
  refused('no line stays out of the balance', 'refuses a right line that the balance does not', [
    `create constraint trigger ledger_entry_in_balance after insert on ledger_entry
  deferrable initially deferred for each row execute function account_has_followed();
`,
    '',
  ]),
  refused('nothing is recorded that was not reserved', '(attempt_reserved_before_anything)', [
    `alter table attempt add constraint attempt_reserved_before_anything
  foreign key (id, account_id, reserved) references ledger_entry (attempt_id, account_id, kind)
  deferrable initially deferred;
`,
    '',
  ]),
  refused('nothing is charged without an artwork', '(settlement_charges_only_for_artwork)', [
    `  constraint settlement_charges_only_for_artwork foreign key (needs_artwork, account_id)
    references artwork (attempt_id, account_id),
`,
    '',
  ]),
  refused('a compensation has a reason', '(settlement_compensation_has_reason)', [
    `,
  constraint settlement_compensation_has_reason check (
    kind <> 'compensated' or char_length(btrim(coalesce(reason, ''))) >= 8)
`,
    '\n',
  ]),
  refused('a settlement is of what was reserved', 'refuses a settlement of another amount', [
    `  constraint settlement_repeats_reservation foreign key (attempt_id, account_id, amount)
    references attempt (id, account_id, reserved_credits) on delete restrict,
`,
    '',
  ]),
  refused('a day has no more free images than its limit', '(allowance_day_within_limit)', [
    `  constraint allowance_day_natural check (held >= 0 and delivered >= 0),
  constraint allowance_day_within_limit check (held + delivered <= unit_limit)
`,
    '  constraint allowance_day_natural check (held >= 0 and delivered >= 0)\n',
  ]),
  refused(
    'an attempt has one artwork',
    'refuses a second artwork',
    [
      '  primary key (attempt_id, account_id),\n  constraint artwork_of_attempt',
      '  constraint artwork_of_attempt',
    ],
    // These need the key.
    [
      `  constraint settlement_charges_only_for_artwork foreign key (needs_artwork, account_id)
    references artwork (attempt_id, account_id),
`,
      '',
    ],
    [
      `alter table attempt add constraint attempt_artwork_when_completed
  foreign key (needs_artwork, account_id) references artwork (attempt_id, account_id)
  deferrable initially deferred;
`,
      '',
    ],
  ),
  refused('the state and the settlement agree at the end', 'refuses completed with a release', [
    `    when 'completed' then coalesce(settlement, '') in ('settled', 'compensated')`,
    `    when 'completed' then coalesce(settlement, '') in ('settled', 'released', 'compensated')`,
  ]),
  refused('an attempt keeps its first task', 'refuses another task for an attempt', [
    `  if old.task_id is distinct from new.task_id and old.task_id is not null then
    raise exception 'attempt % has a task already', old.id using errcode = 'restrict_violation';
  end if;
`,
    '',
  ]),
  refused('what was requested does not change', 'a change of prompt after the request', [
    'create trigger attempt_guarded before update on attempt for each row execute function guard_attempt();\n',
    '',
  ]),
  refused('only legal steps are taken', 'refuses the step from UNRESOLVED to submitting', [
    `  ('status_unknown', 'delivering'), ('status_unknown', 'failed'),`,
    `  ('status_unknown', 'delivering'), ('status_unknown', 'failed'), ('status_unknown', 'submitting'),`,
  ]),
  refused('an open attempt keeps its work row', 'refuses an open attempt without its work row', [
    `create trigger attempt_work_stays_while_open before delete on attempt_work
  for each row execute function refuse_closing_open_work();
`,
    '',
  ]),
  ...['ledger_entry', 'settlement', 'attempt_event', 'artwork'].map((table) =>
    refused(`${table} is append-only`, `refuses to update ${table}`, [
      `create trigger ${table}_append_only before update or delete or truncate on ${table}`,
      `create trigger ${table}_append_only before delete or truncate on ${table}`,
    ]),
  ),
  ...['attempt', 'submission', 'allowance_day', 'account'].map((table) =>
    refused(`${table} is kept`, `refuses to truncate ${table}`, [
      `create trigger ${table}_kept before delete or truncate on ${table}`,
      `create trigger ${table}_kept before delete on ${table}`,
    ]),
  ),
]
