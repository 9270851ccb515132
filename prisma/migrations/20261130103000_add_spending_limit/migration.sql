-- A daily spending limit that somebody sets for their own account. An older program may keep running:
-- to it, a refusal is an error that kept nothing.

create table spending_limit (
  account_id uuid primary key references account (id) on delete restrict,
  -- Of one UTC day. With 0 only free images are left.
  credits    int not null constraint spending_limit_bounded check (credits between 0 and 1000000),
  set_at     timestamptz not null default app_now()
);

-- A day's holds are next to each other: what a day used is asked with every submission under a limit,
-- and for the chart of a month.
create index ledger_entry_reserved_by_time on ledger_entry (account_id, created_at)
  where kind = 'reserved';

-- What the account's holds of a UTC day use: charged, or still on hold. What was released or
-- compensated goes back to the day that it was taken from, as free images do.
create function credits_used_on(p_account_id uuid, p_day date)
returns int language sql stable set search_path = public, pg_temp as $$
  select coalesce(sum(e.amount), 0)::int
  from ledger_entry e join attempt a on a.id = e.attempt_id and a.account_id = e.account_id
  where e.account_id = p_account_id and e.kind = 'reserved'
    and e.created_at >= p_day::timestamp at time zone 'utc'
    and e.created_at < (p_day + 1)::timestamp at time zone 'utc'
    and coalesce(a.settlement, 'settled') = 'settled';
$$;

-- No hold passes the limit, whoever records the attempt. The account's lock makes those who come
-- together come one after the other, and each counts the holds of those before it.
create function refuse_over_spending_limit() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  v_limit int;
  v_used int;
begin
  perform from account where id = new.account_id for no key update;
  select credits into v_limit from spending_limit where account_id = new.account_id;
  if not found then return new; end if;
  v_used := credits_used_on(new.account_id, (app_now() at time zone 'utc')::date);
  if v_used + new.reserved_credits > v_limit then
    raise exception 'the daily spending limit of account % is reached', new.account_id
      using errcode = 'DR002', detail = json_build_object('limit', v_limit, 'used', v_used)::text;
  end if;
  return new;
end;
$$;
create trigger attempt_within_spending_limit before insert on attempt for each row
  when (new.reserved_credits > 0) execute function refuse_over_spending_limit();

-- Sets the limit, or with null takes it away. What was held or charged before stays.
create function set_spending_limit(p_account_id uuid, p_credits int)
returns text language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from account where id = p_account_id for no key update;
  if not found then return 'no_account'; end if;
  if p_credits is null then
    delete from spending_limit where account_id = p_account_id;
    return 'removed';
  end if;
  insert into spending_limit as s (account_id, credits) values (p_account_id, p_credits)
  on conflict (account_id) do update set credits = excluded.credits, set_at = app_now()
  where s.credits <> excluded.credits;
  return 'set';
end;
$$;

revoke execute on function credits_used_on(uuid, date), refuse_over_spending_limit(),
  set_spending_limit(uuid, int) from public;
grant select on spending_limit to darkroom_app;
grant execute on function credits_used_on(uuid, date), set_spending_limit(uuid, int) to darkroom_app;
