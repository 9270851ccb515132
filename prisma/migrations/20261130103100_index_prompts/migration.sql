-- Searching prompts. Any part of any word is found, in scripts that have no words too, so the index is
-- of trigrams; the account leads it, so that what others wrote is not read. Without it a rare word
-- makes PostgreSQL read every prompt of the account: with 100,000 attempts a second or more instead of
-- milliseconds. Frequent words are found by reading the account's newest attempts, as without it.
--
-- Both extensions come with PostgreSQL and need no superuser. Where they are not to be had, searching
-- works as well and takes longer: the rest of the programs is not held up by it. They are kept out
-- of `public`, whose functions are all ours.
do $$
declare
  v_schema text;
begin
  create schema if not exists extensions;
  create extension if not exists pg_trgm schema extensions;
  create extension if not exists btree_gin schema extensions;
  select n.nspname into strict v_schema
  from pg_opclass c join pg_namespace n on n.oid = c.opcnamespace where c.opcname = 'gin_trgm_ops';
  execute format(
    'create index attempt_by_prompt on attempt
     using gin (account_id, normalize(prompt, NFC) %I.gin_trgm_ops)', v_schema);
exception
  when insufficient_privilege or undefined_file or feature_not_supported then
    raise warning 'prompts are searched without an index: %', sqlerrm;
end;
$$;
