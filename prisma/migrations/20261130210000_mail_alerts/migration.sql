-- Alerts by e-mail, through the outbox of all mail. An older program may keep running: it is handed no mail
-- of this kind.

alter table mail_outbox alter column account_id drop not null;
alter table mail_outbox add column alert_id uuid
  constraint mail_outbox_alert_exists references alert (id) on delete restrict;
alter table mail_outbox add column alert_event text
  constraint mail_outbox_alert_event_known check (alert_event in ('raised', 'cleared'));
alter table mail_outbox drop constraint mail_outbox_kind_known;
alter table mail_outbox add constraint mail_outbox_kind_known check (
  kind in ('sign-in-link', 'password-reset', 'attempt-ended', 'alert'));
-- An alert is for the house; everything else is for the owner of an account.
alter table mail_outbox drop constraint mail_outbox_about_one_thing;
alter table mail_outbox add constraint mail_outbox_about_one_thing check (
  (kind in ('sign-in-link', 'password-reset')) = (token_id is not null)
  and (kind = 'attempt-ended') = (attempt_id is not null)
  and (kind = 'alert') = (alert_id is not null)
  and (kind = 'alert') = (alert_event is not null)
  and (kind = 'alert') = (account_id is null));

-- Writes down the mail about an alert, unless it waits already or was sent. Its id follows from what it
-- is about: written down again after it was given up, it is one mail to whoever receives it.
create function mail_alert(p_alert_id uuid, p_event text, p_address text)
returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from alert_notice
  where alert_id = p_alert_id and event = p_event and channel = 'email' and delivered_at is null
  for update;
  if not found then return; end if;
  insert into mail_outbox (id, kind, address, locale, alert_id, alert_event)
  values (
    -- RFC 9562, 5.8: a UUID of one's own making says so.
    overlay(overlay(md5('alert:' || p_alert_id || ':' || p_event) placing '8' from 13)
            placing 'a' from 17)::uuid,
    'alert', p_address, 'en', p_alert_id, p_event)
  on conflict (id) do nothing;
end;
$$;

-- A mail was sent, or with p_trouble it is given up. Of an alert it is noted: what was sent is told, and
-- what was given up is written down anew when its notice is due again.
create function end_mail(p_id uuid, p_trouble text)
returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_alert_id uuid;
  v_event text;
begin
  select alert_id, alert_event into v_alert_id, v_event from mail_outbox where id = p_id;
  if v_alert_id is not null then
    -- Before the mail goes, in the order of mail_alert.
    perform note_notice(v_alert_id, v_event, 'email', p_trouble);
  end if;
  delete from mail_outbox where id = p_id;
end;
$$;

-- For an older program.
create or replace function claim_mail(p_limit int, p_lease_ms int)
returns setof mail_outbox language sql security definer set search_path = public, pg_temp as $$
  update mail_outbox m
  set tries = m.tries + 1, due_at = app_now() + p_lease_ms * interval '1 millisecond'
  from (select id from mail_outbox where due_at <= app_now() and kind <> 'alert'
        order by due_at limit p_limit for update skip locked) due
  where m.id = due.id
  returning m.*;
$$;

-- As claim_mail, of every kind, with what an alert's letter says.
create function claim_letters(p_limit int, p_lease_ms int)
returns table (id uuid, account_id uuid, kind text, address text, locale text, token_id uuid,
               attempt_id uuid, alert jsonb, created_at timestamptz, tries int)
language sql security definer set search_path = public, pg_temp as $$
  with claimed as (
    update mail_outbox m
    set tries = m.tries + 1, due_at = app_now() + p_lease_ms * interval '1 millisecond'
    from (select id from mail_outbox where due_at <= app_now() order by due_at limit p_limit
          for update skip locked) due
    where m.id = due.id
    returning m.*
  )
  select c.id, c.account_id, c.kind, c.address, c.locale, c.token_id, c.attempt_id,
         case when a.id is not null then
           jsonb_build_object('event', c.alert_event, 'kind', a.kind, 'subject', a.subject,
                              'words', a.words, 'raisedAt', a.raised_at, 'clearedAt', a.cleared_at)
         end, c.created_at, c.tries
  from claimed c left join alert a on a.id = c.alert_id;
$$;

revoke execute on function mail_alert(uuid, text, text), end_mail(uuid, text),
  claim_letters(int, int) from public;
grant execute on function mail_alert(uuid, text, text), end_mail(uuid, text),
  claim_letters(int, int) to darkroom_app;
