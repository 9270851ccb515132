-- What an admin says of an attempt and a worker makes sure of before it is believed: a task found at the
-- provider, an image that came another way. Only workers hold providers' keys and decode images. An
-- older program may keep running: it neither asks nor answers here.

insert into role_act (role, act) values ('admin', 'look-up'), ('admin', 'record-delivery');

create table verification (
  -- Of the act that asks for it.
  id         uuid not null,
  attempt_id uuid not null,
  account_id uuid not null,
  provider   text not null,
  act        text not null constraint verification_act_known check (
               act in ('attach-task', 'look-up', 'record-delivery')),
  -- The task that is to be attached, or that the search found.
  task_id    text constraint verification_task_id_bounded check (
               char_length(task_id) between 1 and 200),
  -- Of the image that was uploaded; its bytes are in the image store.
  sha256     bytea constraint verification_sha256_whole check (octet_length(sha256) = 32),
  actor      text not null constraint verification_actor_bounded check (
               char_length(actor) between 1 and 200),
  reason     text not null constraint verification_reason_bounded check (
               char_length(btrim(reason)) >= 8 and char_length(reason) <= 1000),
  asked_at   timestamptz not null default app_now(),
  due_at     timestamptz not null default app_now(),
  tries      int not null default 0 constraint verification_tries_natural check (tries >= 0),
  outcome    text constraint verification_outcome_known check (
               outcome in ('applied', 'missing', 'other_attempt', 'task_taken', 'absent', 'unusable',
                           'unreachable', 'changed')),
  -- What was seen, in words.
  found      text constraint verification_found_bounded check (
               char_length(found) between 1 and 1000),
  ended_at   timestamptz,
  primary key (id, account_id),
  constraint verification_of_attempt foreign key (attempt_id, account_id)
    references attempt (id, account_id) on delete restrict,
  constraint verification_says_what check (
    (act <> 'attach-task' or task_id is not null) and (act = 'record-delivery') = (sha256 is not null)),
  constraint verification_ended_whole check (
    (outcome is null) = (ended_at is null) and (outcome is null) = (found is null))
);
-- One at a time of one attempt: two answers could contradict each other.
create unique index verification_one_at_a_time on verification (attempt_id, account_id)
  where outcome is null;
create index verification_due on verification (due_at) where outcome is null;
create index verification_by_attempt on verification (attempt_id, account_id, asked_at desc);

create function guard_verification() returns trigger language plpgsql as $$
begin
  if old.outcome is not null
     or (new.id, new.attempt_id, new.account_id, new.provider, new.act, new.sha256, new.actor,
         new.reason, new.asked_at)
        is distinct from
        (old.id, old.attempt_id, old.account_id, old.provider, old.act, old.sha256, old.actor,
         old.reason, old.asked_at)
     or old.task_id is not null and new.task_id is distinct from old.task_id then
    raise exception 'verification % cannot become another', old.id
      using errcode = 'restrict_violation';
  end if;
  return new;
end;
$$;
create trigger verification_guarded before update on verification
  for each row execute function guard_verification();
create trigger verification_kept before delete or truncate on verification
  for each statement execute function refuse_change();

-- Asks for it, on what whoever asks had seen. Nothing is believed yet.
create function ask_verification(
  p_id uuid, p_account_id uuid, p_attempt_id uuid, p_version int, p_act text, p_task_id text,
  p_sha256 bytea, p_actor text, p_reason text
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_attempt attempt%rowtype;
begin
  perform from attempt_work
  where attempt_id = p_attempt_id and account_id = p_account_id for no key update;
  if not found then return 'closed'; end if;
  select * into strict v_attempt from attempt
  where id = p_attempt_id and account_id = p_account_id;
  if v_attempt.version <> p_version then return 'stale'; end if;
  if p_task_id is not null and exists (
    select from attempt where provider = v_attempt.provider and task_id = p_task_id
    and id <> p_attempt_id
  ) then
    return 'task_taken';
  end if;
  insert into verification (id, attempt_id, account_id, provider, act, task_id, sha256, actor, reason)
  values (p_id, p_attempt_id, p_account_id, v_attempt.provider, p_act, p_task_id, p_sha256, p_actor,
          p_reason)
  on conflict (attempt_id, account_id) where outcome is null do nothing;
  return case when found then 'asked' else 'being_verified' end;
end;
$$;

-- Gives those that are due to the caller, and again later if it does not end them.
create function claim_verifications(p_providers text[], p_limit int)
returns setof verification language sql security definer set search_path = public, pg_temp as $$
  with due as (
    select id, account_id from verification
    where outcome is null and due_at <= app_now() and provider = any(p_providers)
    order by due_at limit p_limit for update skip locked
  )
  update verification v
  set tries = v.tries + 1,
      due_at = app_now() + least(60, 5 * 2 ^ least(v.tries, 5)) * interval '1 second'
  from due where v.id = due.id and v.account_id = due.account_id
  returning v.*;
$$;

create function end_verification(
  p_id uuid, p_account_id uuid, p_outcome text, p_found text, p_task_id text
) returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update verification
  set outcome = p_outcome, found = p_found, ended_at = app_now(),
      task_id = coalesce(task_id, p_task_id)
  where id = p_id and account_id = p_account_id and outcome is null;
  return found;
end;
$$;

-- What workers say that their providers can prove, model by model: web servers hold no adapters.
create table provider_capability (
  model        text primary key constraint provider_capability_model_bounded check (
                 char_length(model) between 1 and 130),
  provider     text not null,
  capabilities jsonb not null constraint provider_capability_bounded check (
                 jsonb_typeof(capabilities) = 'object' and pg_column_size(capabilities) <= 4096),
  declared_at  timestamptz not null default app_now()
);

revoke execute on function guard_verification(),
  ask_verification(uuid, uuid, uuid, int, text, text, bytea, text, text),
  claim_verifications(text[], int), end_verification(uuid, uuid, text, text, text) from public;
grant select on verification, provider_capability to darkroom_app;
grant insert, update on provider_capability to darkroom_app;
grant execute on function
  ask_verification(uuid, uuid, uuid, int, text, text, bytea, text, text),
  claim_verifications(text[], int), end_verification(uuid, uuid, text, text, text) to darkroom_app;
