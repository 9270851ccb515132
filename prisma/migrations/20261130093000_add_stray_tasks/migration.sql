-- A second task for one attempt: somebody pays for it, and nobody is to be charged for it. A worker
-- asks its provider to stop it, where the provider takes such wishes.
create table stray_task (
  provider   text not null constraint stray_task_provider_bounded check (
               char_length(provider) between 1 and 40),
  task_id    text not null constraint stray_task_id_bounded check (
               char_length(task_id) between 1 and 200),
  attempt_id uuid not null,
  account_id uuid not null,
  found_at   timestamptz not null default app_now(),
  -- What became of the wish; null for as long as it was not told.
  outcome    text constraint stray_task_outcome_known check (
               outcome in ('cancelled', 'asked', 'too-late', 'no-way')),
  told_at    timestamptz,
  primary key (provider, task_id),
  constraint stray_task_of_attempt foreign key (attempt_id, account_id)
    references attempt (id, account_id) on delete restrict,
  constraint stray_task_told_whole check ((outcome is null) = (told_at is null))
);
create index stray_task_open on stray_task (found_at) where told_at is null;
create trigger stray_task_kept before delete or truncate on stray_task
  for each statement execute function refuse_change();

grant select on stray_task to darkroom_app;
grant insert on stray_task to darkroom_app;
grant update (outcome, told_at) on stray_task to darkroom_app;
