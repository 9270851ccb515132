import Link from 'next/link'
import type { ReactNode } from 'react'
import type { ListedAttemptView } from '@/lib/web/admin-views'
import { heldWords } from '@/lib/web/admin-overview-words'
import { utcWords } from '@/lib/web/time-words'
import { AdminBulkBox } from './admin-bulk'
import { Age } from './age'
import { StatusMark } from './status-mark'

/** The admins' list. A row per attempt on a wide screen, a card on a narrow one. */
export function AdminAttempts({ attempts }: { readonly attempts: readonly ListedAttemptView[] }) {
  return (
    <ul className="divide-y rounded-lg border bg-surface text-sm">
      {attempts.map((attempt) => (
        <li
          key={attempt.id}
          data-attempt-id={attempt.id}
          data-status={attempt.status}
          className="relative grid grid-cols-2 gap-x-6 gap-y-3 px-4 py-4 transition-colors hover:bg-raised/60 sm:px-5 lg:grid-cols-[8.5rem_12.5rem_minmax(17rem,1.3fr)_minmax(9rem,1fr)_6.5rem_9rem]"
        >
          <div className="flex flex-col gap-0.5">
            <span className="flex items-center gap-3">
              <AdminBulkBox id={attempt.id} name={`attempt ${attempt.id}`} />
              <StatusMark status={attempt.status} />
            </span>
            <span className="font-mono text-xs text-muted">{attempt.state}</span>
          </div>
          <Fact name="Age">
            <Age iso={attempt.created_at} />
            <Small>{utcWords(attempt.created_at)}</Small>
          </Fact>
          <Fact name="Account" isWide>
            <span className="wrap-anywhere">{attempt.account_email ?? 'a guest'}</span>
            <Link
              href={`/admin/attempts/${attempt.id}`}
              className="block font-mono text-xs break-all underline decoration-line-strong underline-offset-4 after:absolute after:inset-0"
            >
              {attempt.id}
            </Link>
          </Fact>
          <Fact name="Provider" isWide>
            <span className="break-all">{attempt.model}</span>
            <Small>{attempt.task_id === null ? 'no task id' : `task ${attempt.task_id}`}</Small>
          </Fact>
          <Fact name="Holds">
            <span className="tabular-nums">{heldWords(attempt)}</span>
            <Small>{attempt.settlement ?? 'not settled'}</Small>
          </Fact>
          <Fact name="Next look">
            {attempt.due_at === null ? 'none, it is final' : <Age iso={attempt.due_at} />}
            <Small>last: {attempt.last_kind}</Small>
          </Fact>
        </li>
      ))}
    </ul>
  )
}

type FactProps = { readonly name: string; readonly isWide?: boolean; readonly children: ReactNode }

function Fact({ name, isWide = false, children }: FactProps) {
  return (
    <div className={isWide ? 'col-span-2 min-w-0 sm:col-span-1' : 'min-w-0'}>
      <span className="block text-xs text-muted">{name}</span>
      {children}
    </div>
  )
}

function Small({ children }: { readonly children: ReactNode }) {
  return <span className="block font-mono text-xs break-words text-muted">{children}</span>
}
