-- E-mail: links that stand in for a password, and the news that a long attempt ended. A web server writes
-- down what is to be sent, a worker sends it. An older program may keep running: it sends nothing.

-- Since when it is known that the address is its owner's: they pressed a link that was sent there, or an
-- issuer that verifies addresses said so.
alter table user_identity add column email_verified_at timestamptz;
-- The language in which somebody wants to be told that a long attempt ended. Null: not at all.
alter table user_identity add column ends_mail_locale text
  constraint user_identity_ends_mail_locale_known check (ends_mail_locale in ('en', 'de', 'ja'));

-- Links by which whoever reads an address's mail is let in, each once. The token itself is in the mail,
-- derived from the id with the installation's secret, and stored nowhere.
create table email_token (
  id         uuid primary key,
  account_id uuid not null references account (id) on delete restrict,
  kind       text not null constraint email_token_kind_known check (
               kind in ('sign-in-link', 'password-reset')),
  token_hash bytea not null constraint email_token_hash_is_sha256 check (octet_length(token_hash) = 32)
             constraint email_token_once unique,
  -- A link proves this address; it is worth nothing once the account has another.
  email      text not null constraint email_token_email_bounded check (char_length(email) <= 254),
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  used_at    timestamptz,
  constraint email_token_ends_after_start check (expires_at > created_at)
);
create index email_token_by_account on email_token (account_id);

create function guard_email_token() returns trigger language plpgsql as $$
begin
  if (new.id, new.account_id, new.kind, new.token_hash, new.email, new.created_at, new.expires_at)
     is distinct from
     (old.id, old.account_id, old.kind, old.token_hash, old.email, old.created_at, old.expires_at)
     or old.used_at is not null then
    raise exception 'an e-mailed link is used once' using errcode = 'restrict_violation';
  end if;
  return new;
end;
$$;
create trigger email_token_guarded before update on email_token
  for each row execute function guard_email_token();

-- What is to be sent. A row is there exactly until it was sent or given up; its id is in the Message-ID,
-- so that a mail that is sent twice is one mail to whoever receives it.
create table mail_outbox (
  id         uuid primary key,
  account_id uuid not null references account (id) on delete restrict,
  kind       text not null constraint mail_outbox_kind_known check (
               kind in ('sign-in-link', 'password-reset', 'attempt-ended')),
  address    text not null constraint mail_outbox_address_bounded check (
               char_length(address) between 3 and 254),
  locale     text not null constraint mail_outbox_locale_known check (locale in ('en', 'de', 'ja')),
  token_id   uuid,
  attempt_id uuid,
  created_at timestamptz not null default app_now(),
  due_at     timestamptz not null default app_now(),
  tries      int not null default 0 constraint mail_outbox_tries_natural check (tries >= 0),
  constraint mail_outbox_about_one_thing check (
    (kind = 'attempt-ended') = (attempt_id is not null)
    and (kind = 'attempt-ended') = (token_id is null))
);
create index mail_outbox_due on mail_outbox (due_at);

-- Writes down a link and its mail when the address has an account that may sign in, and nothing when not.
create function request_mail_link(
  p_email text, p_kind text, p_token_id uuid, p_token_hash bytea, p_mail_id uuid, p_minutes int,
  p_locale text
) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_account_id uuid;
begin
  select i.account_id into v_account_id
  from user_identity i join account a on a.id = i.account_id and a.status = 'active'
  where i.email = p_email;
  if not found then return; end if;
  insert into email_token (id, account_id, kind, token_hash, email, expires_at)
  values (p_token_id, v_account_id, p_kind, p_token_hash, p_email,
          app_now() + p_minutes * interval '1 minute');
  insert into mail_outbox (id, account_id, kind, address, locale, token_id)
  values (p_mail_id, v_account_id, p_kind, p_email, p_locale, p_token_id);
end;
$$;

-- Uses up a link. Answers whose it is, or null: none such, used, too old, or not theirs any more.
create function use_email_token(p_token_hash bytea, p_kind text)
returns uuid language plpgsql set search_path = public, pg_temp as $$
declare
  v_account_id uuid;
begin
  update email_token t set used_at = app_now()
  from user_identity i join account a on a.id = i.account_id and a.status = 'active'
  where t.token_hash = p_token_hash and t.kind = p_kind and t.used_at is null
    and t.expires_at > app_now() and i.account_id = t.account_id and i.email = t.email
  returning t.account_id into v_account_id;
  return v_account_id;
end;
$$;

-- The first proof that an address is its owner's takes away what somebody else may have set up under it
-- before: password, sessions and keys.
create function verify_email(p_account_id uuid)
returns void language plpgsql set search_path = public, pg_temp as $$
begin
  update user_identity set email_verified_at = app_now(), password_hash = null
  where account_id = p_account_id and email_verified_at is null;
  if not found then return; end if;
  update session set ended_at = app_now() where account_id = p_account_id and ended_at is null;
  update api_key set revoked_at = app_now() where account_id = p_account_id and revoked_at is null;
end;
$$;

create function sign_in_by_link(p_token_hash bytea)
returns uuid language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_account_id uuid := use_email_token(p_token_hash, 'sign-in-link');
begin
  if v_account_id is not null then perform verify_email(v_account_id); end if;
  return v_account_id;
end;
$$;

-- Sets the password and ends every session. Other links to the same end are used up with it.
create function reset_password(p_token_hash bytea, p_password_hash text)
returns uuid language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_account_id uuid := use_email_token(p_token_hash, 'password-reset');
begin
  if v_account_id is null then return null; end if;
  perform verify_email(v_account_id);
  perform change_password(v_account_id, p_password_hash, null);
  update email_token set used_at = app_now() where account_id = v_account_id and used_at is null;
  return v_account_id;
end;
$$;

create function set_ends_mail(p_account_id uuid, p_locale text)
returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update user_identity set ends_mail_locale = p_locale where account_id = p_account_id;
  return found;
end;
$$;

-- Tells whoever asked for it that an attempt ended that they will hardly have waited for.
create function mail_long_end() returns trigger language plpgsql as $$
begin
  insert into mail_outbox (id, account_id, kind, address, locale, attempt_id)
  select gen_random_uuid(), new.account_id, 'attempt-ended', i.email, i.ends_mail_locale, new.id
  from user_identity i join account a on a.id = i.account_id and a.status = 'active'
  where i.account_id = new.account_id and i.ends_mail_locale is not null;
  return null;
end;
$$;
create trigger attempt_mails_long_end after update on attempt for each row
  when (new.state in ('completed', 'failed') and old.state not in ('completed', 'failed')
        and new.updated_at - new.created_at > interval '2 minutes')
  execute function mail_long_end();

-- Gives up to p_limit due mails to the caller, each to one caller, for p_lease_ms.
create function claim_mail(p_limit int, p_lease_ms int)
returns setof mail_outbox language sql security definer set search_path = public, pg_temp as $$
  update mail_outbox m
  set tries = m.tries + 1, due_at = app_now() + p_lease_ms * interval '1 millisecond'
  from (select id from mail_outbox where due_at <= app_now() order by due_at limit p_limit
        for update skip locked) due
  where m.id = due.id
  returning m.*;
$$;

revoke execute on function guard_email_token(),
  request_mail_link(text, text, uuid, bytea, uuid, int, text), use_email_token(bytea, text),
  verify_email(uuid), sign_in_by_link(bytea), reset_password(bytea, text), set_ends_mail(uuid, text),
  mail_long_end(), claim_mail(int, int) from public;
grant select on email_token, mail_outbox to darkroom_app;
grant delete on email_token, mail_outbox to darkroom_app;
grant update (due_at) on mail_outbox to darkroom_app;
grant execute on function request_mail_link(text, text, uuid, bytea, uuid, int, text),
  sign_in_by_link(bytea), reset_password(bytea, text), set_ends_mail(uuid, text),
  claim_mail(int, int) to darkroom_app;
