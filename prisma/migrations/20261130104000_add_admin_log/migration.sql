-- What admins do is written down before it is done and again when it is, and never changed.

create table admin_log (
  -- Made by whoever asks: asked again it is the same act, done once.
  id       uuid primary key,
  -- The order of the log; it pages it.
  seq      bigint generated always as identity constraint admin_log_seq_once unique,
  actor_id uuid not null constraint admin_log_actor_exists references account (id) on delete restrict,
  actor    text not null constraint admin_log_actor_bounded check (
             char_length(actor) between 1 and 200),
  act      text not null constraint admin_log_act_known check (
             act in ('look-again', 'retry-delivery', 'attach-task', 'fail', 'compensate',
                     'unblock-provider', 'grant-credits', 'correct-credits', 'suspend', 'restore',
                     'end-sessions', 'read-prompts')),
  -- What it is about: "attempt:ID", "account:ID" or "provider:NAME".
  subject  text not null constraint admin_log_subject_bounded check (
             subject ~ '^(attempt|account|provider):.+$' and char_length(subject) <= 120),
  detail   jsonb not null default '{}' constraint admin_log_detail_bounded check (
             jsonb_typeof(detail) = 'object' and pg_column_size(detail) <= 8192),
  reason   text not null constraint admin_log_reason_bounded check (
             char_length(btrim(reason)) >= 8 and char_length(reason) <= 1000),
  asked_at timestamptz not null default app_now(),
  -- Written in the transaction that does the act; null says that it was asked for and not done.
  outcome  text constraint admin_log_outcome_bounded check (char_length(outcome) between 1 and 500),
  ended_at timestamptz,
  constraint admin_log_ended_whole check ((outcome is null) = (ended_at is null))
);
create index admin_log_by_actor on admin_log (actor, seq desc);
create index admin_log_by_subject on admin_log (subject, seq desc);

create function guard_admin_log() returns trigger language plpgsql as $$
begin
  if old.outcome is not null
     or (new.id, new.seq, new.actor_id, new.actor, new.act, new.subject, new.detail, new.reason,
         new.asked_at)
        is distinct from
        (old.id, old.seq, old.actor_id, old.actor, old.act, old.subject, old.detail, old.reason,
         old.asked_at) then
    raise exception 'admin_log is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end;
$$;
create trigger admin_log_guarded before update on admin_log
  for each row execute function guard_admin_log();
create trigger admin_log_kept before delete or truncate on admin_log
  for each statement execute function refuse_change();

-- Writes down what an admin is about to do. 'known': the same was asked before, and `done` is what
-- came of it, if anything did. 'key_reused': the id stands for something else.
create function begin_admin_act(
  p_id uuid, p_actor_id uuid, p_act text, p_subject text, p_detail jsonb, p_reason text
) returns table (outcome text, done text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_actor text;
  v_known admin_log%rowtype;
begin
  select left('admin:' || i.email, 200) into v_actor
  from user_identity i join account a on a.id = i.account_id
  where i.account_id = p_actor_id and i.role = 'admin' and a.status = 'active';
  if not found then
    return query select 'not_admin', null::text;
    return;
  end if;
  insert into admin_log (id, actor_id, actor, act, subject, detail, reason)
  values (p_id, p_actor_id, v_actor, p_act, p_subject, p_detail, p_reason)
  on conflict (id) do nothing;
  if found then
    return query select 'begun', null::text;
    return;
  end if;
  -- A new statement, so that it sees what the insert waited for.
  select * into strict v_known from admin_log where id = p_id;
  return query select
    case when (v_known.actor_id, v_known.act, v_known.subject, v_known.detail, v_known.reason)
              = (p_actor_id, p_act, p_subject, p_detail, p_reason)
         then 'known' else 'key_reused' end,
    v_known.outcome;
end;
$$;

-- Keeps everybody else from doing this act until the transaction ends, and answers what came of it.
-- Together: coalesce(lock_admin_act(id), finish_admin_act(id, the act)) does it once.
create function lock_admin_act(p_id uuid)
returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_outcome text;
begin
  select outcome into strict v_outcome from admin_log where id = p_id for update;
  return v_outcome;
end;
$$;
create function finish_admin_act(p_id uuid, p_outcome text)
returns text language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update admin_log set outcome = left(p_outcome, 500), ended_at = app_now() where id = p_id;
  return p_outcome;
end;
$$;

-- As wake_attempt, for who acts on what they saw.
create function wake_attempt_at(p_account_id uuid, p_attempt_id uuid, p_version int)
returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_version int;
begin
  perform from attempt_work
  where attempt_id = p_attempt_id and account_id = p_account_id for no key update;
  if not found then return 'closed'; end if;
  select version into strict v_version from attempt
  where id = p_attempt_id and account_id = p_account_id;
  if v_version <> p_version then return 'stale'; end if;
  update attempt_work set due_at = app_now()
  where attempt_id = p_attempt_id and account_id = p_account_id
    and lease_until is null and due_at > app_now();
  return 'applied';
end;
$$;

create function lift_provider_block(p_provider text)
returns text language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from provider_block where provider = p_provider;
  return case when found then 'applied' else 'unchanged' end;
end;
$$;

-- A suspended account starts nothing and cannot sign in. What it has and what is under way stay.
create function set_account_status(p_account_id uuid, p_status text)
returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_status text;
begin
  select status into v_status from account where id = p_account_id for no key update;
  if not found then return 'no_account'; end if;
  if v_status = p_status then return 'unchanged'; end if;
  update account set status = p_status where id = p_account_id;
  return 'applied';
end;
$$;

create function end_sessions(p_account_id uuid)
returns text language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update session set ended_at = app_now() where account_id = p_account_id and ended_at is null;
  return case when found then 'applied' else 'unchanged' end;
end;
$$;

-- How admins find things. None of these columns ever changes, so attempts are updated as before.
create index attempt_by_request on attempt (request_id);
create index user_identity_by_email on user_identity (email text_pattern_ops);
create index settlement_compensated on settlement (created_at) where kind = 'compensated';

revoke execute on function guard_admin_log(),
  begin_admin_act(uuid, uuid, text, text, jsonb, text), lock_admin_act(uuid),
  finish_admin_act(uuid, text), wake_attempt_at(uuid, uuid, int), lift_provider_block(text),
  set_account_status(uuid, text), end_sessions(uuid) from public;
grant select on admin_log to darkroom_app;
grant execute on function begin_admin_act(uuid, uuid, text, text, jsonb, text),
  lock_admin_act(uuid), finish_admin_act(uuid, text), wake_attempt_at(uuid, uuid, int),
  lift_provider_block(text), set_account_status(uuid, text), end_sessions(uuid) to darkroom_app;
