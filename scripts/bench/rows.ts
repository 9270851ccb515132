import type { BenchDatabase } from './database'

/** An id of version 4 that is always the same for the same text. */
export const uuidOf = (text: string) =>
  `overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`

/** An id of version 7 whose order is the order of n. */
export const orderedUuidOf = (n: string) =>
  `(lpad(to_hex(${n}), 12, '0') || '7' || substr(md5(${n}::text), 1, 3) || '8' ||
    substr(md5(${n}::text), 4, 15))::uuid`

/** Runs statements as the owner, past triggers and foreign keys, and tells the planner of the rows. */
export async function fillTables(
  { pool }: BenchDatabase['owner'],
  statements: string,
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query(`begin; set local session_replication_role = replica; ${statements}; commit`)
    await client.query('vacuum analyze')
    // Or what is measured next would pay for writing all of this out.
    await client.query('checkpoint')
  } finally {
    client.release()
  }
}

export const ATTEMPTS_PER_ACCOUNT = 100
const PRICE = 4
const GRANT = ATTEMPTS_PER_ACCOUNT * PRICE * 2

/**
 * Accounts from..to, each with a grant and a hundred delivered images: every row that their lives
 * leave behind, adding up as the rules demand.
 */
export const deliveredAccounts = (from: number, to: number): string => {
  const accountId = uuidOf("'account ' || account")
  const attemptId = orderedUuidOf('n')
  const attempts = `
    (select account, k, (account - 1) * ${ATTEMPTS_PER_ACCOUNT} + k as n
     from generate_series(${from}, ${to}) account, generate_series(1, ${ATTEMPTS_PER_ACCOUNT}) k) x`
  return `
    insert into account (id, available, held, spent, last_entry_seq)
    select ${accountId}, ${GRANT - ATTEMPTS_PER_ACCOUNT * PRICE}, 0, ${ATTEMPTS_PER_ACCOUNT * PRICE},
           ${2 * ATTEMPTS_PER_ACCOUNT + 1}
    from generate_series(${from}, ${to}) account;
    insert into ledger_entry (account_id, seq, kind, amount, source_key, actor, available_after,
                              held_after, spent_after)
    select ${accountId}, 1, 'granted', ${GRANT}, 'bench', 'system', ${GRANT}, 0, 0
    from generate_series(${from}, ${to}) account;
    insert into attempt (id, account_id, request_id, fingerprint, provider, model, prompt, settings,
                         price, reserved_credits, callback_token_hash, state, version, task_id,
                         settlement, created_at)
    select ${attemptId}, ${accountId}, ${uuidOf("'request ' || n")}, sha256(n::text::bytea), 'simulator',
           'simulator/standard', repeat('a prompt of some length ', 4), '{"width": 1024, "height": 1024}',
           ${PRICE}, ${PRICE}, sha256(('token ' || n)::bytea), 'completed', 4, 'task-' || n, 'settled',
           now() - interval '30 days' + n * interval '1 second'
    from ${attempts};
    insert into submission (attempt_id, account_id, provider, epoch)
    select ${attemptId}, ${accountId}, 'simulator', 1 from ${attempts};
    insert into artwork (attempt_id, account_id, object_key, sha256, content_type, width, height,
                         size_bytes, blur)
    select ${attemptId}, ${accountId}, 'images/' || n, sha256(('image ' || n)::bytea), 'image/png', 1024,
           1024, 1000000, 'data:image/webp;base64,'
    from ${attempts};
    insert into settlement (attempt_id, account_id, kind, amount, actor)
    select ${attemptId}, ${accountId}, 'settled', ${PRICE}, 'worker:bench' from ${attempts};
    insert into attempt_event (attempt_id, account_id, seq, from_state, to_state, kind, actor)
    select ${attemptId}, ${accountId}, seq, from_state, to_state, kind, 'worker:bench'
    from ${attempts}, (values
      (0, null, 'initializing', 'accepted'), (1, 'initializing', 'submitting', 'submitting'),
      (2, 'submitting', 'pending', 'accepted_by_provider'), (3, 'pending', 'delivering', 'succeeded'),
      (4, 'delivering', 'completed', 'stored')) step (seq, from_state, to_state, kind);
    insert into ledger_entry (account_id, seq, kind, amount, attempt_id, actor, available_after,
                              held_after, spent_after)
    select ${accountId}, 2 * k + step, kind, ${PRICE}, ${attemptId}, 'worker:bench', ${GRANT} - k * ${PRICE},
           (1 - step) * ${PRICE}, (k - 1 + step) * ${PRICE}
    from ${attempts}, (values (0, 'reserved'), (1, 'settled')) money (step, kind)`
}
