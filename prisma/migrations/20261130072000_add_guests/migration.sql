-- Guests: accounts without an identity, known by a signed cookie. Signing up gives the same account an
-- identity, so that its attempts and images stay.

alter table account add column kind text not null default 'user'
  constraint account_kind_known check (kind in ('user', 'guest'));

-- How many attempts guests recorded from one address on one UTC day. An abuse control apart from
-- the allowance. Addresses are kept as keyed digests that differ from day to day.
create table guest_address_day (
  address_digest bytea not null constraint guest_address_day_digest_whole check (
                   octet_length(address_digest) = 32),
  day            date not null,
  attempts       int not null constraint guest_address_day_natural check (attempts >= 1),
  primary key (address_digest, day)
);

create function open_guest_account(p_account_id uuid)
returns void language sql security definer set search_path = public, pg_temp as $$
  insert into account (id, kind) values (p_account_id, 'guest') on conflict (id) do nothing;
$$;

-- As submit_attempt, for a guest. One more than the cap from one address leaves nothing behind.
create function submit_guest_attempt(
  p_attempt_id uuid, p_account_id uuid, p_request_id uuid, p_fingerprint bytea, p_provider text,
  p_model text, p_prompt text, p_settings jsonb, p_price int, p_callback_token_hash bytea,
  p_allowance_limit int, p_address_digest bytea, p_address_cap int
) returns table (outcome text, attempt_id uuid, available int)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_result record;
begin
  perform open_guest_account(p_account_id);
  select * into v_result from submit_attempt(
    p_attempt_id, p_account_id, p_request_id, p_fingerprint, p_provider, p_model, p_prompt,
    p_settings, p_price, p_callback_token_hash, p_allowance_limit);
  if v_result.outcome = 'recorded' then
    insert into guest_address_day as g (address_digest, day, attempts)
    values (p_address_digest, (app_now() at time zone 'utc')::date, 1)
    on conflict (address_digest, day) do update
    set attempts = g.attempts + 1 where g.attempts < p_address_cap;
    if not found then raise exception using errcode = 'DR001'; end if;
  end if;
  return query select v_result.outcome, v_result.attempt_id, v_result.available;
exception
  -- Rolls back to before the submission: the refusal keeps nothing.
  when sqlstate 'DR001' then
    return query select 'address_limit'::text, null::uuid, 0;
end;
$$;

-- Gives an identity to a new account, or to the guest's account that p_account_id is.
create or replace function register_user(
  p_account_id uuid, p_email text, p_name text, p_password_hash text, p_role text,
  p_signup_credits int
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into user_identity (account_id, email, name, password_hash, role)
  values (p_account_id, p_email, p_name, p_password_hash, p_role)
  on conflict (email) do nothing;
  if not found then return 'email_taken'; end if;
  insert into account (id) values (p_account_id)
  on conflict (id) do update set kind = 'user' where account.kind = 'guest';
  if p_signup_credits > 0 then
    perform post_entry(p_account_id, 'granted', p_signup_credits, null, 'sign-up', 'system',
                       'Credits for signing up');
  end if;
  return 'registered';
end;
$$;

revoke execute on function open_guest_account(uuid) from public;
revoke execute on function submit_guest_attempt(
  uuid, uuid, uuid, bytea, text, text, text, jsonb, int, bytea, int, bytea, int) from public;
grant select on guest_address_day to darkroom_app;
grant execute on function
  open_guest_account(uuid),
  submit_guest_attempt(
    uuid, uuid, uuid, bytea, text, text, text, jsonb, int, bytea, int, bytea, int)
  to darkroom_app;
