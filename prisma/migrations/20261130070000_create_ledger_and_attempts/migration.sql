-- First schema. Every rule about money or state that can be said in the database is said here, by
-- name, so that no program, script or hand can write what must not be.

-- The login that serves people holds no more rights than this role. An operator who may not create
-- roles makes it beforehand; roles belong to the whole server, so it may exist already.
do $$
begin
  if not exists (select from pg_roles where rolname = 'darkroom_app') then
    create role darkroom_app nologin;
  end if;
exception
  when duplicate_object or unique_violation then null;
end;
$$;

-- One clock for every due time, lease and day. The offset is set only by tests.
create function app_now() returns timestamptz
  language sql stable
  return now() + coalesce(nullif(current_setting('darkroom.clock_offset', true), ''), '0')::interval;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end;
$$;

------------------------------------------------------------------------------------------------
-- Accounts and their ledger
------------------------------------------------------------------------------------------------

create table account (
  id             uuid primary key,
  status         text not null default 'active'
                 constraint account_status_known check (status in ('active', 'suspended')),
  available      int not null default 0
                 constraint account_available_bounded check (available between 0 and 1000000000),
  held           int not null default 0
                 constraint account_held_bounded check (held between 0 and 1000000000),
  spent          int not null default 0
                 constraint account_spent_bounded check (spent between 0 and 1000000000),
  last_entry_seq int,
  created_at     timestamptz not null default app_now(),
  constraint account_empty_without_entries check (
    last_entry_seq is not null or (available = 0 and held = 0 and spent = 0))
) with (fillfactor = 50); -- Room for in-page updates of the one row that every submission changes.

create function available_delta(kind text, amount int) returns int language sql immutable return
  case kind when 'granted' then amount when 'corrected' then amount when 'reserved' then -amount
            when 'released' then amount when 'compensated' then amount else 0 end;
create function held_delta(kind text, amount int) returns int language sql immutable return
  case kind when 'reserved' then amount when 'settled' then -amount when 'released' then -amount
            when 'compensated' then -amount else 0 end;
create function spent_delta(kind text, amount int) returns int language sql immutable return
  case kind when 'settled' then amount else 0 end;

-- An immutable line of an account's money history. Each line carries the balances after it and is
-- chained to the line before it, and the account's balances are those of its last line: an
-- arithmetic error, a gap or a balance without a line cannot be committed.
create table ledger_entry (
  account_id       uuid not null references account (id) on delete restrict,
  seq              int not null constraint ledger_entry_seq_positive check (seq >= 1),
  kind             text not null constraint ledger_entry_kind_known check (
                     kind in ('granted', 'corrected', 'reserved', 'settled', 'released', 'compensated')),
  amount           int not null constraint ledger_entry_amount_bounded check (
                     amount between -1000000000 and 1000000000 and amount <> 0),
  attempt_id       uuid,
  -- Makes a grant or a correction happen once, however often it is asked for.
  source_key       text constraint ledger_entry_source_key_bounded check (
                     char_length(source_key) between 1 and 200),
  actor            text not null constraint ledger_entry_actor_bounded check (
                     char_length(actor) between 1 and 200),
  reason           text constraint ledger_entry_reason_bounded check (char_length(reason) <= 1000),
  available_after  int not null,
  held_after       int not null,
  spent_after      int not null,
  created_at       timestamptz not null default app_now(),
  prior_seq        int generated always as (nullif(seq - 1, 0)) stored,
  available_before int generated always as (available_after - available_delta(kind, amount)) stored,
  held_before      int generated always as (held_after - held_delta(kind, amount)) stored,
  spent_before     int generated always as (spent_after - spent_delta(kind, amount)) stored,
  resolution       text generated always as (
                     case when kind in ('settled', 'released', 'compensated') then kind end) stored,
  resolves         text generated always as (
                     case when kind in ('settled', 'released', 'compensated') then 'reserved' end) stored,
  primary key (account_id, seq),
  constraint ledger_entry_balances_key
    unique (account_id, seq, available_after, held_after, spent_after),
  constraint ledger_entry_continues_chain
    foreign key (account_id, prior_seq, available_before, held_before, spent_before)
    references ledger_entry (account_id, seq, available_after, held_after, spent_after),
  constraint ledger_entry_chain_starts_empty check (
    seq > 1 or (available_before = 0 and held_before = 0 and spent_before = 0)),
  constraint ledger_entry_never_negative check (
    available_after >= 0 and held_after >= 0 and spent_after >= 0),
  constraint ledger_entry_amount_positive check (amount > 0 or kind = 'corrected'),
  constraint ledger_entry_of_attempt check (
    (kind in ('granted', 'corrected')) = (attempt_id is null)),
  constraint ledger_entry_has_source check (
    (kind in ('granted', 'corrected')) = (source_key is not null)),
  constraint ledger_entry_has_reason check (
    kind not in ('corrected', 'compensated') or char_length(btrim(coalesce(reason, ''))) >= 8),
  constraint ledger_entry_source_once unique (account_id, source_key),
  constraint ledger_entry_once_per_attempt unique (attempt_id, account_id, kind),
  constraint ledger_entry_resolves_reservation foreign key (attempt_id, account_id, resolves)
    references ledger_entry (attempt_id, account_id, kind)
);

alter table account add constraint account_balance_is_last_entry
  foreign key (id, last_entry_seq, available, held, spent)
  references ledger_entry (account_id, seq, available_after, held_after, spent_after)
  deferrable initially deferred;

-- The account follows its chain: one line at a time, never back, and no line is left behind.
create function follow_chain() returns trigger language plpgsql as $$
begin
  if new.last_entry_seq is distinct from old.last_entry_seq
     and new.last_entry_seq is distinct from coalesce(old.last_entry_seq, 0) + 1 then
    raise exception 'account % follows its ledger one line at a time', old.id
      using errcode = 'restrict_violation';
  end if;
  return new;
end;
$$;
create trigger account_follows_chain before update on account
  for each row execute function follow_chain();
create function account_has_followed() returns trigger language plpgsql as $$
begin
  if not exists (select from account where id = new.account_id and last_entry_seq >= new.seq) then
    raise exception 'ledger line % of account % is not in its balance', new.seq, new.account_id
      using errcode = 'restrict_violation';
  end if;
  return null;
end;
$$;
create constraint trigger ledger_entry_in_balance after insert on ledger_entry
  deferrable initially deferred for each row execute function account_has_followed();

------------------------------------------------------------------------------------------------
-- Attempts
------------------------------------------------------------------------------------------------

create table attempt (
  id                  uuid not null,
  account_id          uuid not null references account (id) on delete restrict,
  request_id          uuid not null,
  fingerprint         bytea not null constraint attempt_fingerprint_is_sha256 check (
                        octet_length(fingerprint) = 32),
  provider            text not null constraint attempt_provider_bounded check (
                        char_length(provider) between 1 and 40),
  model               text not null constraint attempt_model_bounded check (
                        char_length(model) between 1 and 130),
  prompt              text not null constraint attempt_prompt_bounded check (
                        char_length(prompt) between 1 and 20000),
  settings            jsonb not null constraint attempt_settings_bounded check (
                        jsonb_typeof(settings) = 'object' and pg_column_size(settings) <= 8192),
  price               int not null constraint attempt_price_bounded check (
                        price between 1 and 1000000),
  -- What is reserved: the price in credits, or one unit of the allowance of that UTC day.
  reserved_credits    int not null,
  allowance_day       date,
  -- The token itself goes only to the provider, in the callback address.
  callback_token_hash bytea not null constraint attempt_callback_token_hash_is_sha256 check (
                        octet_length(callback_token_hash) = 32),
  state               text not null default 'initializing' constraint attempt_state_known check (
                        state in ('initializing', 'submitting', 'pending', 'status_unknown',
                                  'delivering', 'storage_failed', 'completed', 'failed')),
  -- The sequence number of the newest line of history: no change without a line.
  version             int not null default 0,
  task_id             text constraint attempt_task_id_bounded check (
                        char_length(task_id) between 1 and 200),
  result              jsonb,
  failure_code        text constraint attempt_failure_code_known check (
                        failure_code in ('moderated', 'invalid_input', 'provider_failed',
                                         'provider_unavailable', 'unusable_result', 'cancelled')),
  failure_message     text constraint attempt_failure_message_bounded check (
                        char_length(failure_message) between 1 and 1000),
  settlement          text,
  created_at          timestamptz not null default app_now(),
  updated_at          timestamptz not null default app_now(),
  reserved            text generated always as (
                        case when reserved_credits > 0 then 'reserved' end) stored,
  needs_submission    uuid generated always as (
                        case when state not in ('initializing', 'failed') then id end) stored,
  needs_artwork       uuid generated always as (case when state = 'completed' then id end) stored,
  primary key (id, account_id),
  constraint attempt_request_id_once unique (account_id, request_id),
  constraint attempt_reserved_credits_key unique (id, account_id, reserved_credits),
  constraint attempt_reserves_one_thing check (
    reserved_credits = case when allowance_day is null then price else 0 end),
  constraint attempt_callback_token_once unique (callback_token_hash),
  -- One task belongs to one attempt, whoever owns it.
  constraint attempt_task_once unique (provider, task_id),
  -- These mirror AttemptState in lib/domain/attempt.ts.
  constraint attempt_task_known_when_pending check (state <> 'pending' or task_id is not null),
  constraint attempt_result_known_when_delivering check (
    state not in ('delivering', 'storage_failed') or result is not null),
  constraint attempt_failure_known_when_failed check (
    (state = 'failed') = (failure_code is not null)
    and (failure_code is null) = (failure_message is null)),
  -- State and settlement are two axes that agree at the end.
  constraint attempt_settlement_fits_state check (case state
    when 'completed' then coalesce(settlement, '') in ('settled', 'compensated')
    when 'failed' then coalesce(settlement, '') in ('released', 'compensated')
    else coalesce(settlement, 'compensated') = 'compensated' end)
) with (fillfactor = 85);
-- Ids are UUID version 7: their order is the order of time, so they page the gallery.
create index attempt_by_account on attempt (account_id, id desc);

alter table attempt add constraint attempt_reserved_before_anything
  foreign key (id, account_id, reserved) references ledger_entry (attempt_id, account_id, kind)
  deferrable initially deferred;
alter table ledger_entry add constraint ledger_entry_repeats_reservation
  foreign key (attempt_id, account_id, amount) references attempt (id, account_id, reserved_credits)
  on delete restrict;

-- Free images of one account and UTC day. A unit goes back to the day that it was taken from.
create table allowance_day (
  account_id uuid not null references account (id) on delete restrict,
  day        date not null,
  unit_limit int not null constraint allowance_day_limit_bounded check (
               unit_limit between 0 and 10000),
  held       int not null default 0,
  delivered  int not null default 0,
  primary key (account_id, day),
  constraint allowance_day_natural check (held >= 0 and delivered >= 0),
  constraint allowance_day_within_limit check (held + delivered <= unit_limit)
);
alter table attempt add constraint attempt_allowance_of_day
  foreign key (account_id, allowance_day) references allowance_day (account_id, day)
  on delete restrict;

-- The intent, committed before the POST. Its primary key makes a second submission impossible; it
-- is armed while a request may be on the wire, and disarmed only by proof that nothing was created.
create table submission (
  attempt_id    uuid not null,
  account_id    uuid not null,
  provider      text not null,
  epoch         bigint not null,
  armed         boolean not null default true,
  sends         int not null default 1 constraint submission_sends_bounded check (
                  sends between 1 and 3),
  first_sent_at timestamptz not null default app_now(),
  last_sent_at  timestamptz not null default app_now(),
  primary key (attempt_id, account_id),
  constraint submission_of_attempt foreign key (attempt_id, account_id)
    references attempt (id, account_id) on delete restrict
);
alter table attempt add constraint attempt_intent_before_submitting
  foreign key (needs_submission, account_id) references submission (attempt_id, account_id)
  deferrable initially deferred;

-- The stored image of a completed attempt.
create table artwork (
  attempt_id   uuid not null,
  account_id   uuid not null,
  object_key   text not null constraint artwork_object_key_once unique,
  sha256       bytea not null constraint artwork_sha256_whole check (octet_length(sha256) = 32),
  content_type text not null constraint artwork_content_type_known check (
                 content_type in ('image/png', 'image/jpeg', 'image/webp')),
  width        int not null constraint artwork_width_sane check (width between 1 and 8192),
  height       int not null constraint artwork_height_sane check (height between 1 and 8192),
  size_bytes   int not null constraint artwork_size_sane check (size_bytes between 1 and 67108864),
  blur         text not null constraint artwork_blur_bounded check (char_length(blur) <= 4000),
  created_at   timestamptz not null default app_now(),
  primary key (attempt_id, account_id),
  constraint artwork_of_attempt foreign key (attempt_id, account_id)
    references attempt (id, account_id) on delete restrict
);
alter table attempt add constraint attempt_artwork_when_completed
  foreign key (needs_artwork, account_id) references artwork (attempt_id, account_id)
  deferrable initially deferred;

-- What ends a reservation. The primary key is the rule: once.
create table settlement (
  attempt_id     uuid not null,
  account_id     uuid not null,
  kind           text not null constraint settlement_kind_known check (
                   kind in ('settled', 'released', 'compensated')),
  -- In credits: 0 when a unit of the allowance was reserved.
  amount         int not null,
  actor          text not null constraint settlement_actor_bounded check (
                   char_length(actor) between 1 and 200),
  reason         text constraint settlement_reason_bounded check (char_length(reason) <= 1000),
  policy_version int,
  created_at     timestamptz not null default app_now(),
  needs_artwork  uuid generated always as (case when kind = 'settled' then attempt_id end) stored,
  entry_kind     text generated always as (case when amount > 0 then kind end) stored,
  primary key (attempt_id, account_id),
  constraint settlement_kind_key unique (attempt_id, account_id, kind),
  constraint settlement_repeats_reservation foreign key (attempt_id, account_id, amount)
    references attempt (id, account_id, reserved_credits) on delete restrict,
  constraint settlement_policy_only_compensates check (
    policy_version is null or kind = 'compensated'),
  constraint settlement_charges_only_for_artwork foreign key (needs_artwork, account_id)
    references artwork (attempt_id, account_id),
  constraint settlement_compensation_has_reason check (
    kind <> 'compensated' or char_length(btrim(coalesce(reason, ''))) >= 8)
);
alter table settlement add constraint settlement_has_entry
  foreign key (attempt_id, account_id, entry_kind)
  references ledger_entry (attempt_id, account_id, kind)
  deferrable initially deferred;
alter table ledger_entry add constraint ledger_entry_has_settlement
  foreign key (attempt_id, account_id, resolution) references settlement (attempt_id, account_id, kind);
alter table attempt add constraint attempt_settlement_recorded
  foreign key (id, account_id, settlement) references settlement (attempt_id, account_id, kind)
  deferrable initially deferred;

-- Which state may follow which. A state may follow itself where something was learned that
-- changes nothing.
create table legal_transition (
  from_state text not null,
  to_state   text not null,
  primary key (from_state, to_state)
);
insert into legal_transition (from_state, to_state) values
  ('initializing', 'submitting'), ('initializing', 'failed'),
  ('submitting', 'initializing'), ('submitting', 'pending'), ('submitting', 'delivering'),
  ('submitting', 'status_unknown'), ('submitting', 'failed'),
  ('pending', 'pending'), ('pending', 'delivering'), ('pending', 'status_unknown'),
  ('pending', 'failed'),
  ('status_unknown', 'status_unknown'), ('status_unknown', 'pending'),
  ('status_unknown', 'delivering'), ('status_unknown', 'failed'),
  ('delivering', 'delivering'), ('delivering', 'storage_failed'), ('delivering', 'completed'),
  ('delivering', 'failed'),
  ('storage_failed', 'storage_failed'), ('storage_failed', 'delivering'),
  ('storage_failed', 'completed'), ('storage_failed', 'failed');

-- The append-only history: what was learned or done, when, by whom, with the evidence.
create table attempt_event (
  attempt_id uuid not null,
  account_id uuid not null,
  seq        int not null constraint attempt_event_seq_natural check (seq >= 0),
  from_state text,
  to_state   text not null,
  kind       text not null constraint attempt_event_kind_bounded check (
               char_length(kind) between 1 and 60),
  actor      text not null constraint attempt_event_actor_bounded check (
               char_length(actor) between 1 and 200),
  evidence   jsonb not null default '{}' constraint attempt_event_evidence_bounded check (
               pg_column_size(evidence) <= 16384),
  created_at timestamptz not null default app_now(),
  prior_seq  int generated always as (case when seq > 0 then seq - 1 end) stored,
  primary key (attempt_id, account_id, seq),
  constraint attempt_event_state_key unique (attempt_id, account_id, seq, to_state),
  constraint attempt_event_of_attempt foreign key (attempt_id, account_id)
    references attempt (id, account_id) on delete restrict,
  constraint attempt_event_continues_chain foreign key (attempt_id, account_id, prior_seq, from_state)
    references attempt_event (attempt_id, account_id, seq, to_state),
  constraint attempt_event_legal foreign key (from_state, to_state)
    references legal_transition (from_state, to_state),
  constraint attempt_event_starts_chain check (
    (seq = 0) = (from_state is null) and (seq > 0 or to_state = 'initializing'))
);
alter table attempt add constraint attempt_state_is_newest_event
  foreign key (id, account_id, version, state)
  references attempt_event (attempt_id, account_id, seq, to_state)
  deferrable initially deferred;

-- The narrow row that the workers contend for. It exists exactly while the outcome is open. While
-- leased, it is due again only when the lease has run out; `epoch` fences every write of a lease.
create table attempt_work (
  attempt_id  uuid not null,
  account_id  uuid not null,
  due_at      timestamptz not null default app_now(),
  epoch       bigint not null default 0,
  lease_until timestamptz,
  tries       int not null default 0 constraint attempt_work_tries_natural check (tries >= 0),
  progress    real constraint attempt_work_progress_fraction check (progress between 0 and 1),
  looked_at   timestamptz,
  primary key (attempt_id, account_id),
  constraint attempt_work_of_attempt foreign key (attempt_id, account_id)
    references attempt (id, account_id) on delete restrict
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
create index attempt_work_due on attempt_work (due_at);

create function open_work() returns trigger language plpgsql as $$
begin
  insert into attempt_work (attempt_id, account_id) values (new.id, new.account_id);
  return null;
end;
$$;
create function close_work() returns trigger language plpgsql as $$
begin
  delete from attempt_work where attempt_id = new.id and account_id = new.account_id;
  return null;
end;
$$;
create function refuse_closing_open_work() returns trigger language plpgsql as $$
begin
  if exists (select from attempt where id = old.attempt_id and account_id = old.account_id
             and state not in ('completed', 'failed')) then
    raise exception 'attempt % is open: its work row stays', old.attempt_id
      using errcode = 'restrict_violation';
  end if;
  return old;
end;
$$;
create function guard_attempt() returns trigger language plpgsql as $$
begin
  if (new.id, new.account_id, new.request_id, new.fingerprint, new.provider, new.model, new.prompt,
      new.settings, new.price, new.reserved_credits, new.allowance_day, new.callback_token_hash,
      new.created_at)
     is distinct from
     (old.id, old.account_id, old.request_id, old.fingerprint, old.provider, old.model, old.prompt,
      old.settings, old.price, old.reserved_credits, old.allowance_day, old.callback_token_hash,
      old.created_at) then
    raise exception 'what was requested of attempt % cannot change', old.id
      using errcode = 'restrict_violation';
  end if;
  if new.version <> old.version + 1 then
    raise exception 'attempt % changes only with a line of history', old.id
      using errcode = 'restrict_violation';
  end if;
  if old.task_id is distinct from new.task_id and old.task_id is not null then
    raise exception 'attempt % has a task already', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end;
$$;

create trigger attempt_guarded before update on attempt for each row execute function guard_attempt();
create trigger attempt_opens_work after insert on attempt for each row execute function open_work();
create trigger attempt_closes_work after update on attempt for each row
  when (new.state in ('completed', 'failed')) execute function close_work();
create trigger attempt_work_stays_while_open before delete on attempt_work
  for each row execute function refuse_closing_open_work();

create trigger ledger_entry_append_only before update or delete or truncate on ledger_entry
  for each statement execute function refuse_change();
create trigger settlement_append_only before update or delete or truncate on settlement
  for each statement execute function refuse_change();
create trigger attempt_event_append_only before update or delete or truncate on attempt_event
  for each statement execute function refuse_change();
create trigger artwork_append_only before update or delete or truncate on artwork
  for each statement execute function refuse_change();
create trigger attempt_kept before delete or truncate on attempt
  for each statement execute function refuse_change();
create trigger submission_kept before delete or truncate on submission
  for each statement execute function refuse_change();
create trigger allowance_day_kept before delete or truncate on allowance_day
  for each statement execute function refuse_change();
create trigger account_kept before delete or truncate on account
  for each statement execute function refuse_change();
create trigger legal_transition_fixed before insert or update or delete or truncate on legal_transition
  for each statement execute function refuse_change();

------------------------------------------------------------------------------------------------
-- People, sessions, workers, callbacks
------------------------------------------------------------------------------------------------

create table user_identity (
  account_id    uuid primary key references account (id) on delete restrict
                deferrable initially deferred,
  email         text not null constraint user_identity_email_once unique
                constraint user_identity_email_plain check (
                  email = lower(email) and char_length(email) between 3 and 254),
  name          text not null constraint user_identity_name_bounded check (
                  char_length(name) between 1 and 100),
  password_hash text not null constraint user_identity_password_hashed check (
                  password_hash like '$argon2id$%' and char_length(password_hash) <= 500),
  role          text not null default 'user' constraint user_identity_role_known check (
                  role in ('user', 'admin')),
  created_at    timestamptz not null default app_now()
);

create table session (
  id         uuid primary key,
  account_id uuid not null references account (id) on delete restrict,
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  ended_at   timestamptz,
  constraint session_ends_after_start check (expires_at > created_at)
);
create index session_by_account on session (account_id);

create table worker_heartbeat (
  worker_id  text primary key constraint worker_heartbeat_id_bounded check (
               char_length(worker_id) between 1 and 200),
  started_at timestamptz not null default app_now(),
  beat_at    timestamptz not null default app_now()
);

-- What providers called back with, kept as received. One delivery is stored once.
create table callback (
  provider    text not null,
  delivery_id text not null constraint callback_delivery_id_bounded check (
                char_length(delivery_id) between 1 and 200),
  attempt_id  uuid not null,
  account_id  uuid not null,
  body        text not null constraint callback_body_bounded check (octet_length(body) <= 1048576),
  received_at timestamptz not null default app_now(),
  primary key (provider, delivery_id),
  constraint callback_of_attempt foreign key (attempt_id, account_id)
    references attempt (id, account_id) on delete restrict
);
create trigger callback_append_only before update or delete or truncate on callback
  for each statement execute function refuse_change();
