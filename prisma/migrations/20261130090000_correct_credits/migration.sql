-- Corrections, and source keys that mean one thing. An older program may keep running: it never
-- corrects, and takes a reused key for an error.

-- Puts right what an earlier line got wrong, once per source key. What is held or spent belongs to
-- attempts, so a correction takes no more than is available.
create function correct_credits(
  p_account_id uuid, p_amount int, p_source_key text, p_actor text, p_reason text
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_available int;
  v_known ledger_entry%rowtype;
begin
  select available into v_available from account where id = p_account_id for no key update;
  if not found then return 'no_account'; end if;
  -- A new statement, so that it sees what the lock waited for.
  select * into v_known from ledger_entry
  where account_id = p_account_id and source_key = p_source_key;
  if found then
    return case when v_known.kind = 'corrected' and v_known.amount = p_amount
                then 'replayed' else 'key_reused' end;
  end if;
  if v_available + p_amount < 0 then return 'insufficient_credits'; end if;
  perform post_entry(p_account_id, 'corrected', p_amount, null, p_source_key, p_actor, p_reason);
  return 'corrected';
end;
$$;

-- Grants happen once per source key: asked again for the same, the answer is 'replayed'. Asked for
-- something else, whoever asks is told, for they may believe that it was given.
create or replace function grant_credits(
  p_account_id uuid, p_amount int, p_source_key text, p_actor text, p_reason text
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_known ledger_entry%rowtype;
begin
  perform from account where id = p_account_id for no key update;
  if not found then return 'no_account'; end if;
  -- A new statement, so that it sees what the lock waited for.
  select * into v_known from ledger_entry
  where account_id = p_account_id and source_key = p_source_key;
  if found then
    return case when v_known.kind = 'granted' and v_known.amount = p_amount
                then 'replayed' else 'key_reused' end;
  end if;
  perform post_entry(p_account_id, 'granted', p_amount, null, p_source_key, p_actor, p_reason);
  return 'granted';
end;
$$;

revoke execute on function correct_credits(uuid, int, text, text, text) from public;
grant execute on function correct_credits(uuid, int, text, text, text) to darkroom_app;
