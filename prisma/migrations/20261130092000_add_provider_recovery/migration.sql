-- What recovery with real providers needs: a record of every POST, the wish to cancel, callbacks that
-- name a task and no attempt, and providers that refuse our key or our account.

------------------------------------------------------------------------------------------------
-- Upstream usage: one line per POST, apart from every customer's ledger
------------------------------------------------------------------------------------------------

create table usage_record (
  attempt_id          uuid not null,
  account_id          uuid not null,
  number              int not null constraint usage_record_number_positive check (number >= 1),
  -- `repeat`: the same POST under the same key, where its provider makes no second task of it.
  kind                text not null constraint usage_record_kind_known check (
                        kind in ('submit', 'repeat')),
  provider            text not null,
  sent_at             timestamptz not null default app_now(),
  -- Null for as long as nobody knows what became of it.
  outcome             text constraint usage_record_outcome_known check (outcome in (
                        'accepted', 'made', 'made-at', 'failed', 'rejected', 'rejected-for-now',
                        'unknown')),
  answered_at         timestamptz,
  address             text constraint usage_record_address_bounded check (
                        char_length(address) <= 2000),
  request_sha256      bytea constraint usage_record_request_sha256_whole check (
                        octet_length(request_sha256) = 32),
  request_bytes       int constraint usage_record_request_bytes_natural check (request_bytes >= 0),
  http_status         int constraint usage_record_http_status_sane check (
                        http_status between 100 and 999),
  provider_request_id text constraint usage_record_provider_request_id_bounded check (
                        char_length(provider_request_id) <= 300),
  -- As the provider reports it, in its own unit.
  cost_amount         numeric(20, 8) constraint usage_record_cost_natural check (cost_amount >= 0),
  cost_unit           text constraint usage_record_cost_unit_bounded check (
                        char_length(cost_unit) between 1 and 40),
  primary key (attempt_id, account_id, number),
  constraint usage_record_of_submission foreign key (attempt_id, account_id)
    references submission (attempt_id, account_id) on delete restrict,
  constraint usage_record_answer_whole check ((outcome is null) = (answered_at is null)),
  constraint usage_record_cost_whole check ((cost_amount is null) = (cost_unit is null))
);

-- What is written stays; what was not known may be added once.
create function guard_usage() returns trigger language plpgsql as $$
begin
  if (new.attempt_id, new.account_id, new.number, new.kind, new.provider, new.sent_at)
     is distinct from
     (old.attempt_id, old.account_id, old.number, old.kind, old.provider, old.sent_at)
     or old.outcome is not null and
     (new.outcome, new.answered_at, new.address, new.request_sha256, new.request_bytes,
      new.http_status, new.provider_request_id)
     is distinct from
     (old.outcome, old.answered_at, old.address, old.request_sha256, old.request_bytes,
      old.http_status, old.provider_request_id)
     or old.cost_amount is not null and
     (new.cost_amount, new.cost_unit) is distinct from (old.cost_amount, old.cost_unit) then
    raise exception 'what is known of a POST does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end;
$$;
create trigger usage_record_guarded before update on usage_record
  for each row execute function guard_usage();
create trigger usage_record_kept before delete or truncate on usage_record
  for each statement execute function refuse_change();

-- Every intent that is armed is a POST that may be sent.
create function open_usage() returns trigger language plpgsql as $$
begin
  insert into usage_record (attempt_id, account_id, number, kind, provider)
  values (new.attempt_id, new.account_id,
          (select count(*) + 1 from usage_record
           where attempt_id = new.attempt_id and account_id = new.account_id),
          'submit', new.provider);
  return null;
end;
$$;
create trigger submission_opens_usage after insert or update of sends on submission
  for each row execute function open_usage();

-- What came back for a POST, the newest one when p_number is null, and what a later look said that it
-- cost. What is known already stays.
create function record_usage(
  p_account_id uuid, p_attempt_id uuid, p_number int, p_outcome text, p_usage jsonb
) returns boolean language sql security definer set search_path = public, pg_temp as $$
  with answered as (
    update usage_record u
    set outcome = p_outcome,
        answered_at = app_now(),
        address = left(p_usage->>'address', 2000),
        request_sha256 = decode(p_usage->>'requestSha256', 'hex'),
        request_bytes = (p_usage->>'requestBytes')::int,
        http_status = (p_usage->>'httpStatus')::int,
        provider_request_id = left(p_usage->>'providerRequestId', 300),
        cost_amount = (p_usage->'cost'->>'amount')::numeric,
        cost_unit = left(p_usage->'cost'->>'unit', 40)
    where u.attempt_id = p_attempt_id and u.account_id = p_account_id
      and u.outcome is null and p_outcome is not null
      and u.number = coalesce(p_number, (select max(number) from usage_record
                                         where attempt_id = p_attempt_id and account_id = p_account_id))
    returning true
  ), priced as (
    update usage_record u
    set cost_amount = (p_usage->'cost'->>'amount')::numeric,
        cost_unit = left(p_usage->'cost'->>'unit', 40)
    where u.attempt_id = p_attempt_id and u.account_id = p_account_id
      and p_outcome is null and u.cost_amount is null
      and u.number = coalesce(p_number, (select max(number) from usage_record
                                         where attempt_id = p_attempt_id and account_id = p_account_id))
    returning true
  )
  select true from answered union all select true from priced limit 1;
$$;

------------------------------------------------------------------------------------------------
-- The same POST again, where a provider documents that no second task comes of it
------------------------------------------------------------------------------------------------

-- Commits that it is sent once more. The attempt stays unresolved, and its intent stays armed.
create function begin_repeat(
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
  if v_attempt.state <> 'status_unknown' or v_attempt.task_id is not null then
    raise exception 'attempt % is not unresolved', p_attempt_id using errcode = 'restrict_violation';
  end if;
  insert into usage_record (attempt_id, account_id, number, kind, provider)
  select p_attempt_id, p_account_id, count(*) + 1, 'repeat', v_attempt.provider
  from usage_record where attempt_id = p_attempt_id and account_id = p_account_id;
  update attempt set version = version + 1, updated_at = app_now()
  where id = p_attempt_id and account_id = p_account_id;
  insert into attempt_event (attempt_id, account_id, seq, from_state, to_state, kind, actor)
  values (p_attempt_id, p_account_id, p_version + 1, 'status_unknown', 'status_unknown',
          'repeat_begun', p_actor);
  return 'applied';
end;
$$;

------------------------------------------------------------------------------------------------
-- The wish to cancel
------------------------------------------------------------------------------------------------

alter table attempt_work add column cancel text not null default 'unasked'
  constraint attempt_work_cancel_known check (cancel in ('unasked', 'wanted', 'told'));

-- Notes that its owner does not want it any more; a worker passes it on. What was sent already may
-- still be delivered and charged. Answers 'closed' when its image was made or its outcome is final.
create function want_cancel(p_account_id uuid, p_attempt_id uuid)
returns text language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update attempt_work w
  set cancel = case w.cancel when 'unasked' then 'wanted' else w.cancel end,
      due_at = case when w.lease_until is null then least(w.due_at, app_now()) else w.due_at end
  from attempt a
  where w.attempt_id = p_attempt_id and w.account_id = p_account_id
    and a.id = w.attempt_id and a.account_id = w.account_id
    and a.state in ('submitting', 'pending', 'status_unknown');
  return case when found then 'wanted' else 'closed' end;
end;
$$;

-- The provider knows of the wish: it is not told again.
create function told_cancel(p_account_id uuid, p_attempt_id uuid, p_epoch bigint)
returns text language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update attempt_work set cancel = 'told'
  where attempt_id = p_attempt_id and account_id = p_account_id and epoch = p_epoch;
  return case when found then 'applied' else 'fenced' end;
end;
$$;

-- As claim_attempts, with what a worker has to know besides.
create function claim_work(p_limit int, p_lease_ms int)
returns table (
  attempt_id uuid, account_id uuid, epoch bigint, tries int, version int, state text,
  provider text, model text, prompt text, settings jsonb, task_id text, result jsonb,
  settlement text, last_kind text, last_evidence jsonb, sends int, sending_age_ms float8,
  age_ms float8, state_age_ms float8, cancel text
) language sql security definer set search_path = public, pg_temp as $$
  select c.*, w.cancel
  from claim_attempts(p_limit, p_lease_ms) c
  join attempt_work w on w.attempt_id = c.attempt_id and w.account_id = c.account_id;
$$;

------------------------------------------------------------------------------------------------
-- Callbacks of a whole project: they name a task, and no attempt
------------------------------------------------------------------------------------------------

create table project_callback (
  provider    text not null,
  delivery_id text not null constraint project_callback_delivery_id_bounded check (
                char_length(delivery_id) between 1 and 200),
  task_id     text not null constraint project_callback_task_id_bounded check (
                char_length(task_id) between 1 and 200),
  body        text not null constraint project_callback_body_bounded check (
                octet_length(body) <= 1048576),
  received_at timestamptz not null default app_now(),
  -- Whose task it is, once a worker has asked the provider.
  resolved_at timestamptz,
  primary key (provider, delivery_id)
);
create index project_callback_open on project_callback (received_at) where resolved_at is null;
create trigger project_callback_kept before delete or truncate on project_callback
  for each statement execute function refuse_change();

------------------------------------------------------------------------------------------------
-- Providers that refuse our key or our account
------------------------------------------------------------------------------------------------

create table provider_block (
  provider      text primary key constraint provider_block_provider_bounded check (
                  char_length(provider) between 1 and 40),
  reason        text not null constraint provider_block_reason_bounded check (
                  char_length(reason) between 1 and 1000),
  blocked_at    timestamptz not null default app_now(),
  blocked_until timestamptz not null,
  constraint provider_block_ends_after_start check (blocked_until > blocked_at)
);

-- Takes the provider's models out of offer for a while; then one attempt finds out anew.
create function block_provider(p_provider text, p_reason text, p_for_ms int)
returns void language sql security definer set search_path = public, pg_temp as $$
  insert into provider_block (provider, reason, blocked_until)
  values (p_provider, left(p_reason, 1000), app_now() + p_for_ms * interval '1 millisecond')
  on conflict (provider) do update
  set reason = excluded.reason, blocked_at = excluded.blocked_at,
      blocked_until = excluded.blocked_until;
$$;
create function unblock_provider(p_provider text)
returns void language sql security definer set search_path = public, pg_temp as $$
  delete from provider_block where provider = p_provider;
$$;

revoke execute on function guard_usage(), open_usage(), record_usage(uuid, uuid, int, text, jsonb),
  begin_repeat(uuid, uuid, int, bigint, int, text), want_cancel(uuid, uuid),
  told_cancel(uuid, uuid, bigint), claim_work(int, int), block_provider(text, text, int),
  unblock_provider(text) from public;
grant select on usage_record, project_callback, provider_block to darkroom_app;
grant insert on project_callback to darkroom_app;
grant update (resolved_at) on project_callback to darkroom_app;
grant execute on function record_usage(uuid, uuid, int, text, jsonb),
  begin_repeat(uuid, uuid, int, bigint, int, text), want_cancel(uuid, uuid),
  told_cancel(uuid, uuid, bigint), claim_work(int, int), block_provider(text, text, int),
  unblock_provider(text)
  to darkroom_app;
