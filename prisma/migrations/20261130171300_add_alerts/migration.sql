-- What operators are told of: alerts, each raised once and cleared once, the notices that go out for them,
-- and what audits of the ledger found. An older program may keep running: it raises none.

create table ledger_audit (
  id          uuid primary key,
  ran_at      timestamptz not null default app_now(),
  actor       text not null constraint ledger_audit_actor_bounded check (
                char_length(actor) between 1 and 200),
  violations  int not null constraint ledger_audit_violations_natural check (violations >= 0),
  truncated   boolean not null,
  duration_ms int not null constraint ledger_audit_duration_natural check (duration_ms >= 0)
);
create index ledger_audit_newest on ledger_audit (ran_at desc);
create trigger ledger_audit_append_only before update or delete or truncate on ledger_audit
  for each statement execute function refuse_change();

create table alert (
  id         uuid primary key,
  kind       text not null constraint alert_kind_known check (
               kind in ('unresolved-age', 'held-credits', 'audit-difference', 'worker-silent',
                        'spool-filling', 'provider-refuses')),
  -- Which worker or provider; empty where there is one of its kind.
  subject    text not null constraint alert_subject_bounded check (char_length(subject) <= 200),
  -- What was so when it was raised.
  words      text not null constraint alert_words_bounded check (
               char_length(words) between 1 and 1000),
  raised_at  timestamptz not null default app_now(),
  -- When it was last seen to be so.
  seen_at    timestamptz not null default app_now(),
  cleared_at timestamptz,
  constraint alert_cleared_after_raised check (cleared_at >= raised_at)
);
create unique index alert_once_at_a_time on alert (kind, subject) where cleared_at is null;
create index alert_newest on alert (raised_at desc);

create function guard_alert() returns trigger language plpgsql as $$
begin
  if old.cleared_at is not null
     or (new.id, new.kind, new.subject, new.words, new.raised_at)
        is distinct from (old.id, old.kind, old.subject, old.words, old.raised_at) then
    raise exception 'alert % cannot become another', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end;
$$;
create trigger alert_guarded before update on alert for each row execute function guard_alert();
create trigger alert_kept before delete or truncate on alert
  for each statement execute function refuse_change();

-- One line for each thing that is told over each channel. It is tried until it was taken.
create table alert_notice (
  alert_id     uuid not null references alert (id) on delete restrict,
  event        text not null constraint alert_notice_event_known check (event in ('raised', 'cleared')),
  channel      text not null constraint alert_notice_channel_known check (
                 channel in ('webhook', 'email')),
  due_at       timestamptz not null default app_now(),
  tries        int not null default 0 constraint alert_notice_tries_natural check (tries >= 0),
  delivered_at timestamptz,
  trouble      text constraint alert_notice_trouble_bounded check (
                 char_length(trouble) between 1 and 500),
  primary key (alert_id, event, channel)
);
create index alert_notice_due on alert_notice (due_at) where delivered_at is null;
create trigger alert_notice_kept before delete or truncate on alert_notice
  for each statement execute function refuse_change();

-- Makes what fires now the alerts that stand: new ones are raised, those that are gone are cleared, and
-- each change is to be told over each channel. One worker at a time; the others have nothing to add.
create function apply_alerts(p_firing jsonb, p_channels text[])
returns text language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not pg_try_advisory_xact_lock(hashtext('darkroom.alerts')) then return 'busy'; end if;
  with firing as (
    select * from jsonb_to_recordset(p_firing) as f (id uuid, kind text, subject text, words text)
  ), seen as (
    update alert a set seen_at = app_now()
    from firing f where a.kind = f.kind and a.subject = f.subject and a.cleared_at is null
  ), raised as (
    insert into alert (id, kind, subject, words)
    select f.id, f.kind, f.subject, f.words from firing f
    on conflict (kind, subject) where cleared_at is null do nothing
    returning id
  ), cleared as (
    update alert a set cleared_at = app_now()
    where a.cleared_at is null
      and not exists (select from firing f where f.kind = a.kind and f.subject = a.subject)
    returning id
  )
  insert into alert_notice (alert_id, event, channel)
  select id, 'raised', channel from raised, unnest(p_channels) channel
  union all
  select id, 'cleared', channel from cleared, unnest(p_channels) channel;
  return 'applied';
end;
$$;

create function claim_notices(p_channels text[], p_limit int)
returns table (alert_id uuid, event text, channel text, kind text, subject text, words text,
               raised_at timestamptz, cleared_at timestamptz)
language sql security definer set search_path = public, pg_temp as $$
  with due as (
    select n.alert_id, n.event, n.channel from alert_notice n
    where n.delivered_at is null and n.due_at <= app_now() and n.channel = any(p_channels)
    order by n.due_at limit p_limit for update skip locked
  ), claimed as (
    update alert_notice n
    set tries = n.tries + 1,
        due_at = app_now() + least(3600, 10 * 2 ^ least(n.tries, 10)) * interval '1 second'
    from due
    where n.alert_id = due.alert_id and n.event = due.event and n.channel = due.channel
    returning n.alert_id, n.event, n.channel
  )
  select c.alert_id, c.event, c.channel, a.kind, a.subject, a.words, a.raised_at, a.cleared_at
  from claimed c join alert a on a.id = c.alert_id;
$$;

-- It was taken, or with p_trouble it was not and is tried again.
create function note_notice(p_alert_id uuid, p_event text, p_channel text, p_trouble text)
returns void language sql security definer set search_path = public, pg_temp as $$
  update alert_notice
  set delivered_at = case when p_trouble is null then app_now() end, trouble = left(p_trouble, 500)
  where alert_id = p_alert_id and event = p_event and channel = p_channel and delivered_at is null;
$$;

-- Usage of the last hours is read for health and metrics; its lines come in the order of time.
create index usage_record_by_time on usage_record using brin (sent_at) with (pages_per_range = 16);

revoke execute on function guard_alert(), apply_alerts(jsonb, text[]), claim_notices(text[], int),
  note_notice(uuid, text, text, text) from public;
grant select on ledger_audit, alert, alert_notice to darkroom_app;
grant insert on ledger_audit to darkroom_app;
grant execute on function apply_alerts(jsonb, text[]), claim_notices(text[], int),
  note_notice(uuid, text, text, text) to darkroom_app;
