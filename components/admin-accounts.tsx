import Link from 'next/link'
import type { AccountRowView } from '@/lib/web/admin-views'
import { utcWords } from '@/lib/web/time-words'

const figure = (amount: number) => amount.toLocaleString('en')

export function AdminAccounts({ accounts }: { readonly accounts: readonly AccountRowView[] }) {
  return (
    <ul className="divide-y rounded-lg border bg-surface text-sm">
      {accounts.map((account) => (
        <li
          key={account.id}
          className="relative grid gap-x-6 gap-y-1 px-4 py-3.5 transition-colors hover:bg-raised/60 sm:px-5 md:grid-cols-[minmax(0,1fr)_8rem_16rem] md:items-center"
        >
          <span className="min-w-0">
            <Link
              href={`/admin/accounts/${account.id}`}
              className="break-all underline decoration-line-strong underline-offset-4 after:absolute after:inset-0"
            >
              {account.email ?? 'a guest'}
            </Link>
            <span className="block font-mono text-xs text-muted">
              since {utcWords(account.created_at)}
            </span>
          </span>
          <span className="text-muted">
            {account.role}
            {account.status !== 'active' && (
              <span className="text-safelight-ink">, {account.status}</span>
            )}
          </span>
          <span className="font-mono text-xs tabular-nums md:text-right">
            {figure(account.available)} available, {figure(account.held)} held,{' '}
            {figure(account.spent)} spent
          </span>
        </li>
      ))}
    </ul>
  )
}
