-- Credits above a threshold move when a second admin agrees. An older program may keep running: it moves
-- them at once, as before.

insert into role_act (role, act) values ('admin', 'approve'), ('admin', 'reject');

create table credit_request (
  -- Of the act that asks for it.
  id           uuid not null,
  account_id   uuid not null references account (id) on delete restrict,
  act          text not null constraint credit_request_act_known check (
                 act in ('grant-credits', 'correct-credits')),
  credits      int not null constraint credit_request_credits_bounded check (
                 credits between -1000000000 and 1000000000 and credits <> 0
                 and (credits > 0 or act = 'correct-credits')),
  requested_by uuid not null constraint credit_request_requester_exists
                 references account (id) on delete restrict,
  reason       text not null constraint credit_request_reason_bounded check (
                 char_length(btrim(reason)) >= 8 and char_length(reason) <= 1000),
  asked_at     timestamptz not null default app_now(),
  decision     text constraint credit_request_decision_known check (
                 decision in ('approved', 'rejected')),
  decided_by   uuid constraint credit_request_decider_exists
                 references account (id) on delete restrict,
  decided_why  text constraint credit_request_decided_why_bounded check (
                 char_length(btrim(decided_why)) >= 8 and char_length(decided_why) <= 1000),
  decided_at   timestamptz,
  primary key (id, account_id),
  constraint credit_request_four_eyes check (decided_by <> requested_by),
  constraint credit_request_decided_whole check (
    (decision is null) = (decided_by is null) and (decision is null) = (decided_why is null)
    and (decision is null) = (decided_at is null))
);
create index credit_request_open on credit_request (asked_at) where decision is null;
create index credit_request_by_account on credit_request (account_id, asked_at desc);

create function guard_credit_request() returns trigger language plpgsql as $$
begin
  if old.decision is not null
     or (new.id, new.account_id, new.act, new.credits, new.requested_by, new.reason, new.asked_at)
        is distinct from
        (old.id, old.account_id, old.act, old.credits, old.requested_by, old.reason, old.asked_at) then
    raise exception 'what was asked for in request % cannot change', old.id
      using errcode = 'restrict_violation';
  end if;
  return new;
end;
$$;
create trigger credit_request_guarded before update on credit_request
  for each row execute function guard_credit_request();
create trigger credit_request_kept before delete or truncate on credit_request
  for each statement execute function refuse_change();

create function request_credits(
  p_id uuid, p_account_id uuid, p_act text, p_credits int, p_requested_by uuid, p_reason text
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from account where id = p_account_id) then return 'no_account'; end if;
  insert into credit_request (id, account_id, act, credits, requested_by, reason)
  values (p_id, p_account_id, p_act, p_credits, p_requested_by, p_reason);
  return 'waiting';
end;
$$;

-- Decides once, by somebody else, and moves the credits in the same transaction if they agree. Credits
-- that cannot move leave the request undecided.
create function decide_credits(
  p_id uuid, p_account_id uuid, p_decision text, p_decided_by uuid, p_decided_why text,
  p_actor text, p_words text
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_request credit_request%rowtype;
  v_outcome text;
begin
  select * into v_request from credit_request
  where id = p_id and account_id = p_account_id for update;
  if not found then return 'no_request'; end if;
  if v_request.decision is not null then return 'decided_before'; end if;
  if v_request.requested_by = p_decided_by then return 'own_request'; end if;
  if p_decision = 'approved' then
    v_outcome := case v_request.act
      when 'grant-credits' then
        grant_credits(p_account_id, v_request.credits, 'admin:' || p_id, p_actor, p_words)
      else correct_credits(p_account_id, v_request.credits, 'admin:' || p_id, p_actor, p_words) end;
    if v_outcome not in ('granted', 'corrected') then return v_outcome; end if;
  end if;
  update credit_request
  set decision = p_decision, decided_by = p_decided_by, decided_why = p_decided_why,
      decided_at = app_now()
  where id = p_id and account_id = p_account_id;
  return 'applied';
end;
$$;

revoke execute on function guard_credit_request(),
  request_credits(uuid, uuid, text, int, uuid, text),
  decide_credits(uuid, uuid, text, uuid, text, text, text) from public;
grant select on credit_request to darkroom_app;
grant execute on function request_credits(uuid, uuid, text, int, uuid, text),
  decide_credits(uuid, uuid, text, uuid, text, text, text) to darkroom_app;
