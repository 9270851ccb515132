-- The last day of deliveries and of history, for the admins' overview. Both tables grow in the order of
-- time, so an index of ranges is small and costs a write next to nothing.
create index artwork_by_time on artwork using brin (created_at) with (pages_per_range = 16);
create index attempt_event_by_time on attempt_event using brin (created_at) with (pages_per_range = 16);
