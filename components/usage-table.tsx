import { utcWords } from '@/lib/web/time-words'
import type { UsageView } from '@/lib/web/views'

/** Every POST to the provider: what went out, never a key, what came back and what it cost us. */
export function UsageTable({ usage }: { readonly usage: readonly UsageView[] }) {
  if (usage.length === 0) return <p className="text-sm text-muted">Nothing was sent.</p>
  return (
    <ol className="divide-y rounded-lg border bg-surface text-sm">
      {usage.map((line) => (
        <li
          key={line.number}
          className="grid gap-x-6 gap-y-1.5 px-4 py-3.5 lg:grid-cols-[13rem_14rem_minmax(0,1fr)]"
        >
          <div className="font-mono text-xs leading-5 text-muted tabular-nums">
            {utcWords(line.sent_at)}
            <span className="block">
              {line.kind === 'repeat' ? 'the same POST again' : `POST ${line.number}`}
            </span>
          </div>
          <div>
            <span className="font-mono text-[0.8125rem]">{line.outcome ?? 'no answer known'}</span>
            <span className="block font-mono text-xs leading-5 text-muted">
              {line.http_status === null ? 'no status' : `status ${line.http_status}`}
            </span>
          </div>
          <div className="min-w-0 font-mono text-xs leading-5 break-all text-muted">
            {line.address ?? 'address not recorded'}
            {line.request_sha256 && (
              <span className="block">
                {line.request_bytes} bytes, SHA-256 {line.request_sha256}
              </span>
            )}
            {line.provider_request_id && (
              <span className="block">provider’s request id {line.provider_request_id}</span>
            )}
            {line.cost && (
              <span className="block">
                cost us {line.cost.amount} {line.cost.unit}
              </span>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}
