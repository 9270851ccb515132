-- Everything that moves money or state, one round trip each. They run with the owner's rights, and
-- the app's role may call them and read: it cannot write these tables in any other way.
-- Lock order everywhere: attempt_work, attempt, account. A submission locks only its account, for
-- the rows that it makes are nobody else's yet.

-- Writes one ledger line and the balances after it. The caller has made sure that the account exists.
create function post_entry(
  p_account_id uuid, p_kind text, p_amount int, p_attempt_id uuid, p_source_key text,
  p_actor text, p_reason text
) returns void language plpgsql set search_path = public, pg_temp as $$
declare
  v_account account%rowtype;
begin
  select * into strict v_account from account where id = p_account_id for no key update;
  v_account.last_entry_seq := coalesce(v_account.last_entry_seq, 0) + 1;
  v_account.available := v_account.available + available_delta(p_kind, p_amount);
  v_account.held := v_account.held + held_delta(p_kind, p_amount);
  v_account.spent := v_account.spent + spent_delta(p_kind, p_amount);
  insert into ledger_entry (account_id, seq, kind, amount, attempt_id, source_key, actor, reason,
                            available_after, held_after, spent_after)
  values (p_account_id, v_account.last_entry_seq, p_kind, p_amount, p_attempt_id, p_source_key,
          p_actor, p_reason, v_account.available, v_account.held, v_account.spent);
  update account
  set available = v_account.available, held = v_account.held, spent = v_account.spent,
      last_entry_seq = v_account.last_entry_seq
  where id = p_account_id;
end;
$$;

-- Grants happen once per source key: asked again, the answer is 'replayed' and nothing changes.
create function grant_credits(
  p_account_id uuid, p_amount int, p_source_key text, p_actor text, p_reason text
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from account where id = p_account_id for no key update;
  if not found then return 'no_account'; end if;
  -- A new statement, so that it sees what the lock waited for.
  if exists (select from ledger_entry where account_id = p_account_id and source_key = p_source_key) then
    return 'replayed';
  end if;
  perform post_entry(p_account_id, 'granted', p_amount, null, p_source_key, p_actor, p_reason);
  return 'granted';
end;
$$;

create function register_user(
  p_account_id uuid, p_email text, p_name text, p_password_hash text, p_role text,
  p_signup_credits int
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into user_identity (account_id, email, name, password_hash, role)
  values (p_account_id, p_email, p_name, p_password_hash, p_role)
  on conflict (email) do nothing;
  if not found then return 'email_taken'; end if;
  insert into account (id) values (p_account_id);
  if p_signup_credits > 0 then
    perform post_entry(p_account_id, 'granted', p_signup_credits, null, 'sign-up', 'system',
                       'Credits for signing up');
  end if;
  return 'registered';
end;
$$;

-- Takes one unit of the day's allowance if one is left. The caller holds the account's lock, and the
-- insert decides on the row's newest version: the last unit has one winner. A limit lowered below
-- what the day has used already takes nothing back.
create function take_allowance_unit(p_account_id uuid, p_day date, p_limit int)
returns boolean language plpgsql set search_path = public, pg_temp as $$
begin
  if p_limit <= 0 then return false; end if;
  insert into allowance_day as d (account_id, day, unit_limit, held)
  values (p_account_id, p_day, p_limit, 1)
  on conflict (account_id, day) do update
  set held = d.held + 1, unit_limit = greatest(d.unit_limit, excluded.unit_limit)
  where d.held + d.delivered < excluded.unit_limit;
  return found;
end;
$$;

-- Records an attempt and takes its reservation, or does neither. The account is locked first and
-- the request id looked for afterwards, in a new statement: looking and debiting in one statement
-- lets concurrent duplicates debit twice.
create function submit_attempt(
  p_attempt_id uuid, p_account_id uuid, p_request_id uuid, p_fingerprint bytea, p_provider text,
  p_model text, p_prompt text, p_settings jsonb, p_price int, p_callback_token_hash bytea,
  p_allowance_limit int
) returns table (outcome text, attempt_id uuid, available int)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_account account%rowtype;
  v_attempt_id uuid;
  v_fingerprint bytea;
  v_day date := (app_now() at time zone 'utc')::date;
begin
  select * into v_account from account where id = p_account_id for no key update;
  if not found then
    return query select 'no_account', null::uuid, 0;
    return;
  end if;
  select a.id, a.fingerprint into v_attempt_id, v_fingerprint
  from attempt a where a.account_id = p_account_id and a.request_id = p_request_id;
  if found then
    return query select
      case when v_fingerprint = p_fingerprint then 'replayed' else 'request_id_reused' end,
      v_attempt_id, v_account.available;
    return;
  end if;
  if v_account.status <> 'active' then
    return query select 'account_suspended', null::uuid, v_account.available;
    return;
  end if;
  if not take_allowance_unit(p_account_id, v_day, p_allowance_limit) then
    if v_account.available < p_price then
      return query select 'insufficient_credits', null::uuid, v_account.available;
      return;
    end if;
    v_day := null;
  end if;
  insert into attempt (id, account_id, request_id, fingerprint, provider, model, prompt, settings,
                       price, reserved_credits, allowance_day, callback_token_hash)
  values (p_attempt_id, p_account_id, p_request_id, p_fingerprint, p_provider, p_model, p_prompt,
          p_settings, p_price, case when v_day is null then p_price else 0 end, v_day,
          p_callback_token_hash);
  insert into attempt_event (attempt_id, account_id, seq, from_state, to_state, kind, actor)
  values (p_attempt_id, p_account_id, 0, null, 'initializing', 'recorded', 'user');
  if v_day is null then
    perform post_entry(p_account_id, 'reserved', p_price, p_attempt_id, null, 'user', null);
    v_account.available := v_account.available - p_price;
  end if;
  return query select 'recorded', p_attempt_id, v_account.available;
end;
$$;

-- Gives up to p_limit due attempts to the caller, each to one caller, for p_lease_ms.
create function claim_attempts(p_limit int, p_lease_ms int)
returns table (
  attempt_id uuid, account_id uuid, epoch bigint, tries int, version int, state text,
  provider text, model text, prompt text, settings jsonb, task_id text, result jsonb,
  settlement text, last_kind text, last_evidence jsonb, sends int, sending_age_ms float8, age_ms float8,
  state_age_ms float8
) language sql security definer set search_path = public, pg_temp as $$
  with due as (
    select w.attempt_id, w.account_id from attempt_work w
    where w.due_at <= app_now()
    order by w.due_at
    limit p_limit
    for update skip locked
  ), claimed as (
    update attempt_work w
    set epoch = w.epoch + 1,
        lease_until = app_now() + p_lease_ms * interval '1 millisecond',
        due_at = app_now() + p_lease_ms * interval '1 millisecond'
    from due
    where w.attempt_id = due.attempt_id and w.account_id = due.account_id
    returning w.attempt_id, w.account_id, w.epoch, w.tries
  )
  select c.attempt_id, c.account_id, c.epoch, c.tries, a.version, a.state, a.provider, a.model,
         a.prompt, a.settings, a.task_id, a.result, a.settlement, e.kind, e.evidence, coalesce(s.sends, 0),
         coalesce(extract(epoch from app_now() - s.first_sent_at) * 1000, 0),
         extract(epoch from app_now() - a.created_at) * 1000,
         extract(epoch from app_now() - entered.created_at) * 1000
  from claimed c
  join attempt a on a.id = c.attempt_id and a.account_id = c.account_id
  join attempt_event e
    on e.attempt_id = a.id and e.account_id = a.account_id and e.seq = a.version
  -- When this state was entered; lines that changed nothing do not count.
  cross join lateral (
    select x.created_at from attempt_event x
    where x.attempt_id = a.id and x.account_id = a.account_id
      and x.from_state is distinct from x.to_state
    order by x.seq desc limit 1
  ) entered
  left join submission s on s.attempt_id = c.attempt_id and s.account_id = c.account_id;
$$;

-- Commits `submitting` and the intent: after this one POST may be on the wire. An intent that is
-- armed already is never armed again.
create function begin_submission(
  p_account_id uuid, p_attempt_id uuid, p_version int, p_epoch bigint, p_lease_ms int, p_actor text
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_attempt attempt%rowtype;
begin
  update attempt_work
  set lease_until = app_now() + p_lease_ms * interval '1 millisecond',
      due_at = app_now() + p_lease_ms * interval '1 millisecond'
  where attempt_id = p_attempt_id and account_id = p_account_id and epoch = p_epoch;
  if not found then return 'fenced'; end if;
  select * into strict v_attempt from attempt
  where id = p_attempt_id and account_id = p_account_id for no key update;
  if v_attempt.version <> p_version then return 'stale'; end if;
  update submission
  set armed = true, sends = sends + 1, epoch = p_epoch, last_sent_at = app_now()
  where attempt_id = p_attempt_id and account_id = p_account_id and not armed;
  if not found then
    insert into submission (attempt_id, account_id, provider, epoch)
    values (p_attempt_id, p_account_id, v_attempt.provider, p_epoch);
  end if;
  update attempt set state = 'submitting', version = version + 1, updated_at = app_now()
  where id = p_attempt_id and account_id = p_account_id;
  insert into attempt_event (attempt_id, account_id, seq, from_state, to_state, kind, actor)
  values (p_attempt_id, p_account_id, p_version + 1, v_attempt.state, 'submitting',
          'submission_begun', p_actor);
  return 'applied';
end;
$$;

-- Applies one decision: state, evidence, artwork, settlement and its ledger line, and the next due
-- time, together or not at all. It is a compare-and-set on the version that the decision was made
-- on, fenced by the lease's epoch when the caller acts under one (null: evidence, which anyone
-- may bring).
create function apply_decision(
  p_account_id uuid, p_attempt_id uuid, p_version int, p_epoch bigint, p_to_state text,
  p_kind text, p_actor text, p_evidence jsonb, p_task_id text, p_result jsonb,
  p_failure_code text, p_failure_message text, p_settlement text, p_reason text,
  p_policy_version int, p_artwork jsonb, p_due_in_ms int
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_work attempt_work%rowtype;
  v_attempt attempt%rowtype;
begin
  select * into v_work from attempt_work
  where attempt_id = p_attempt_id and account_id = p_account_id for update;
  if not found then return 'closed'; end if;
  if p_epoch is not null and v_work.epoch <> p_epoch then return 'fenced'; end if;
  select * into strict v_attempt from attempt
  where id = p_attempt_id and account_id = p_account_id for no key update;
  if v_attempt.version <> p_version then return 'stale'; end if;
  if p_task_id is not null and exists (
    select from attempt where provider = v_attempt.provider and task_id = p_task_id
    and id <> p_attempt_id
  ) then
    return 'task_taken';
  end if;

  if v_attempt.state = 'submitting' and p_to_state in ('initializing', 'failed') then
    update submission set armed = false
    where attempt_id = p_attempt_id and account_id = p_account_id;
  end if;
  if p_artwork is not null then
    insert into artwork (attempt_id, account_id, object_key, sha256, content_type, width, height,
                         size_bytes, blur)
    values (p_attempt_id, p_account_id, p_artwork->>'objectKey',
            decode(p_artwork->>'sha256', 'hex'), p_artwork->>'contentType',
            (p_artwork->>'width')::int, (p_artwork->>'height')::int,
            (p_artwork->>'sizeBytes')::int, p_artwork->>'blur');
  end if;
  -- What was settled stays settled: a compensated attempt that proves delivered is not debited,
  -- one that proves failed is not released again.
  if p_settlement is not null and v_attempt.settlement is null then
    insert into settlement (attempt_id, account_id, kind, amount, actor, reason, policy_version)
    values (p_attempt_id, p_account_id, p_settlement, v_attempt.reserved_credits, p_actor, p_reason,
            p_policy_version);
    if v_attempt.allowance_day is null then
      perform post_entry(p_account_id, p_settlement, v_attempt.reserved_credits, p_attempt_id, null,
                         p_actor, p_reason);
    else
      update allowance_day
      set held = held - 1, delivered = delivered + case p_settlement when 'settled' then 1 else 0 end
      where account_id = p_account_id and day = v_attempt.allowance_day;
    end if;
  end if;
  update attempt
  set state = p_to_state, version = version + 1, updated_at = app_now(),
      task_id = coalesce(p_task_id, task_id), result = coalesce(p_result, result),
      failure_code = p_failure_code, failure_message = p_failure_message,
      settlement = coalesce(settlement, p_settlement)
  where id = p_attempt_id and account_id = p_account_id;
  insert into attempt_event (attempt_id, account_id, seq, from_state, to_state, kind, actor, evidence)
  values (p_attempt_id, p_account_id, p_version + 1, v_attempt.state, p_to_state, p_kind, p_actor,
          coalesce(p_evidence, '{}'));
  if p_to_state not in ('completed', 'failed') then
    update attempt_work
    set due_at = app_now() + p_due_in_ms * interval '1 millisecond', lease_until = null,
        tries = case when p_to_state = v_attempt.state then tries + 1 else 0 end,
        progress = case when p_to_state = v_attempt.state then progress end
    where attempt_id = p_attempt_id and account_id = p_account_id;
  end if;
  return 'applied';
end;
$$;

-- Ends a lease without news: when to look next, and what the look told that is not evidence.
create function defer_attempt(
  p_account_id uuid, p_attempt_id uuid, p_epoch bigint, p_due_in_ms int, p_looked boolean,
  p_progress real
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update attempt_work
  set due_at = app_now() + p_due_in_ms * interval '1 millisecond', lease_until = null,
      tries = tries + 1,
      looked_at = case when p_looked then app_now() else looked_at end,
      progress = greatest(progress, p_progress)
  where attempt_id = p_attempt_id and account_id = p_account_id and epoch = p_epoch;
  return case when found then 'applied' else 'fenced' end;
end;
$$;

-- Makes an open attempt due now. Asking early is harmless, so anybody may; a live lease is left alone.
create function wake_attempt(p_account_id uuid, p_attempt_id uuid)
returns void language sql security definer set search_path = public, pg_temp as $$
  update attempt_work set due_at = app_now()
  where attempt_id = p_attempt_id and account_id = p_account_id
    and lease_until is null and due_at > app_now();
$$;

revoke execute on all functions in schema public from public;
grant usage on schema public to darkroom_app;
grant select on all tables in schema public to darkroom_app;
grant insert on session, callback, worker_heartbeat to darkroom_app;
grant update (ended_at) on session to darkroom_app;
grant update (beat_at) on worker_heartbeat to darkroom_app;
grant delete on worker_heartbeat to darkroom_app;
grant execute on function
  app_now(), available_delta(text, int), held_delta(text, int), spent_delta(text, int),
  grant_credits(uuid, int, text, text, text),
  register_user(uuid, text, text, text, text, int),
  submit_attempt(uuid, uuid, uuid, bytea, text, text, text, jsonb, int, bytea, int),
  claim_attempts(int, int),
  begin_submission(uuid, uuid, int, bigint, int, text),
  apply_decision(uuid, uuid, int, bigint, text, text, text, jsonb, text, jsonb, text, text, text,
                 text, int, jsonb, int),
  defer_attempt(uuid, uuid, bigint, int, boolean, real),
  wake_attempt(uuid, uuid)
  to darkroom_app;
