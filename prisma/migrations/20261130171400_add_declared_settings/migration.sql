-- What an installation is set to in matters of money, as its workers were started with it: each change is
-- another version, so that what held when is known. An older program may keep running: it declares none.

create table declared_setting (
  name        text not null constraint declared_setting_name_known check (
                name in ('prices', 'daily-allowance', 'signup-credits', 'approval-above')),
  version     int not null constraint declared_setting_version_positive check (version >= 1),
  value       jsonb not null constraint declared_setting_bounded check (
                pg_column_size(value) <= 262144),
  actor       text not null constraint declared_setting_actor_bounded check (
                char_length(actor) between 1 and 200),
  declared_at timestamptz not null default app_now(),
  primary key (name, version)
);
create trigger declared_setting_append_only before update or delete or truncate on declared_setting
  for each statement execute function refuse_change();

-- Makes it the one in force, and answers its version.
create function declare_setting(p_name text, p_value jsonb, p_actor text)
returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_newest declared_setting%rowtype;
begin
  lock table declared_setting in share row exclusive mode;
  select * into v_newest from declared_setting where name = p_name order by version desc limit 1;
  if v_newest.version is not null and v_newest.value = p_value then return v_newest.version; end if;
  insert into declared_setting (name, version, value, actor)
  values (p_name, coalesce(v_newest.version, 0) + 1, p_value, p_actor);
  return coalesce(v_newest.version, 0) + 1;
end;
$$;

revoke execute on function declare_setting(text, jsonb, text) from public;
grant select on declared_setting to darkroom_app;
grant execute on function declare_setting(text, jsonb, text) to darkroom_app;
