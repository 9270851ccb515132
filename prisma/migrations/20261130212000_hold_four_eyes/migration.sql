-- That two have to agree before many credits move, held where the credits move, whoever asks for it: a web
-- server, a command line, or one that was set up with another threshold than the workers declared.

create function hold_four_eyes() returns trigger language plpgsql as $$
declare
  v_above numeric;
begin
  -- JSON's null, for no threshold, is no number.
  select case when jsonb_typeof(value) = 'number' then value::numeric end into v_above
  from declared_setting where name = 'approval-above' order by version desc limit 1;
  if abs(new.amount) > v_above and not exists (
    select from credit_request r
    where r.account_id = new.account_id and new.source_key = 'admin:' || r.id
      and r.credits = new.amount and r.decision is distinct from 'rejected'
  ) then
    raise exception '% credits of account % move when two admins agree', new.amount, new.account_id
      using errcode = 'check_violation', constraint = 'ledger_entry_four_eyes';
  end if;
  return new;
end;
$$;
-- What people do by hand. Signing up and settling follow rules of their own.
create trigger ledger_entry_four_eyes before insert on ledger_entry for each row
  when (new.kind in ('granted', 'corrected') and new.source_key ~ '^(admin|operator):')
  execute function hold_four_eyes();

revoke execute on function hold_four_eyes() from public;
