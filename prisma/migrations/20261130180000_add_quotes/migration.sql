-- What the button said that an attempt would take at most. Null: nobody was told, as programs are not. An
-- older program may keep running: it tells of no quote.

alter table attempt add column quoted_credits int;
alter table attempt add constraint attempt_quote_bounded check (quoted_credits between 0 and 1000000);
-- Nothing is held that was not agreed to.
alter table attempt add constraint attempt_within_quote check (reserved_credits <= quoted_credits);
create trigger attempt_quote_stays before update of quoted_credits on attempt for each row
  when (new.quoted_credits is distinct from old.quoted_credits) execute function refuse_change();

-- As it was, and 'price_changed' where it would take more than was said.
drop function submit_attempt(uuid, uuid, uuid, bytea, text, text, text, jsonb, int, bytea, int);
create function submit_attempt(
  p_attempt_id uuid, p_account_id uuid, p_request_id uuid, p_fingerprint bytea, p_provider text,
  p_model text, p_prompt text, p_settings jsonb, p_price int, p_callback_token_hash bytea,
  p_allowance_limit int, p_quoted_credits int default null
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
    if p_price > p_quoted_credits then
      return query select 'price_changed', null::uuid, v_account.available;
      return;
    end if;
    v_day := null;
  end if;
  insert into attempt (id, account_id, request_id, fingerprint, provider, model, prompt, settings,
                       price, reserved_credits, allowance_day, callback_token_hash,
                       quoted_credits)
  values (p_attempt_id, p_account_id, p_request_id, p_fingerprint, p_provider, p_model, p_prompt,
          p_settings, p_price, case when v_day is null then p_price else 0 end, v_day,
          p_callback_token_hash, p_quoted_credits);
  insert into attempt_event (attempt_id, account_id, seq, from_state, to_state, kind, actor)
  values (p_attempt_id, p_account_id, 0, null, 'initializing', 'recorded', 'user');
  if v_day is null then
    perform post_entry(p_account_id, 'reserved', p_price, p_attempt_id, null, 'user', null);
    v_account.available := v_account.available - p_price;
  end if;
  return query select 'recorded', p_attempt_id, v_account.available;
end;
$$;
revoke execute on function
  submit_attempt(uuid, uuid, uuid, bytea, text, text, text, jsonb, int, bytea, int, int) from public;
grant execute on function
  submit_attempt(uuid, uuid, uuid, bytea, text, text, text, jsonb, int, bytea, int, int) to darkroom_app;
