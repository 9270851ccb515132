-- Images that attempts are made after, by their content. The bytes are in the image store.
create table reference_image (
  account_id   uuid not null references account (id) on delete restrict,
  sha256       bytea not null constraint reference_image_sha256_whole check (
                 octet_length(sha256) = 32),
  content_type text not null constraint reference_image_content_type_known check (
                 content_type in ('image/png', 'image/jpeg', 'image/webp')),
  size_bytes   int not null constraint reference_image_size_sane check (
                 size_bytes between 1 and 8388608),
  created_at   timestamptz not null default app_now(),
  primary key (account_id, sha256)
);
create trigger reference_image_kept before update or delete or truncate on reference_image
  for each statement execute function refuse_change();

-- Keeps it once. At most p_rows_max of one account, so that nobody stores the world with us.
create function keep_reference_image(
  p_account_id uuid, p_sha256 bytea, p_content_type text, p_size_bytes int, p_rows_max int
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from account where id = p_account_id for no key update;
  if not found then return 'no_account'; end if;
  if exists (select from reference_image where account_id = p_account_id and sha256 = p_sha256) then
    return 'present';
  end if;
  if (select count(*) from reference_image where account_id = p_account_id) >= p_rows_max then
    return 'full';
  end if;
  insert into reference_image (account_id, sha256, content_type, size_bytes)
  values (p_account_id, p_sha256, p_content_type, p_size_bytes);
  return 'kept';
end;
$$;

revoke execute on function keep_reference_image(uuid, bytea, text, int, int) from public;
grant select on reference_image to darkroom_app;
grant execute on function keep_reference_image(uuid, bytea, text, int, int) to darkroom_app;
