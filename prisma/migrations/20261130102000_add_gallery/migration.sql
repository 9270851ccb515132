-- Favourites, pictures that their owner deleted, and links under which a picture is shown to others.
-- An older program may keep running: it knows none of them, and finds a deleted picture's files gone.

create table favourite (
  account_id uuid not null,
  attempt_id uuid not null,
  created_at timestamptz not null default app_now(),
  -- In this order it pages the account's favourites, newest picture first.
  primary key (account_id, attempt_id),
  constraint favourite_of_artwork foreign key (attempt_id, account_id)
    references artwork (attempt_id, account_id) on delete restrict
);

-- The tombstone of a deleted picture. Its files go; the attempt, its artwork's row, its history and every
-- line about money stay. What is here is shown to nobody.
create table deleted_artwork (
  attempt_id       uuid not null,
  account_id       uuid not null,
  deleted_at       timestamptz not null default app_now(),
  -- Null for as long as files may be left.
  files_removed_at timestamptz,
  primary key (attempt_id, account_id),
  constraint deleted_artwork_of_artwork foreign key (attempt_id, account_id)
    references artwork (attempt_id, account_id) on delete restrict,
  constraint deleted_artwork_files_after check (files_removed_at >= deleted_at)
);
create index deleted_artwork_with_files on deleted_artwork (deleted_at) where files_removed_at is null;

create function guard_deleted_artwork() returns trigger language plpgsql as $$
begin
  if (new.attempt_id, new.account_id, new.deleted_at)
     is distinct from (old.attempt_id, old.account_id, old.deleted_at)
     or old.files_removed_at is not null then
    raise exception 'the picture of attempt % stays deleted', old.attempt_id
      using errcode = 'restrict_violation';
  end if;
  return new;
end;
$$;
create trigger deleted_artwork_guarded before update on deleted_artwork
  for each row execute function guard_deleted_artwork();
create trigger deleted_artwork_kept before delete or truncate on deleted_artwork
  for each statement execute function refuse_change();

-- A link under which anybody sees one picture, until it is withdrawn.
create table share (
  id           uuid not null,
  attempt_id   uuid not null,
  account_id   uuid not null,
  -- The token itself is in the link and nowhere else.
  token_hash   bytea not null constraint share_token_hash_is_sha256 check (octet_length(token_hash) = 32),
  shows_prompt boolean not null,
  created_at   timestamptz not null default app_now(),
  withdrawn_at timestamptz,
  primary key (id, account_id),
  constraint share_token_once unique (token_hash),
  constraint share_of_artwork foreign key (attempt_id, account_id)
    references artwork (attempt_id, account_id) on delete restrict
);
create unique index share_one_at_a_time on share (attempt_id, account_id) where withdrawn_at is null;

create function guard_share() returns trigger language plpgsql as $$
begin
  if (new.id, new.attempt_id, new.account_id, new.token_hash, new.created_at)
     is distinct from (old.id, old.attempt_id, old.account_id, old.token_hash, old.created_at) then
    raise exception 'share % cannot become another', old.id using errcode = 'restrict_violation';
  end if;
  if old.withdrawn_at is not null then
    raise exception 'share % stays withdrawn', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end;
$$;
create trigger share_guarded before update on share for each row execute function guard_share();
create trigger share_kept before delete or truncate on share
  for each statement execute function refuse_change();

-- Which of these are the account's pictures and not deleted; the rest is passed over. Locks them, in
-- one order, so that deleting and sharing the same picture come one after the other.
create function lock_pictures(p_account_id uuid, p_attempt_ids uuid[])
returns setof uuid language sql set search_path = public, pg_temp as $$
  select a.id from attempt a
  where a.account_id = p_account_id and a.id = any(p_attempt_ids) and a.state = 'completed'
  order by a.id
  for no key update;
$$;

-- Answers how many of these are favourites, or none any more, as was asked.
create function set_favourites(p_account_id uuid, p_attempt_ids uuid[], p_on boolean)
returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_ids uuid[];
begin
  v_ids := array(select lock_pictures(p_account_id, p_attempt_ids));
  v_ids := array(
    select id from unnest(v_ids) id
    where not exists (select from deleted_artwork d
                      where d.attempt_id = id and d.account_id = p_account_id));
  if p_on then
    insert into favourite (account_id, attempt_id)
    select p_account_id, id from unnest(v_ids) id on conflict do nothing;
  else
    delete from favourite where account_id = p_account_id and attempt_id = any(v_ids);
  end if;
  return cardinality(v_ids);
end;
$$;

-- Deletes pictures: the tombstone, the end of their links and favourites, together. Asked again, it
-- answers the same. The files are removed afterwards, by whoever comes first.
create function delete_pictures(p_account_id uuid, p_attempt_ids uuid[])
returns table (attempt_id uuid, object_key text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_ids uuid[];
begin
  v_ids := array(select lock_pictures(p_account_id, p_attempt_ids));
  insert into deleted_artwork (attempt_id, account_id)
  select id, p_account_id from unnest(v_ids) id on conflict do nothing;
  delete from favourite f where f.account_id = p_account_id and f.attempt_id = any(v_ids);
  update share s set withdrawn_at = app_now()
  where s.account_id = p_account_id and s.attempt_id = any(v_ids) and s.withdrawn_at is null;
  return query
    select w.attempt_id, w.object_key from artwork w
    where w.account_id = p_account_id and w.attempt_id = any(v_ids);
end;
$$;

create function note_files_removed(p_account_id uuid, p_attempt_id uuid)
returns void language sql security definer set search_path = public, pg_temp as $$
  update deleted_artwork set files_removed_at = app_now()
  where attempt_id = p_attempt_id and account_id = p_account_id and files_removed_at is null;
$$;

-- Shares a picture, or changes what its link shows. Answers the id of its one link; null: there is
-- no such picture.
create function share_picture(
  p_share_id uuid, p_account_id uuid, p_attempt_id uuid, p_token_hash bytea, p_shows_prompt boolean
) returns uuid language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_share_id uuid;
begin
  perform lock_pictures(p_account_id, array[p_attempt_id]);
  if not found or exists (
    select from deleted_artwork where attempt_id = p_attempt_id and account_id = p_account_id
  ) then
    return null;
  end if;
  insert into share as s (id, attempt_id, account_id, token_hash, shows_prompt)
  values (p_share_id, p_attempt_id, p_account_id, p_token_hash, p_shows_prompt)
  on conflict (attempt_id, account_id) where withdrawn_at is null
  do update set shows_prompt = excluded.shows_prompt
  returning s.id into v_share_id;
  return v_share_id;
end;
$$;

create function withdraw_share(p_account_id uuid, p_attempt_id uuid)
returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update share set withdrawn_at = app_now()
  where attempt_id = p_attempt_id and account_id = p_account_id and withdrawn_at is null;
  return found;
end;
$$;

revoke execute on function guard_deleted_artwork(), guard_share(), lock_pictures(uuid, uuid[]),
  set_favourites(uuid, uuid[], boolean), delete_pictures(uuid, uuid[]),
  note_files_removed(uuid, uuid), share_picture(uuid, uuid, uuid, bytea, boolean),
  withdraw_share(uuid, uuid) from public;
grant select on favourite, deleted_artwork, share to darkroom_app;
grant execute on function set_favourites(uuid, uuid[], boolean), delete_pictures(uuid, uuid[]),
  note_files_removed(uuid, uuid), share_picture(uuid, uuid, uuid, bytea, boolean),
  withdraw_share(uuid, uuid)
  to darkroom_app;
