-- Which trace an attempt belongs to, as its submission had it, so that whoever acts on the attempt later,
-- in whatever process, joins it. A row of its own: the attempt stays what was requested, and an attempt
-- that nobody follows has none. An older program may keep running: it follows nothing.

create table attempt_trace (
  attempt_id  uuid not null,
  account_id  uuid not null,
  -- https://www.w3.org/TR/trace-context/#traceparent-header
  traceparent text not null constraint attempt_trace_traceparent_form check (
                traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'),
  primary key (attempt_id, account_id),
  constraint attempt_trace_of_attempt foreign key (attempt_id, account_id)
    references attempt (id, account_id) on delete restrict
);
create trigger attempt_trace_append_only before update or delete or truncate on attempt_trace
  for each statement execute function refuse_change();

-- Called in the statement that submits: one round trip with it. The first one stays.
create function keep_trace(p_account_id uuid, p_attempt_id uuid, p_traceparent text)
returns void language sql security definer set search_path = public, pg_temp as $$
  insert into attempt_trace (attempt_id, account_id, traceparent)
  values (p_attempt_id, p_account_id, p_traceparent)
  on conflict do nothing;
$$;
revoke execute on function keep_trace(uuid, uuid, text) from public;
grant execute on function keep_trace(uuid, uuid, text) to darkroom_app;
grant select on attempt_trace to darkroom_app;
