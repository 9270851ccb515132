import type { Refused } from './refused-writes'

// What nobody may write about people, by hand either. The same names in capitals stand for rows.

const token = (changed: string, id = 'gen_random_uuid()') => `
  insert into email_token (id, account_id, kind, token_hash, email, expires_at)
  select ${id}, ACCOUNT, 'sign-in-link', sha256(gen_random_uuid()::text::bytea), 'a@x.example',
         now() + interval '1 hour';
  ${changed}`

const deleted = `update account set status = 'deleted' where id = NEWCOMER`

/** What ACCOUNT asked for, and how it was decided. */
const creditRequest = (decided: string) => `
  insert into credit_request (id, account_id, act, credits, requested_by, reason, decision, decided_by,
                              decided_why, decided_at)
  values (gen_random_uuid(), ACCOUNT, 'grant-credits', 5, ACCOUNT, 'for the test of it', ${decided})`

export const refusedAccountWrites: readonly Refused[] = [
  [
    'an account that comes back from deletion',
    /stays deleted$/,
    `${deleted}; update account set status = 'active' where id = NEWCOMER`,
  ],
  [
    'erasing an attempt of an account that is there',
    /what was requested of attempt .* cannot change$/,
    `update attempt set prompt = '(deleted)', result = null, erased_at = now() where id = COMPLETED`,
  ],
  [
    'erasing more of an attempt than tells of a person',
    /changes nothing else$/,
    `update account set status = 'deleted' where id = ACCOUNT;
     update attempt set prompt = '(deleted)', result = null, price = price + 1, erased_at = now()
     where id = COMPLETED`,
  ],
  [
    'erasing an attempt that is open',
    'attempt_erased_is_blank',
    `update account set status = 'deleted' where id = ACCOUNT;
     update attempt set prompt = '(deleted)', result = null, erased_at = now() where id = UNRESOLVED`,
  ],
  [
    'erasing an attempt and keeping its prompt',
    'attempt_erased_is_blank',
    `update account set status = 'deleted' where id = ACCOUNT;
     update attempt set result = null, erased_at = now() where id = COMPLETED`,
  ],
  [
    'evidence that becomes another while an account is erased',
    /^attempt_event is append-only$/,
    `update account set status = 'deleted' where id = ACCOUNT;
     update attempt_event set evidence = '{"x": 1}' where attempt_id = COMPLETED`,
  ],
  [
    'a step that becomes another while an account is erased',
    /^attempt_event is append-only$/,
    `update account set status = 'deleted' where id = ACCOUNT;
     update attempt_event set evidence = '{}', kind = 'x' where attempt_id = COMPLETED`,
  ],
  [
    'an e-mailed link that is used twice',
    /is used once$/,
    token(`update email_token set used_at = now() where account_id = ACCOUNT;
           update email_token set used_at = null where account_id = ACCOUNT`),
  ],
  [
    'an e-mailed link that becomes another’s',
    /is used once$/,
    token(`update email_token set account_id = NEWCOMER where account_id = ACCOUNT`),
  ],
  [
    'a link for something unknown',
    'email_token_kind_known',
    `insert into email_token (id, account_id, kind, token_hash, email, expires_at)
     values (gen_random_uuid(), ACCOUNT, 'x', sha256('x'), 'a@x.example', now() + interval '1 hour')`,
  ],
  [
    'a mail about nothing',
    'mail_outbox_about_one_thing',
    `insert into mail_outbox (id, account_id, kind, address, locale)
     values (gen_random_uuid(), ACCOUNT, 'attempt-ended', 'a@x.example', 'en')`,
  ],
  [
    'a mail about an alert to the owner of an account',
    'mail_outbox_about_one_thing',
    `with raised as (
       insert into alert (id, kind, subject, words)
       values (gen_random_uuid(), 'held-credits', gen_random_uuid()::text, 'Many.') returning id)
     insert into mail_outbox (id, account_id, kind, address, locale, alert_id, alert_event)
     select gen_random_uuid(), ACCOUNT, 'alert', 'a@x.example', 'en', id, 'raised' from raised`,
  ],
  [
    'a mail about no event of an alert',
    'mail_outbox_alert_event_known',
    `with raised as (
       insert into alert (id, kind, subject, words)
       values (gen_random_uuid(), 'held-credits', gen_random_uuid()::text, 'Many.') returning id)
     insert into mail_outbox (id, kind, address, locale, alert_id, alert_event)
     select gen_random_uuid(), 'alert', 'a@x.example', 'en', id, 'ignored' from raised`,
  ],
  [
    'a mail in no language of ours',
    'mail_outbox_locale_known',
    `insert into mail_outbox (id, account_id, kind, address, locale, token_id)
     values (gen_random_uuid(), ACCOUNT, 'sign-in-link', 'a@x.example', 'xx', gen_random_uuid())`,
  ],
  [
    'two names of one issuer for one account',
    'external_identity_once_per_account',
    `insert into external_identity (issuer, subject, account_id)
     values ('https://x.example', 'one', ACCOUNT), ('https://x.example', 'two', ACCOUNT)`,
  ],
  [
    'one name of an issuer for two accounts',
    'external_identity_pkey',
    `insert into external_identity (issuer, subject, account_id)
     values ('https://x.example', 'one', ACCOUNT), ('https://x.example', 'one', NEWCOMER)`,
  ],
  [
    'a request for credits that its asker decides',
    'credit_request_four_eyes',
    creditRequest(`'approved', ACCOUNT, 'we agreed on it', now()`),
  ],
  [
    'a request for credits that nobody decided',
    'credit_request_decided_whole',
    creditRequest(`'approved', null, 'we agreed on it', now()`),
  ],
]
