-- People who sign in through an issuer: GitHub, Google, or any that speaks OpenID Connect. An older
-- program may keep running: it lets them in by nothing.

create table external_identity (
  -- Two issuers may name two people alike.
  issuer     text not null constraint external_identity_issuer_bounded check (
               char_length(issuer) between 1 and 500),
  subject    text not null constraint external_identity_subject_bounded check (
               char_length(subject) between 1 and 255),
  account_id uuid not null references account (id) on delete restrict,
  created_at timestamptz not null default app_now(),
  primary key (issuer, subject),
  constraint external_identity_once_per_account unique (account_id, issuer)
);

-- Whom an issuer names, under these rules, the first that fits:
--   known       the issuer's name belongs to an account: it is that account
--   linked      somebody is signed in: the name is added to their account
--   joined      the issuer verified an address whose owner was verified here too: it is that account
--   registered  the issuer verified an address that nobody has here: a new account, or the guest's
-- and otherwise nobody:
--   taken       somebody is signed in, and the name is another account's, or theirs has one of this issuer
--   unproved    the address has an account, and nobody has shown here that it is theirs
--   no_email    the issuer verified no address
--   suspended   it is an account that may not sign in
create function sign_in_externally(
  p_issuer text, p_subject text, p_verified_email text, p_name text, p_signed_in uuid,
  p_new_account uuid, p_signup_credits int
) returns table (outcome text, account_id uuid)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_account_id uuid;
  v_proved boolean;
begin
  -- The same person twice at once is one account.
  perform pg_advisory_xact_lock(hashtextextended('external:' || p_issuer || ' ' || p_subject, 0));
  select e.account_id into v_account_id from external_identity e
  where e.issuer = p_issuer and e.subject = p_subject;
  if found then
    if p_signed_in is not null and p_signed_in <> v_account_id then
      return query select 'taken', null::uuid;
    elsif not exists (select from account a where a.id = v_account_id and a.status = 'active') then
      return query select 'suspended', null::uuid;
    else
      return query select 'known', v_account_id;
    end if;
    return;
  end if;
  if p_signed_in is not null then
    insert into external_identity as e (issuer, subject, account_id)
    values (p_issuer, p_subject, p_signed_in)
    on conflict on constraint external_identity_once_per_account do nothing;
    if found then return query select 'linked', p_signed_in;
    else return query select 'taken', null::uuid;
    end if;
    return;
  end if;
  if p_verified_email is null then
    return query select 'no_email', null::uuid;
    return;
  end if;
  select i.account_id, i.email_verified_at is not null into v_account_id, v_proved
  from user_identity i where i.email = p_verified_email;
  if not found then
    if register_user(p_new_account, p_verified_email, p_name, null, 'user', p_signup_credits)
       <> 'registered' then
      -- Somebody signed up with the address this very moment, and has proved nothing.
      return query select 'unproved', null::uuid;
      return;
    end if;
    update user_identity i set email_verified_at = app_now() where i.account_id = p_new_account;
    insert into external_identity (issuer, subject, account_id)
    values (p_issuer, p_subject, p_new_account);
    return query select 'registered', p_new_account;
  elsif not v_proved then
    return query select 'unproved', null::uuid;
  elsif not exists (select from account a where a.id = v_account_id and a.status = 'active') then
    return query select 'suspended', null::uuid;
  else
    insert into external_identity as e (issuer, subject, account_id)
    values (p_issuer, p_subject, v_account_id)
    on conflict on constraint external_identity_once_per_account do nothing;
    if found then return query select 'joined', v_account_id;
    else return query select 'unproved', null::uuid;
    end if;
  end if;
end;
$$;

-- Takes an issuer's name away, unless nothing would be left to sign in with.
create function unlink_identity(p_account_id uuid, p_issuer text)
returns text language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from user_identity where account_id = p_account_id for no key update;
  if not exists (select from user_identity where account_id = p_account_id and password_hash is not null)
     and not exists (select from external_identity
                     where account_id = p_account_id and issuer <> p_issuer) then
    return 'last_way_in';
  end if;
  delete from external_identity where account_id = p_account_id and issuer = p_issuer;
  return case when found then 'unlinked' else 'unknown' end;
end;
$$;

-- As before; what an issuer could have been linked to by whoever was here first goes too.
create or replace function verify_email(p_account_id uuid)
returns void language plpgsql set search_path = public, pg_temp as $$
begin
  update user_identity set email_verified_at = app_now(), password_hash = null
  where account_id = p_account_id and email_verified_at is null;
  if not found then return; end if;
  update session set ended_at = app_now() where account_id = p_account_id and ended_at is null;
  update api_key set revoked_at = app_now() where account_id = p_account_id and revoked_at is null;
  delete from external_identity where account_id = p_account_id;
end;
$$;

revoke execute on function
  sign_in_externally(text, text, text, text, uuid, uuid, int), unlink_identity(uuid, text) from public;
grant select on external_identity to darkroom_app;
grant execute on function
  sign_in_externally(text, text, text, text, uuid, uuid, int), unlink_identity(uuid, text)
  to darkroom_app;
