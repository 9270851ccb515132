-- Keys with which programs act for an account. An older web server may keep running: it knows none.

create table api_key (
  id           uuid not null,
  account_id   uuid not null references account (id) on delete restrict,
  name         text not null constraint api_key_name_bounded check (
                 char_length(name) between 1 and 100),
  -- Of the key itself only this is kept. A key is 256 random bits: no salt is needed to keep
  -- anybody from finding it by trying.
  hash         bytea not null constraint api_key_hash_is_sha256 check (octet_length(hash) = 32),
  created_at   timestamptz not null default app_now(),
  last_used_at timestamptz,
  revoked_at   timestamptz,
  primary key (id, account_id),
  constraint api_key_hash_once unique (hash)
) with (fillfactor = 70); -- Every key in use is updated once a minute.
create index api_key_by_account on api_key (account_id, id desc);

create function guard_api_key() returns trigger language plpgsql as $$
begin
  if (new.id, new.account_id, new.name, new.hash, new.created_at)
     is distinct from (old.id, old.account_id, old.name, old.hash, old.created_at) then
    raise exception 'api key % cannot become another', old.id using errcode = 'restrict_violation';
  end if;
  if old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at then
    raise exception 'api key % stays revoked', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end;
$$;
create trigger api_key_guarded before update on api_key for each row execute function guard_api_key();
create trigger api_key_kept before delete or truncate on api_key
  for each statement execute function refuse_change();

revoke execute on function guard_api_key() from public;
grant select on api_key to darkroom_app;
grant insert (id, account_id, name, hash) on api_key to darkroom_app;
grant update (last_used_at, revoked_at) on api_key to darkroom_app;
