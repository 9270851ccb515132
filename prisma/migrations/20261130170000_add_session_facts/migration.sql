-- What a person sees of their own sessions, and what they may change of their own identity. An older
-- program may keep running: the sessions that it opens say nothing of where they are from.

-- The browser and its system in words. What the browser said of itself is not kept.
alter table session add column device text constraint session_device_bounded check (
  char_length(device) between 1 and 100);
-- To the minute: a page does not become a write. Null until it was used a minute after it was opened.
alter table session add column last_used_at timestamptz;

create function guard_session() returns trigger language plpgsql as $$
begin
  if (new.id, new.account_id) is distinct from (old.id, old.account_id) then
    raise exception 'session % cannot become another', old.id using errcode = 'restrict_violation';
  end if;
  if old.ended_at is not null and new.ended_at is distinct from old.ended_at then
    raise exception 'session % stays ended', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end;
$$;
create trigger session_guarded before update on session for each row execute function guard_session();

-- Somebody who comes by a link in an e-mail, or from elsewhere, needs no password.
alter table user_identity alter column password_hash drop not null;

-- Sets the password and ends every session of the account but the one that asks. Answers whether there
-- is such an account.
create function change_password(p_account_id uuid, p_password_hash text, p_kept_session uuid)
returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update user_identity set password_hash = p_password_hash where account_id = p_account_id;
  if not found then return false; end if;
  update session set ended_at = app_now()
  where account_id = p_account_id and ended_at is null and id is distinct from p_kept_session;
  return true;
end;
$$;

create function rename_user(p_account_id uuid, p_name text)
returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update user_identity set name = p_name where account_id = p_account_id;
  return found;
end;
$$;

revoke execute on function guard_session(), change_password(uuid, text, uuid),
  rename_user(uuid, text) from public;
grant update (last_used_at) on session to darkroom_app;
grant execute on function change_password(uuid, text, uuid), rename_user(uuid, text) to darkroom_app;
