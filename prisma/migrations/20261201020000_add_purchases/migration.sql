-- Credits for money. An older program may keep running, but for the statements of accounts that have bought:
-- it takes the new kinds of line for an error.

------------------------------------------------------------------------------------------------
-- The ledger's new kinds: bought, and what refunds and disputes take back or give back
------------------------------------------------------------------------------------------------

-- As before, and: what is bought and what is corrected because of its payment comes from outside too.
create or replace function available_delta(kind text, amount int) returns int language sql immutable return
  case kind when 'granted' then amount when 'corrected' then amount when 'reserved' then -amount
            when 'released' then amount when 'compensated' then amount when 'purchased' then amount
            when 'refunded' then amount when 'disputed' then amount when 'reinstated' then amount
            else 0 end;

alter table ledger_entry
  drop constraint ledger_entry_kind_known,
  drop constraint ledger_entry_amount_positive,
  drop constraint ledger_entry_of_attempt,
  drop constraint ledger_entry_has_source;
alter table ledger_entry
  add constraint ledger_entry_kind_known check (
    kind in ('granted', 'corrected', 'reserved', 'settled', 'released', 'compensated',
             'purchased', 'refunded', 'disputed', 'reinstated')),
  add constraint ledger_entry_amount_positive check (
    amount > 0 or kind in ('corrected', 'refunded', 'disputed')),
  add constraint ledger_entry_takes_back check (
    amount < 0 or kind not in ('refunded', 'disputed')),
  add constraint ledger_entry_of_attempt check (
    (kind in ('granted', 'corrected', 'purchased', 'refunded', 'disputed', 'reinstated'))
    = (attempt_id is null)),
  add constraint ledger_entry_has_source check (
    (kind in ('granted', 'corrected', 'purchased', 'refunded', 'disputed', 'reinstated'))
    = (source_key is not null));

------------------------------------------------------------------------------------------------
-- Purchases
------------------------------------------------------------------------------------------------

-- One intended purchase of one pack. It is recorded before Stripe hears of it, and its id is the key under
-- which Stripe makes at most one session for it.
create table purchase (
  id          uuid not null constraint purchase_id_once unique,
  account_id  uuid not null references account (id) on delete restrict,
  request_id  uuid not null,
  pack        text not null constraint purchase_pack_bounded check (char_length(pack) between 1 and 40),
  pack_name   text not null constraint purchase_pack_name_bounded check (
                char_length(pack_name) between 1 and 100),
  credits     int not null constraint purchase_credits_bounded check (credits between 1 and 1000000),
  -- In the currency's smallest unit, as Stripe counts.
  amount      int not null constraint purchase_amount_bounded check (amount between 1 and 99999999),
  currency    text not null constraint purchase_currency_plain check (currency ~ '^[a-z]{3}$'),
  -- Whether it is about real money.
  livemode    boolean not null,
  state       text not null default 'opening' constraint purchase_state_known check (
                state in ('opening', 'open', 'waiting', 'paid', 'failed', 'expired')),
  session_id  text constraint purchase_session_bounded check (char_length(session_id) between 1 and 200)
              constraint purchase_session_once unique,
  session_url text constraint purchase_session_url_bounded check (
                char_length(session_url) between 1 and 5000),
  -- Stripe's PaymentIntent: what refunds and disputes name.
  payment_id  text constraint purchase_payment_bounded check (char_length(payment_id) between 1 and 200)
              constraint purchase_payment_once unique,
  -- Of its lines, and what of the credits they took back; what should have been and was not there is owed.
  last_seq    int,
  taken       int not null default 0,
  owed        int not null default 0,
  look_at     timestamptz default app_now(),
  looks       int not null default 0 constraint purchase_looks_natural check (looks >= 0),
  looked_at   timestamptz,
  created_at  timestamptz not null default app_now(),
  updated_at  timestamptz not null default app_now(),
  primary key (id, account_id),
  constraint purchase_request_once unique (account_id, request_id),
  constraint purchase_credits_key unique (id, account_id, credits),
  constraint purchase_session_known check (
    state in ('opening', 'failed', 'expired') or session_id is not null),
  constraint purchase_session_where_it_is check (session_url is null or session_id is not null),
  constraint purchase_paid_has_line check ((state = 'paid') = (last_seq is not null)),
  constraint purchase_taken_within_credits check (
    taken >= 0 and owed >= 0 and taken + owed <= credits),
  constraint purchase_takes_only_when_paid check (state = 'paid' or (taken = 0 and owed = 0)),
  constraint purchase_looked_at_while_open check (
    (state in ('opening', 'open', 'waiting')) = (look_at is not null))
);
create index purchase_by_account on purchase (account_id, id desc);
create index purchase_due on purchase (look_at) where look_at is not null;
create index purchase_owing on purchase (updated_at) where owed > 0;

-- What Stripe said, or what a look at Stripe found: of each, what money needs to know and nobody's data.
create table payment_event (
  -- Stripe's own, or made of what the look found, so that the same is kept once.
  id          text constraint payment_event_once primary key
              constraint payment_event_id_bounded check (char_length(id) between 1 and 300),
  kind        text not null constraint payment_event_kind_known check (
                kind in ('session', 'refund', 'dispute')),
  livemode    boolean not null,
  purchase_id uuid,
  account_id  uuid,
  session_id  text constraint payment_event_session_bounded check (char_length(session_id) <= 200),
  payment_id  text constraint payment_event_payment_bounded check (char_length(payment_id) <= 200),
  dispute_id  text constraint payment_event_dispute_bounded check (char_length(dispute_id) <= 200),
  outcome     text not null constraint payment_event_outcome_known check (case kind
                when 'session' then outcome in ('open', 'waiting', 'paid', 'failed', 'expired')
                when 'refund' then outcome in ('refunded', 'refund_failed')
                else outcome in ('open', 'won', 'lost') end),
  amount      int not null constraint payment_event_amount_natural check (amount >= 0),
  currency    text not null constraint payment_event_currency_plain check (currency ~ '^[a-z]{3}$'),
  -- Why a person has to look at it.
  trouble     text constraint payment_event_trouble_known check (
                trouble in ('unknown_purchase', 'livemode_mismatch', 'second_session',
                            'amount_mismatch', 'account_closed', 'refund_failed')),
  occurred_at timestamptz not null,
  received_at timestamptz not null default app_now(),
  constraint payment_event_of_purchase foreign key (purchase_id, account_id)
    references purchase (id, account_id) on delete restrict,
  constraint payment_event_owner_whole check ((purchase_id is null) = (account_id is null)),
  constraint payment_event_names_dispute check ((kind = 'dispute') = (dispute_id is not null))
);
create index payment_event_by_payment on payment_event (payment_id) where kind <> 'session';
create index payment_event_by_purchase on payment_event (purchase_id);
create index payment_event_troubled on payment_event (received_at) where trouble is not null;
create trigger payment_event_append_only before update or delete or truncate on payment_event
  for each statement execute function refuse_change();

-- The lines of a purchase: first what was bought, once, then what was taken back or given back. The primary
-- key is the rule: a purchase is granted at most once, whatever says that it was paid, and how often.
create table purchase_entry (
  purchase_id  uuid not null,
  account_id   uuid not null,
  seq          int not null constraint purchase_entry_seq_positive check (seq >= 1),
  kind         text not null constraint purchase_entry_kind_known check (
                 kind in ('purchased', 'refunded', 'disputed', 'reinstated')),
  amount       int not null constraint purchase_entry_amount_signed check (
                 case when kind in ('refunded', 'disputed') then amount < 0 else amount > 0 end),
  taken_after  int not null constraint purchase_entry_taken_natural check (taken_after >= 0),
  event_id     text not null constraint purchase_entry_because_of_event
                 references payment_event (id) on delete restrict,
  created_at   timestamptz not null default app_now(),
  prior_seq    int generated always as (nullif(seq - 1, 0)) stored,
  bought       int generated always as (case when kind = 'purchased' then amount end) stored,
  taken_before int generated always as (
                 taken_after + case when kind = 'purchased' then 0 else amount end) stored,
  source_key   text generated always as (
                 'purchase:' || purchase_id::text || ':' || seq::text) stored,
  constraint purchase_granted_once primary key (purchase_id, account_id, seq),
  constraint purchase_entry_taken_key unique (purchase_id, account_id, seq, taken_after),
  constraint purchase_entry_begins_with_grant check (
    (seq = 1) = (kind = 'purchased') and (seq > 1 or taken_after = 0)),
  constraint purchase_entry_continues_chain foreign key (purchase_id, account_id, prior_seq, taken_before)
    references purchase_entry (purchase_id, account_id, seq, taken_after),
  constraint purchase_entry_of_purchase foreign key (purchase_id, account_id)
    references purchase (id, account_id) on delete restrict,
  constraint purchase_entry_repeats_credits foreign key (purchase_id, account_id, bought)
    references purchase (id, account_id, credits) on delete restrict,
  constraint purchase_entry_in_ledger foreign key (account_id, source_key)
    references ledger_entry (account_id, source_key) deferrable initially deferred
);
create trigger purchase_entry_append_only before update or delete or truncate on purchase_entry
  for each statement execute function refuse_change();
alter table purchase add constraint purchase_taken_is_last_entry
  foreign key (id, account_id, last_seq, taken)
  references purchase_entry (purchase_id, account_id, seq, taken_after)
  deferrable initially deferred;

-- No line of these kinds without its purchase, and none that says another thing.
create function hold_line_to_purchase() returns trigger language plpgsql as $$
begin
  if not exists (select from purchase_entry e
                 where e.account_id = new.account_id and e.source_key = new.source_key
                   and e.kind = new.kind and e.amount = new.amount) then
    raise exception 'line % of account % is of no purchase', new.seq, new.account_id
      using errcode = 'check_violation', constraint = 'ledger_entry_of_purchase';
  end if;
  return new;
end;
$$;
create trigger ledger_entry_of_purchase before insert on ledger_entry for each row
  when (new.kind in ('purchased', 'refunded', 'disputed', 'reinstated')
        or new.source_key like 'purchase:%') execute function hold_line_to_purchase();

create function guard_purchase() returns trigger language plpgsql as $$
begin
  if (new.id, new.account_id, new.request_id, new.pack, new.pack_name, new.credits, new.amount,
      new.currency, new.livemode, new.created_at)
     is distinct from
     (old.id, old.account_id, old.request_id, old.pack, old.pack_name, old.credits, old.amount,
      old.currency, old.livemode, old.created_at) then
    raise exception 'what was asked for in purchase % cannot change', old.id
      using errcode = 'restrict_violation';
  end if;
  if old.session_id is not null and new.session_id is distinct from old.session_id
     or old.payment_id is not null and new.payment_id is distinct from old.payment_id then
    raise exception 'purchase % has a session or a payment already', old.id
      using errcode = 'restrict_violation';
  end if;
  if old.state = 'paid' and new.state <> 'paid' then
    raise exception 'purchase % stays paid', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end;
$$;
create trigger purchase_guarded before update on purchase
  for each row execute function guard_purchase();
create trigger purchase_kept before delete or truncate on purchase
  for each statement execute function refuse_change();

------------------------------------------------------------------------------------------------
-- What moves them. Lock order: the payment's advisory lock, purchase, account.
------------------------------------------------------------------------------------------------

-- Records what somebody wants to buy, before anybody is asked for money. The same request is the same purchase.
create function begin_purchase(
  p_id uuid, p_account_id uuid, p_request_id uuid, p_pack text, p_pack_name text, p_credits int,
  p_amount int, p_currency text, p_livemode boolean, p_open_max int
) returns table (outcome text, purchase_id uuid)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_account account%rowtype;
  v_known purchase%rowtype;
begin
  select * into v_account from account where id = p_account_id for no key update;
  if not found or v_account.kind <> 'user' then
    return query select 'no_account', null::uuid;
    return;
  end if;
  -- A new statement, so that it sees what the lock waited for.
  select * into v_known from purchase p
  where p.account_id = p_account_id and p.request_id = p_request_id;
  if found then
    return query select case when v_known.pack = p_pack then 'replayed' else 'request_id_reused' end,
                        v_known.id;
    return;
  end if;
  if v_account.status <> 'active' then
    return query select 'account_suspended', null::uuid;
    return;
  end if;
  if (select count(*) from purchase p where p.account_id = p_account_id
      and p.state in ('opening', 'open')) >= p_open_max then
    return query select 'too_many_open', null::uuid;
    return;
  end if;
  insert into purchase (id, account_id, request_id, pack, pack_name, credits, amount, currency, livemode)
  values (p_id, p_account_id, p_request_id, p_pack, p_pack_name, p_credits, p_amount, p_currency,
          p_livemode);
  return query select 'recorded', p_id;
end;
$$;

-- Keeps which session Stripe made for the purchase, and where it is paid.
create function open_purchase(p_id uuid, p_account_id uuid, p_session_id text, p_session_url text)
returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update purchase
  set state = 'open', session_id = p_session_id, session_url = p_session_url,
      look_at = app_now() + interval '1 minute', updated_at = app_now()
  where id = p_id and account_id = p_account_id and state = 'opening' and session_id is null;
  return found;
end;
$$;

-- Ends a purchase for which Stripe refused to make a session.
create function refuse_purchase(p_id uuid, p_account_id uuid)
returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update purchase set state = 'failed', look_at = null, updated_at = app_now()
  where id = p_id and account_id = p_account_id and state = 'opening' and session_id is null;
  return found;
end;
$$;

-- Brings what was taken back of a purchase to what its refunds and disputes call for together: the same part
-- of the credits as of the money, rounded down, and no more than is available. What is missing is owed.
create function settle_purchase(p_id uuid, p_event_id text)
returns void language plpgsql set search_path = public, pg_temp as $$
declare
  v_purchase purchase%rowtype;
  v_refunded bigint;
  v_disputed bigint;
  v_target int;
  v_moved int;
  v_kind text;
begin
  select * into strict v_purchase from purchase where id = p_id for no key update;
  if v_purchase.state <> 'paid' then return; end if;
  select coalesce(max(amount), 0) into v_refunded from payment_event
  where payment_id = v_purchase.payment_id and kind = 'refund' and outcome = 'refunded'
    and livemode = v_purchase.livemode and currency = v_purchase.currency;
  -- Of each dispute its end, if it is known, whichever was heard of first.
  select coalesce(sum(d.amount) filter (where d.outcome <> 'won'), 0) into v_disputed from (
    select distinct on (dispute_id) amount, outcome from payment_event
    where payment_id = v_purchase.payment_id and kind = 'dispute'
      and livemode = v_purchase.livemode and currency = v_purchase.currency
    order by dispute_id, outcome = 'open', occurred_at desc, id desc) d;
  v_target := floor(v_purchase.credits::numeric
    * least(v_purchase.amount, v_refunded + v_disputed) / v_purchase.amount);
  v_moved := v_target - v_purchase.taken;
  if v_moved > 0 then
    select least(v_moved, available) into strict v_moved
    from account where id = v_purchase.account_id for no key update;
  end if;
  if v_moved <> 0 then
    v_kind := case
      when v_moved < 0 then 'reinstated'
      when v_disputed > 0 and not exists (
        select from payment_event where id = p_event_id and kind = 'refund') then 'disputed'
      else 'refunded' end;
    v_purchase.last_seq := v_purchase.last_seq + 1;
    v_purchase.taken := v_purchase.taken + v_moved;
    insert into purchase_entry (purchase_id, account_id, seq, kind, amount, taken_after, event_id)
    values (p_id, v_purchase.account_id, v_purchase.last_seq, v_kind, -v_moved, v_purchase.taken,
            p_event_id);
    perform post_entry(v_purchase.account_id, v_kind, -v_moved, null,
                       'purchase:' || p_id || ':' || v_purchase.last_seq, 'stripe',
                       v_purchase.pack_name);
  end if;
  update purchase
  set last_seq = v_purchase.last_seq, taken = v_purchase.taken,
      owed = greatest(0, v_target - v_purchase.taken), updated_at = app_now()
  where id = p_id;
end;
$$;

-- What is known of a session, by an event or by a look. Grants once, and only the very amount that was
-- asked for; anything else is kept for a person.
create function record_session(
  p_event_id text, p_livemode boolean, p_occurred_at timestamptz, p_purchase_id uuid,
  p_session_id text, p_payment_id text, p_outcome text, p_amount int, p_currency text
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_purchase purchase%rowtype;
  v_trouble text;
begin
  perform pg_advisory_xact_lock(hashtextextended(coalesce(p_payment_id, p_session_id), 0));
  select * into v_purchase from purchase where id = p_purchase_id for no key update;
  v_trouble := case
    when v_purchase.id is null then 'unknown_purchase'
    when v_purchase.livemode <> p_livemode then 'livemode_mismatch'
    when v_purchase.session_id <> p_session_id then 'second_session'
    when p_outcome = 'paid' and (v_purchase.amount, v_purchase.currency)
         is distinct from (p_amount, p_currency) then 'amount_mismatch'
    when p_outcome = 'paid' and is_deleted_account(v_purchase.account_id) then 'account_closed' end;
  insert into payment_event (id, kind, livemode, purchase_id, account_id, session_id, payment_id,
                             outcome, amount, currency, trouble, occurred_at)
  values (p_event_id, 'session', p_livemode, v_purchase.id, v_purchase.account_id, p_session_id,
          p_payment_id, p_outcome, p_amount, p_currency, v_trouble, p_occurred_at)
  on conflict (id) do nothing;
  if not found then return 'replayed'; end if;
  -- Whoever closed their account has paid all the same: it is granted, and a person gives it back.
  if v_trouble <> 'account_closed' then return v_trouble; end if;
  if v_purchase.state = 'paid' then return 'paid_before'; end if;
  if p_outcome = 'paid' then
    update purchase
    set state = 'paid', session_id = p_session_id, payment_id = p_payment_id, session_url = null,
        last_seq = 1, look_at = null, updated_at = app_now()
    where id = v_purchase.id;
    insert into purchase_entry (purchase_id, account_id, seq, kind, amount, taken_after, event_id)
    values (v_purchase.id, v_purchase.account_id, 1, 'purchased', v_purchase.credits, 0, p_event_id);
    perform post_entry(v_purchase.account_id, 'purchased', v_purchase.credits, null,
                       'purchase:' || v_purchase.id || ':1', 'stripe', v_purchase.pack_name);
    perform settle_purchase(v_purchase.id, p_event_id);
    return 'granted';
  end if;
  update purchase
  set state = p_outcome, session_id = p_session_id,
      session_url = case when p_outcome = 'open' then session_url end,
      look_at = case when p_outcome in ('open', 'waiting') then coalesce(look_at, app_now()) end,
      updated_at = app_now()
  where id = v_purchase.id
    and case p_outcome when 'open' then state = 'opening'
                       when 'waiting' then state in ('opening', 'open')
                       when 'failed' then state in ('opening', 'open', 'waiting')
                       else state in ('opening', 'open') end;
  return case when found then 'learned' else 'known' end;
end;
$$;

-- What was refunded of a payment so far. A refund that Stripe could not carry out is for a person.
create function record_refund(
  p_event_id text, p_livemode boolean, p_occurred_at timestamptz, p_purchase_id uuid,
  p_payment_id text, p_outcome text, p_amount int, p_currency text
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_purchase purchase%rowtype;
  v_trouble text;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_payment_id, 0));
  select * into v_purchase from purchase
  where id = p_purchase_id or payment_id = p_payment_id
  order by payment_id = p_payment_id desc nulls last limit 1 for no key update;
  v_trouble := case
    when v_purchase.id is null then 'unknown_purchase'
    when v_purchase.livemode <> p_livemode then 'livemode_mismatch'
    when v_purchase.currency <> p_currency or p_amount > v_purchase.amount then 'amount_mismatch'
    when p_outcome = 'refund_failed' then 'refund_failed' end;
  insert into payment_event (id, kind, livemode, purchase_id, account_id, payment_id, outcome, amount,
                             currency, trouble, occurred_at)
  values (p_event_id, 'refund', p_livemode, v_purchase.id, v_purchase.account_id, p_payment_id,
          p_outcome, p_amount, p_currency, v_trouble, p_occurred_at)
  on conflict (id) do nothing;
  if not found then return 'replayed'; end if;
  if v_purchase.id is null then return v_trouble; end if;
  perform settle_purchase(v_purchase.id, p_event_id);
  return coalesce(v_trouble, case when v_purchase.state = 'paid' then 'settled' else 'kept' end);
end;
$$;

-- A dispute takes back until it is won.
create function record_dispute(
  p_event_id text, p_livemode boolean, p_occurred_at timestamptz, p_payment_id text,
  p_dispute_id text, p_outcome text, p_amount int, p_currency text
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_purchase purchase%rowtype;
  v_trouble text;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_payment_id, 0));
  select * into v_purchase from purchase where payment_id = p_payment_id for no key update;
  v_trouble := case
    when v_purchase.id is null then 'unknown_purchase'
    when v_purchase.livemode <> p_livemode then 'livemode_mismatch'
    when v_purchase.currency <> p_currency then 'amount_mismatch' end;
  insert into payment_event (id, kind, livemode, purchase_id, account_id, payment_id, dispute_id,
                             outcome, amount, currency, trouble, occurred_at)
  values (p_event_id, 'dispute', p_livemode, v_purchase.id, v_purchase.account_id, p_payment_id,
          p_dispute_id, p_outcome, p_amount, p_currency, v_trouble, p_occurred_at)
  on conflict (id) do nothing;
  if not found then return 'replayed'; end if;
  if v_trouble is not null then return v_trouble; end if;
  perform settle_purchase(v_purchase.id, p_event_id);
  return 'settled';
end;
$$;

-- The session to look at for a buyer who asks, and who is not to ask Stripe more often than every few seconds.
create function claim_look(p_id uuid, p_account_id uuid)
returns text language sql volatile security definer set search_path = public, pg_temp as $$
  update purchase set looked_at = app_now()
  where id = p_id and account_id = p_account_id and state in ('open', 'waiting')
    and coalesce(looked_at, '-infinity') < app_now() - interval '4 seconds'
  returning session_id;
$$;

-- Gives up to p_limit purchases that are due for a look to the caller, each to one. The pauses grow to an
-- hour. One that never had a session was never to be paid anywhere: after a day it is over.
create function claim_purchases(p_limit int)
returns table (id uuid, account_id uuid, session_id text)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update purchase p set state = 'expired', look_at = null, updated_at = app_now()
  where p.look_at <= app_now() and p.state = 'opening' and p.session_id is null
    and p.created_at < app_now() - interval '25 hours';
  return query
    with due as (
      select p.id, p.account_id from purchase p where p.look_at <= app_now()
      order by p.look_at limit p_limit for update skip locked
    )
    update purchase p
    set looks = p.looks + 1, looked_at = app_now(),
        look_at = app_now() + least(interval '1 hour', interval '1 minute' * 2 ^ least(p.looks, 6))
    from due where p.id = due.id and p.account_id = due.account_id
    returning p.id, p.account_id, p.session_id;
end;
$$;

revoke execute on function hold_line_to_purchase(), guard_purchase(), settle_purchase(uuid, text),
  begin_purchase(uuid, uuid, uuid, text, text, int, int, text, boolean, int),
  open_purchase(uuid, uuid, text, text), refuse_purchase(uuid, uuid),
  record_session(text, boolean, timestamptz, uuid, text, text, text, int, text),
  record_refund(text, boolean, timestamptz, uuid, text, text, int, text),
  record_dispute(text, boolean, timestamptz, text, text, text, int, text),
  claim_look(uuid, uuid), claim_purchases(int) from public;
grant select on purchase, purchase_entry, payment_event to darkroom_app;
grant execute on function
  begin_purchase(uuid, uuid, uuid, text, text, int, int, text, boolean, int),
  open_purchase(uuid, uuid, text, text), refuse_purchase(uuid, uuid),
  record_session(text, boolean, timestamptz, uuid, text, text, text, int, text),
  record_refund(text, boolean, timestamptz, uuid, text, text, int, text),
  record_dispute(text, boolean, timestamptz, text, text, text, int, text),
  claim_look(uuid, uuid), claim_purchases(int) to darkroom_app;
