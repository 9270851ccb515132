-- Contradictions, the written compensation policy, and the spool that carries an outage of the store.

-- What a person should look at. The same contradiction is kept once.
create table anomaly (
  id         uuid primary key,
  kind       text not null constraint anomaly_kind_bounded check (char_length(kind) between 1 and 60),
  attempt_id uuid not null,
  account_id uuid not null,
  -- What makes it this contradiction and not another of its kind: a task id, for example.
  detail     text not null constraint anomaly_detail_bounded check (char_length(detail) <= 300),
  evidence   jsonb not null default '{}' constraint anomaly_evidence_bounded check (
               pg_column_size(evidence) <= 16384),
  created_at timestamptz not null default app_now(),
  constraint anomaly_of_attempt foreign key (attempt_id, account_id)
    references attempt (id, account_id) on delete restrict,
  constraint anomaly_once unique (attempt_id, account_id, kind, detail)
);
create trigger anomaly_append_only before update or delete or truncate on anomaly
  for each statement execute function refuse_change();

-- After how long an unresolved attempt's reservation is given back, by decision and not by proof.
-- A change is another version; null means never.
create table compensation_policy (
  version    int primary key constraint compensation_policy_version_positive check (version >= 1),
  after_ms   bigint constraint compensation_policy_after_bounded check (
               after_ms between 1000 and 315360000000),
  actor      text not null constraint compensation_policy_actor_bounded check (
               char_length(actor) between 1 and 200),
  created_at timestamptz not null default app_now()
);
create trigger compensation_policy_append_only before update or delete or truncate
  on compensation_policy for each statement execute function refuse_change();
alter table settlement add constraint settlement_under_policy
  foreign key (policy_version) references compensation_policy (version) on delete restrict;

-- Makes the policy in force the given one, and answers its version.
create function declare_compensation_policy(p_after_ms bigint, p_actor text)
returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_policy compensation_policy%rowtype;
begin
  lock table compensation_policy in share row exclusive mode;
  select * into v_policy from compensation_policy order by version desc limit 1;
  if v_policy.version is not null and v_policy.after_ms is not distinct from p_after_ms then
    return v_policy.version;
  end if;
  insert into compensation_policy (version, after_ms, actor)
  values (coalesce(v_policy.version, 0) + 1, p_after_ms, p_actor);
  return coalesce(v_policy.version, 0) + 1;
end;
$$;

-- Bytes of results that were fetched and could not be stored yet. Bounded, because a database is no
-- image store: past the bound the provider's copy has to wait for us.
create table spool (
  attempt_id uuid not null,
  account_id uuid not null,
  bytes      bytea not null constraint spool_bytes_bounded check (
               octet_length(bytes) between 1 and 33554432),
  created_at timestamptz not null default app_now(),
  primary key (attempt_id, account_id),
  constraint spool_of_attempt foreign key (attempt_id, account_id)
    references attempt (id, account_id) on delete restrict
);
alter table spool alter column bytes set storage external;

create function spool_result(p_account_id uuid, p_attempt_id uuid, p_bytes bytea, p_rows_max int)
returns text language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- One at a time, or the bound would be passed by those who count together.
  lock table spool in share row exclusive mode;
  if exists (select from spool where attempt_id = p_attempt_id and account_id = p_account_id) then
    return 'kept';
  end if;
  if (select count(*) from spool) >= p_rows_max then return 'full'; end if;
  insert into spool (attempt_id, account_id, bytes) values (p_attempt_id, p_account_id, p_bytes);
  return 'kept';
end;
$$;

-- The spool lets go of what was delivered, or proved unusable, in the same transaction.
create function empty_spool() returns trigger language plpgsql as $$
begin
  delete from spool where attempt_id = new.id and account_id = new.account_id;
  return null;
end;
$$;
create trigger attempt_empties_spool after update on attempt for each row
  when (new.state in ('completed', 'failed')
        and old.state in ('delivering', 'storage_failed')) execute function empty_spool();

revoke execute on function declare_compensation_policy(bigint, text) from public;
revoke execute on function spool_result(uuid, uuid, bytea, int) from public;
revoke execute on function empty_spool() from public;
grant select on anomaly, compensation_policy, spool to darkroom_app;
grant insert on anomaly to darkroom_app;
grant execute on function
  declare_compensation_policy(bigint, text), spool_result(uuid, uuid, bytea, int)
  to darkroom_app;
