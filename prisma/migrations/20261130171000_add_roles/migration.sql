-- Who may do what as an admin: support looks again, admins act, auditors read. An older program may keep
-- running: to it, whoever is neither user nor admin is nobody that it knows.

alter table user_identity drop constraint user_identity_role_known;
alter table user_identity add constraint user_identity_role_known check (
  role in ('user', 'support', 'admin', 'auditor'));

-- Which role may do what. It mirrors lib/domain/role.ts, and a log line that is not in it cannot be
-- written. A later migration may add to it; nothing is taken back, for the log keeps what was done.
create table role_act (
  role text not null,
  act  text not null,
  primary key (role, act)
);
insert into role_act (role, act) values
  ('support', 'look-again'),
  ('admin', 'look-again'), ('admin', 'retry-delivery'), ('admin', 'attach-task'),
  ('admin', 'fail'), ('admin', 'compensate'), ('admin', 'unblock-provider'),
  ('admin', 'grant-credits'), ('admin', 'correct-credits'), ('admin', 'suspend'),
  ('admin', 'restore'), ('admin', 'end-sessions'), ('admin', 'read-prompts');
create trigger role_act_append_only before update or delete or truncate on role_act
  for each statement execute function refuse_change();

alter table admin_log add column actor_role text not null default 'admin';
alter table admin_log drop constraint admin_log_act_known;
alter table admin_log add constraint admin_log_role_may foreign key (actor_role, act)
  references role_act (role, act) on delete restrict;

create or replace function guard_admin_log() returns trigger language plpgsql as $$
begin
  if old.outcome is not null
     or (new.id, new.seq, new.actor_id, new.actor, new.actor_role, new.act, new.subject, new.detail,
         new.reason, new.asked_at)
        is distinct from
        (old.id, old.seq, old.actor_id, old.actor, old.actor_role, old.act, old.subject, old.detail,
         old.reason, old.asked_at) then
    raise exception 'admin_log is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end;
$$;

-- As before, for every role that may do something. 'not_admin': this role may not do this.
create or replace function begin_admin_act(
  p_id uuid, p_actor_id uuid, p_act text, p_subject text, p_detail jsonb, p_reason text
) returns table (outcome text, done text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_actor text;
  v_role text;
  v_known admin_log%rowtype;
begin
  select left(i.role || ':' || i.email, 200), i.role into v_actor, v_role
  from user_identity i join account a on a.id = i.account_id
  where i.account_id = p_actor_id and a.status = 'active'
    and exists (select from role_act r where r.role = i.role and r.act = p_act);
  if not found then
    return query select 'not_admin', null::text;
    return;
  end if;
  insert into admin_log (id, actor_id, actor, actor_role, act, subject, detail, reason)
  values (p_id, p_actor_id, v_actor, v_role, p_act, p_subject, p_detail, p_reason)
  on conflict (id) do nothing;
  if found then
    return query select 'begun', null::text;
    return;
  end if;
  -- A new statement, so that it sees what the insert waited for.
  select * into strict v_known from admin_log where id = p_id;
  return query select
    case when (v_known.actor_id, v_known.act, v_known.subject, v_known.detail, v_known.reason)
              = (p_actor_id, p_act, p_subject, p_detail, p_reason)
         then 'known' else 'key_reused' end,
    v_known.outcome;
end;
$$;

grant select on role_act to darkroom_app;
