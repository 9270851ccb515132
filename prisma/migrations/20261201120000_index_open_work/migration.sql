-- What an account has open, asked by every poll, without looking through all that ever ended.
create index attempt_work_by_account on attempt_work (account_id, attempt_id);
