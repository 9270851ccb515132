-- The admin log by what was done, by whose role and by when.

create index admin_log_by_act on admin_log (act, seq desc);
create index admin_log_by_role on admin_log (actor_role, seq desc);
create index admin_log_by_time on admin_log (asked_at);
