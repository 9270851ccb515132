import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPool } from '@/test/postgres'
import { openWorld } from '@/test/world'

// The programs' own login: it reads, and it calls functions. Here is all that it may write itself.

const MAY_WRITE = [
  'anomaly insert',
  'api_key insert',
  'api_key update',
  'callback insert',
  'email_token delete',
  'erased_file delete',
  'ledger_audit insert',
  'mail_outbox delete',
  'mail_outbox update',
  'project_callback insert',
  'project_callback update',
  'provider_capability insert',
  'provider_capability update',
  'rate_limit delete',
  'rate_limit insert',
  'rate_limit update',
  'session insert',
  'session update',
  'stray_task insert',
  'stray_task update',
  'worker_heartbeat delete',
  'worker_heartbeat insert',
  'worker_heartbeat update',
]
/** Where an update is allowed, only of these. */
const MAY_UPDATE = [
  'api_key.last_used_at',
  'api_key.revoked_at',
  'mail_outbox.due_at',
  'project_callback.resolved_at',
  'provider_capability.capabilities',
  'provider_capability.declared_at',
  'provider_capability.model',
  'provider_capability.provider',
  'rate_limit.expire',
  'rate_limit.key',
  'rate_limit.points',
  'session.ended_at',
  'session.last_used_at',
  'stray_task.outcome',
  'stray_task.told_at',
  'worker_heartbeat.beat_at',
]
const MAY_CALL = [
  'app_now',
  'apply_alerts',
  'apply_decision',
  'ask_verification',
  'available_delta',
  'begin_admin_act',
  'begin_purchase',
  'begin_repeat',
  'begin_submission',
  'block_provider',
  'change_password',
  'claim_attempts',
  'claim_letters',
  'claim_look',
  'claim_mail',
  'claim_notices',
  'claim_purchases',
  'claim_verifications',
  'claim_work',
  'close_account',
  'correct_credits',
  'credits_used_on',
  'decide_credits',
  'declare_compensation_policy',
  'declare_setting',
  'defer_attempt',
  'delete_pictures',
  'end_mail',
  'end_sessions',
  'end_verification',
  'erase_ended',
  'finish_admin_act',
  'grant_credits',
  'held_delta',
  'is_deleted_account',
  'keep_reference_image',
  'keep_trace',
  'lift_provider_block',
  'lock_admin_act',
  'mail_alert',
  'note_files_removed',
  'note_notice',
  'open_guest_account',
  'open_purchase',
  'record_dispute',
  'record_refund',
  'record_session',
  'record_usage',
  'refuse_purchase',
  'register_user',
  'rename_user',
  'request_credits',
  'request_mail_link',
  'reset_password',
  'set_account_status',
  'set_ends_mail',
  'set_favourites',
  'set_spending_limit',
  'share_picture',
  'sign_in_by_link',
  'sign_in_externally',
  'spent_delta',
  'spool_result',
  'submit_attempt',
  'submit_guest_attempt',
  'told_cancel',
  'unblock_provider',
  'unlink_identity',
  'wake_attempt',
  'wake_attempt_at',
  'want_cancel',
  'withdraw_share',
]

const world = openWorld()
let app: pg.Pool

beforeAll(() => {
  app = openTestPool(world().appUrl, 1)
})
afterAll(() => app.end())

const list = async (sql: string) => (await app.query<{ it: string }>(sql)).rows.map(({ it }) => it)

test('the app role writes no table but these', async () => {
  expect(
    await list(
      `select c.relname || ' ' || verb as it
       from pg_class c, unnest(array['delete', 'insert', 'truncate', 'update']) verb
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
         and (has_table_privilege(c.oid, verb)
              or (verb in ('insert', 'update') and has_any_column_privilege(c.oid, verb)))
       order by 1`,
    ),
  ).toEqual(MAY_WRITE)
})

test('the app role updates no column but these', async () => {
  expect(
    await list(
      `select table_name || '.' || column_name as it from information_schema.columns
       where table_schema = 'public'
         and has_column_privilege(format('public.%I', table_name), column_name, 'update')
       order by 1`,
    ),
  ).toEqual(MAY_UPDATE)
})

test('the app role calls no function but these', async () => {
  expect(
    await list(
      `select distinct proname as it from pg_proc
       where pronamespace = 'public'::regnamespace and has_function_privilege(oid, 'execute')
       order by 1`,
    ),
  ).toEqual(MAY_CALL)
})

test('the app role owns nothing, creates nothing and is no superuser', async () => {
  const { rows } = await app.query(
    `select (select count(*)::int from pg_class where relowner = current_user::regrole) as owned,
            has_schema_privilege('public', 'create') as creates, rolsuper, rolcreaterole, rolbypassrls
     from pg_roles where rolname = current_user`,
  )
  expect(rows).toEqual([
    { owned: 0, creates: false, rolsuper: false, rolcreaterole: false, rolbypassrls: false },
  ])
})

test.each([
  [`update account set available = 1000`],
  [`delete from ledger_entry`],
  [`truncate ledger_entry`],
  [`insert into ledger_entry (account_id) values (gen_random_uuid())`],
  [`update attempt set state = 'completed'`],
  [`delete from attempt_work`],
  [`insert into settlement (attempt_id) values (gen_random_uuid())`],
  [`update submission set armed = false`],
  [`update session set account_id = account_id`],
  [`select post_entry(gen_random_uuid(), 'granted', 5, null, 'x', 'x', 'x')`],
  [`alter table ledger_entry disable trigger all`],
  [`drop trigger ledger_entry_append_only on ledger_entry`],
  [`set session_replication_role = 'replica'`],
  [`create function public.mine() returns int language sql as 'select 1'`],
])('the app role is refused: %s', async (sql) => {
  await expect(app.query(sql)).rejects.toThrow(/permission denied|must be owner/)
})

test('every function that runs with the rights of its owner names where it looks for tables', async () => {
  expect(
    await list(
      `select proname as it from pg_proc
       where pronamespace = 'public'::regnamespace and prosecdef
         and not coalesce('search_path=public, pg_temp' = any(proconfig), false)`,
    ),
  ).toEqual([])
})
