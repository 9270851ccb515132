import { findAdminList, searchAttempts, type AdminListFilter } from '@/lib/db/admin-attempt-list'
import { AccountId } from '@/lib/domain/ids'
import type { BenchDatabase } from './database'
import { fillTables, orderedUuidOf, uuidOf } from './rows'
import { median, type Section } from './section'

const SIZES = [1_000, 100_000] as const
const ROUNDS = 9
const ROWS_PER_PAGE = 50
const AIM_MS = 200

// As an installation looks that has been in trouble: everything open, over many accounts, models and
// ages, with a few rare ones among them. Straight into the tables, past triggers, in the order of ids.
const fill = (from: number, to: number) => `
  insert into account (id, available, held, last_entry_seq)
  select ${uuidOf("'account ' || n")}, 0, 0, null from generate_series(${from}, ${to}) n
  where n % 50 = 0 on conflict do nothing;
  insert into user_identity (account_id, email, name, password_hash)
  select ${uuidOf("'account ' || n")}, 'person-' || n || '@example.com', 'Person', '$argon2id$x'
  from generate_series(${from}, ${to}) n where n % 50 = 0 on conflict do nothing;
  insert into attempt (id, account_id, request_id, fingerprint, provider, model, prompt, settings, price,
                       reserved_credits, callback_token_hash, state, version, task_id, result,
                       created_at, updated_at)
  select ${orderedUuidOf('n')},
         ${uuidOf("'account ' || (n - n % 50)")}, ${uuidOf("'request ' || n")}, sha256(n::text::bytea),
         provider, provider || '/model-' || n % 7, repeat('a prompt of some length ', 8),
         '{"width": 1024, "height": 1024}', 1 + n % 40, 1 + n % 40, sha256(('token ' || n)::bytea),
         state, 2, case when state = 'pending' then 'task-' || n end,
         case when state like '%deliver%' or state = 'storage_failed' then '{"url": "https://x.test/1"}'::jsonb end,
         now() - (200000 - n) * interval '3 seconds', now()
  from (select n, case when n % 997 = 0 then 'fal' when n % 3 = 0 then 'openai' else 'simulator' end as provider,
               case when n % 991 = 0 then 'storage_failed' when n % 5 = 0 then 'pending'
                    else 'status_unknown' end as state
        from generate_series(${from}, ${to}) n) x;
  insert into attempt_event (attempt_id, account_id, seq, from_state, to_state, kind, actor)
  select id, account_id, 2, 'submitting', state,
         case when md5(id::text) < '01' then 'lookup_failed' else 'submission_unknown' end, 'worker:bench'
  from attempt a where not exists (select from attempt_work w where w.attempt_id = a.id);
  insert into attempt_work (attempt_id, account_id, due_at)
  select id, account_id, now() + interval '1 hour' from attempt a
  where not exists (select from attempt_work w where w.attempt_id = a.id);
  insert into anomaly (id, kind, attempt_id, account_id, detail)
  select ${uuidOf("'anomaly ' || id")}, 'second_task', id, account_id, '' from attempt
  where md5(id::text) < '02' on conflict do nothing;
  insert into usage_record (attempt_id, account_id, number, kind, provider, sent_at, answered_at, outcome)
  select id, account_id, 1, 'submit', provider, sent_at, sent_at,
         case when state = 'pending' then 'accepted' else 'unknown' end
  from (select *, now() - random() * interval '23 hours' as sent_at from attempt) x
  on conflict do nothing`

const all: AdminListFilter = {
  of: 'open',
  state: undefined,
  provider: undefined,
  model: undefined,
  code: undefined,
  accountId: undefined,
  age: undefined,
  sort: 'age',
  after: undefined,
  limit: ROWS_PER_PAGE,
}

/** What an admin asks of the list, each with what is rarest, where a filter has most to pass over. */
async function asked(app: BenchDatabase['app']) {
  const { rows } = await app.pool.query<{ account_id: string }>(
    'select account_id from attempt order by id limit 1',
  )
  const accountId = AccountId.parse(rows[0]?.account_id)
  const list = (changed: Partial<AdminListFilter>) => () =>
    findAdminList(app, { ...all, ...changed })
  return {
    'first page': list({}),
    'by state': list({ state: 'storage_failed' }),
    'by a state that nothing has': list({ state: 'submitting' }),
    'by provider': list({ provider: 'fal' }),
    'by a provider that nothing has': list({ provider: 'bfl' }),
    'by model': list({ model: 'fal/model-3' }),
    'by code': list({ code: 'lookup_failed' }),
    'by a code that nothing has': list({ code: 'store_failed' }),
    'by age': list({ age: 'over-1d' }),
    'by an age that nothing has': list({ age: 'under-10m' }),
    'by account': list({ accountId }),
    'with an anomaly': list({ of: 'anomaly' }),
    'taken in the last day': list({ of: 'taken' }),
    'unknown in the last day': list({ of: 'unknown', provider: 'fal' }),
    'refused in the last day, as nothing was': list({ of: 'refused' }),
    'by amount': list({ sort: 'amount' }),
    'by amount, of one provider': list({ sort: 'amount', provider: 'openai' }),
    'searched by e-mail': () =>
      searchAttempts(app, 'person-500@example.com', ['simulator', 'openai', 'fal'], 100),
    'searched by task': () => searchAttempts(app, 'task-500', ['simulator', 'openai', 'fal'], 100),
  }
}

/** The list of attempts, with 1,000 and with 100,000 open ones in the same run. */
export const adminQueue: Section = {
  title: 'admin queue',
  async run({ app, owner }, print) {
    const times = new Map<string, number[]>()
    let from = 1
    for (const size of SIZES) {
      await fillTables(owner, fill(from, size))
      from = size + 1
      for (const [name, ask] of Object.entries(await asked(app))) {
        const taken: number[] = []
        for (let round = 0; round < ROUNDS; round += 1) {
          const startedMs = performance.now()
          await ask()
          taken.push(performance.now() - startedMs)
        }
        times.set(name, [...(times.get(name) ?? []), median(taken)])
      }
    }
    print(
      `${'median of 9, in ms'.padEnd(40)}${SIZES.map((size) => size.toLocaleString('en').padStart(10)).join('')}     ratio`,
    )
    for (const [name, [small = 0, large = 0]] of times) {
      const figures = [small, large].map((ms) => ms.toFixed(1).padStart(10)).join('')
      const verdict = large <= AIM_MS ? '' : `   over ${AIM_MS} ms`
      print(`${name.padEnd(40)}${figures}${(large / small).toFixed(1).padStart(10)}${verdict}`)
    }
    return [...times].map(([name, [small = NaN, large = NaN]]) => ({
      name: `${name}, ${SIZES[1]} open attempts`,
      value: large,
      unit: 'ms' as const,
      ratio: large / small,
      to: `${SIZES[0]} open attempts`,
    }))
  },
}
