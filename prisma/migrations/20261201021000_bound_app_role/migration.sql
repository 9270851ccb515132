-- The same bounds that the programs ask for when they connect. Behind a pooler they cannot ask, and
-- a statement without a bound holds an account's lock for as long as it likes.
do $$
begin
  alter role darkroom_app set statement_timeout = '10s';
  alter role darkroom_app set lock_timeout = '5s';
  alter role darkroom_app set idle_in_transaction_session_timeout = '10s';
exception when insufficient_privilege then
  raise notice 'The role darkroom_app is not ours to change: set statement_timeout, lock_timeout and idle_in_transaction_session_timeout for it where a pooler is used.';
end
$$;
