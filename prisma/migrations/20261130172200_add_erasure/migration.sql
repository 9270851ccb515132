-- People who delete their account. What is theirs goes; the books stay, and name nobody. An older program
-- may keep running: to it the account is one that may do nothing.

alter table account drop constraint account_status_known;
alter table account add constraint account_status_known check (
  status in ('active', 'suspended', 'deleted'));

create function keep_account_deleted() returns trigger language plpgsql as $$
begin
  if old.status = 'deleted' and new.status <> 'deleted' then
    raise exception 'account % stays deleted', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end;
$$;
create trigger account_stays_deleted before update of status on account
  for each row execute function keep_account_deleted();

-- Whose traces are still being removed: those of open attempts wait for their end.
create table account_erasure (
  account_id  uuid primary key references account (id) on delete restrict,
  asked_at    timestamptz not null default app_now(),
  finished_at timestamptz,
  constraint account_erasure_ends_after_start check (finished_at >= asked_at)
);
create index account_erasure_open on account_erasure (asked_at) where finished_at is null;
create trigger account_erasure_kept before delete or truncate on account_erasure
  for each statement execute function refuse_change();

-- Files that have to go and whose rows are gone already.
create table erased_file (
  object_key text primary key constraint erased_file_key_bounded check (
               char_length(object_key) between 1 and 500),
  queued_at  timestamptz not null default app_now()
);

-- What was erased of an attempt stays erased; every figure and every step of it stays as it was.
alter table attempt add column erased_at timestamptz;
alter table attempt add constraint attempt_erased_is_blank check (
  erased_at is null
  or (state in ('completed', 'failed') and prompt = '(deleted)' and result is null
      and not settings ?| array['negativePrompt', 'referenceImages']
      and coalesce(failure_message, '(deleted)') = '(deleted)'));

create function is_deleted_account(p_account_id uuid)
returns boolean language sql stable set search_path = public, pg_temp as $$
  select exists (select from account where id = p_account_id and status = 'deleted');
$$;

create or replace function guard_attempt() returns trigger language plpgsql as $$
declare
  -- What attempt_erased_is_blank asks for, what tells of the prompt, and what is made of the others.
  erased constant text[] := array['prompt', 'settings', 'fingerprint', 'result', 'failure_message',
                                  'erased_at', 'reserved', 'needs_submission', 'needs_artwork'];
begin
  if old.erased_at is null and new.erased_at is not null and is_deleted_account(old.account_id) then
    if to_jsonb(new) - erased <> to_jsonb(old) - erased
       or new.settings <> old.settings - array['negativePrompt', 'referenceImages']
       or (new.failure_message is null) <> (old.failure_message is null) then
      raise exception 'erasing attempt % changes nothing else', old.id
        using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
  if (new.id, new.account_id, new.request_id, new.fingerprint, new.provider, new.model, new.prompt,
      new.settings, new.price, new.reserved_credits, new.allowance_day, new.callback_token_hash,
      new.created_at, new.erased_at)
     is distinct from
     (old.id, old.account_id, old.request_id, old.fingerprint, old.provider, old.model, old.prompt,
      old.settings, old.price, old.reserved_credits, old.allowance_day, old.callback_token_hash,
      old.created_at, old.erased_at) then
    raise exception 'what was requested of attempt % cannot change', old.id
      using errcode = 'restrict_violation';
  end if;
  if new.version <> old.version + 1 then
    raise exception 'attempt % changes only with a line of history', old.id
      using errcode = 'restrict_violation';
  end if;
  if old.task_id is distinct from new.task_id and old.task_id is not null then
    raise exception 'attempt % has a task already', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end;
$$;

-- For tables that are append-only but for this: of a deleted account one column may become blank.
create function only_erase() returns trigger language plpgsql as $$
begin
  -- What is made of other columns is not made yet.
  if to_jsonb(new) - tg_argv[0] - 'prior_seq' = to_jsonb(old) - tg_argv[0] - 'prior_seq'
     and to_jsonb(new) -> tg_argv[0] = tg_argv[1]::jsonb and is_deleted_account(old.account_id) then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end;
$$;
drop trigger attempt_event_append_only on attempt_event;
create trigger attempt_event_kept before delete or truncate on attempt_event
  for each statement execute function refuse_change();
create trigger attempt_event_only_erased before update on attempt_event
  for each row execute function only_erase('evidence', '{}');
drop trigger artwork_append_only on artwork;
create trigger artwork_kept before delete or truncate on artwork
  for each statement execute function refuse_change();
-- The blur is the picture, very small.
create trigger artwork_only_erased before update on artwork
  for each row execute function only_erase('blur', '""');
drop trigger callback_append_only on callback;
create trigger callback_kept before delete or truncate on callback
  for each statement execute function refuse_change();
create trigger callback_only_erased before update on callback
  for each row execute function only_erase('body', '""');
drop trigger anomaly_append_only on anomaly;
create trigger anomaly_kept before delete or truncate on anomaly
  for each statement execute function refuse_change();
create trigger anomaly_only_erased before update on anomaly
  for each row execute function only_erase('evidence', '{}');

drop trigger reference_image_kept on reference_image;
create trigger reference_image_kept before update or truncate on reference_image
  for each statement execute function refuse_change();
create function only_erase_rows() returns trigger language plpgsql as $$
begin
  if is_deleted_account(old.account_id) then return old; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end;
$$;
create trigger reference_image_only_erased before delete on reference_image
  for each row execute function only_erase_rows();

-- As before, and: a digest of what was sent tells whoever guesses the prompt that they guessed right.
create or replace function guard_usage() returns trigger language plpgsql as $$
begin
  if (new.attempt_id, new.account_id, new.number, new.kind, new.provider, new.sent_at)
     is distinct from
     (old.attempt_id, old.account_id, old.number, old.kind, old.provider, old.sent_at)
     or old.outcome is not null and
     (new.outcome, new.answered_at, new.address, new.request_bytes, new.http_status,
      new.provider_request_id)
     is distinct from
     (old.outcome, old.answered_at, old.address, old.request_bytes, old.http_status,
      old.provider_request_id)
     or old.outcome is not null and new.request_sha256 is distinct from old.request_sha256
     and not (new.request_sha256 is null and is_deleted_account(old.account_id))
     or old.cost_amount is not null and
     (new.cost_amount, new.cost_unit) is distinct from (old.cost_amount, old.cost_unit) then
    raise exception 'what is known of a POST does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end;
$$;

-- As before, and: of a deleted account the name goes.
create or replace function guard_api_key() returns trigger language plpgsql as $$
begin
  if (new.id, new.account_id, new.hash, new.created_at)
     is distinct from (old.id, old.account_id, old.hash, old.created_at)
     or new.name <> old.name
     and not (new.name = '(deleted)' and is_deleted_account(old.account_id)) then
    raise exception 'api key % cannot become another', old.id using errcode = 'restrict_violation';
  end if;
  if old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at then
    raise exception 'api key % stays revoked', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end;
$$;

-- What comes late about an attempt that was erased is not kept either.
create function blank_late_callback() returns trigger language plpgsql as $$
begin
  if exists (select from attempt where id = new.attempt_id and account_id = new.account_id
             and erased_at is not null) then
    new.body := '';
  end if;
  return new;
end;
$$;
create trigger callback_late_is_blank before insert on callback
  for each row execute function blank_late_callback();
create function blank_late_anomaly() returns trigger language plpgsql as $$
begin
  if exists (select from attempt where id = new.attempt_id and account_id = new.account_id
             and erased_at is not null) then
    new.evidence := '{}';
  end if;
  return new;
end;
$$;
create trigger anomaly_late_is_blank before insert on anomaly
  for each row execute function blank_late_anomaly();

-- Closes an account for good, at once: nobody is let in, nothing new begins, no link shows anything, and
-- who it was is gone. The rest is removed by erase_ended. Whoever may act for others stays on the record.
create function close_account(p_account_id uuid)
returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_role text;
begin
  perform from account where id = p_account_id for no key update;
  select role into v_role from user_identity where account_id = p_account_id;
  if not found then return 'no_account'; end if;
  if v_role <> 'user' or exists (select from admin_log where actor_id = p_account_id) then
    return 'has_role';
  end if;
  update account set status = 'deleted' where id = p_account_id;
  delete from mail_outbox where account_id = p_account_id;
  delete from email_token where account_id = p_account_id;
  delete from external_identity where account_id = p_account_id;
  delete from session where account_id = p_account_id;
  delete from user_identity where account_id = p_account_id;
  delete from spending_limit where account_id = p_account_id;
  update api_key set name = '(deleted)', revoked_at = coalesce(revoked_at, app_now())
  where account_id = p_account_id;
  update share set withdrawn_at = app_now()
  where account_id = p_account_id and withdrawn_at is null;
  insert into account_erasure (account_id) values (p_account_id);
  return 'closed';
end;
$$;

-- Removes the traces of up to p_limit attempts of a deleted account whose outcome is known, and of the
-- reference images that no open attempt needs. Answers whether more is left to remove now.
create function erase_ended(p_account_id uuid, p_limit int)
returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_ids uuid[];
begin
  perform from account_erasure where account_id = p_account_id and finished_at is null for update;
  if not found then return false; end if;
  v_ids := array(select id from attempt
                 where account_id = p_account_id and erased_at is null
                   and state in ('completed', 'failed') order by id limit p_limit);
  insert into deleted_artwork (attempt_id, account_id)
  select attempt_id, account_id from artwork
  where account_id = p_account_id and attempt_id = any(v_ids) on conflict do nothing;
  delete from favourite where account_id = p_account_id and attempt_id = any(v_ids);
  update project_callback c set body = ''
  from attempt a where a.account_id = p_account_id and a.id = any(v_ids)
    and c.provider = a.provider and c.task_id = a.task_id and c.body <> '';
  -- Bytes that came with an answer, where they are not the artwork itself.
  insert into erased_file (object_key)
  select format('answers/%s/%s-%s', right(id::text, 2), id, left(result ->> 'sha256', 16))
  from attempt where account_id = p_account_id and id = any(v_ids) and result ->> 'from' = 'store'
  on conflict do nothing;
  update attempt
  set prompt = '(deleted)', settings = settings - array['negativePrompt', 'referenceImages'],
      fingerprint = sha256(gen_random_uuid()::text::bytea), result = null,
      failure_message = case when failure_message is not null then '(deleted)' end,
      erased_at = app_now()
  where account_id = p_account_id and id = any(v_ids);
  update attempt_event set evidence = '{}'
  where account_id = p_account_id and attempt_id = any(v_ids) and evidence <> '{}';
  update artwork set blur = '' where account_id = p_account_id and attempt_id = any(v_ids);
  update callback set body = ''
  where account_id = p_account_id and attempt_id = any(v_ids) and body <> '';
  update anomaly set evidence = '{}'
  where account_id = p_account_id and attempt_id = any(v_ids) and evidence <> '{}';
  update usage_record set request_sha256 = null
  where account_id = p_account_id and attempt_id = any(v_ids) and request_sha256 is not null;
  with gone as (
    delete from reference_image r
    where r.account_id = p_account_id and not exists (
      select from attempt_work w join attempt a on a.id = w.attempt_id and a.account_id = w.account_id
      where w.account_id = p_account_id
        and a.settings -> 'referenceImages' ? encode(r.sha256, 'hex'))
    returning r.sha256
  )
  insert into erased_file (object_key)
  select format('references/%s/%s/%s', right(p_account_id::text, 2), p_account_id, encode(sha256, 'hex'))
  from gone on conflict do nothing;
  if cardinality(v_ids) >= p_limit then return true; end if;
  update account_erasure set finished_at = app_now()
  where account_id = p_account_id
    and not exists (select from attempt where account_id = p_account_id and erased_at is null)
    and not exists (select from reference_image where account_id = p_account_id);
  return false;
end;
$$;

-- As before; a deleted account is none.
create or replace function set_account_status(p_account_id uuid, p_status text)
returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_status text;
begin
  select status into v_status from account where id = p_account_id for no key update;
  if not found or v_status = 'deleted' then return 'no_account'; end if;
  if v_status = p_status then return 'unchanged'; end if;
  update account set status = p_status where id = p_account_id;
  return 'applied';
end;
$$;

revoke execute on function keep_account_deleted(), is_deleted_account(uuid), only_erase(),
  only_erase_rows(), blank_late_callback(), blank_late_anomaly(), close_account(uuid),
  erase_ended(uuid, int) from public;
grant select on account_erasure, erased_file to darkroom_app;
grant delete on erased_file to darkroom_app;
grant execute on function is_deleted_account(uuid), close_account(uuid), erase_ended(uuid, int)
  to darkroom_app;
