'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { auditAction } from '@/app/admin/actions'
import type { DifferenceView } from '@/lib/web/admin-views'
import { useHydrated } from '@/lib/web/use-hydrated'
import { Button } from './ui/button'

type Found = { readonly summary: string; readonly differences: readonly DifferenceView[] }

/** The button that audits now, and what it found. */
export function AdminAudit() {
  const router = useRouter()
  const isHydrated = useHydrated()
  const [isBusy, setBusy] = useState(false)
  const [found, setFound] = useState<Found>()
  const audit = async () => {
    setBusy(true)
    const answer = await auditAction().catch(() => undefined)
    setBusy(false)
    if (answer?.ok) setFound(answer.value)
    else {
      const summary = answer?.refusal.message ?? 'The answer got lost. The list below has it.'
      setFound({ summary, differences: [] })
    }
    router.refresh()
  }
  return (
    <div className="flex flex-col gap-3 text-sm">
      <Button
        variant="outline"
        disabled={!isHydrated || isBusy}
        focusableWhenDisabled
        onClick={() => void audit()}
        className="self-start"
      >
        {isBusy ? 'Auditing…' : 'Audit now'}
      </Button>
      <p role="status" className="empty:hidden">
        {found?.summary}
      </p>
      {found !== undefined && found.differences.length > 0 && (
        <ul className="divide-y rounded-lg border bg-surface">
          {found.differences.map((one) => (
            <li
              key={[one.invariant, one.account_id, one.attempt_id, one.found].join(' ')}
              className="flex flex-col gap-1 px-4 py-3 break-words"
            >
              <span className="font-medium">{one.invariant.replaceAll('_', ' ')}</span>
              <span>
                Expected {one.expected}; found {one.found}.
              </span>
              <span className="flex flex-wrap gap-x-4 font-mono text-xs">
                {one.account_id !== null && (
                  <Link href={`/admin/accounts/${one.account_id}`} className="py-1 underline">
                    account {one.account_id}
                  </Link>
                )}
                {one.attempt_id !== null && (
                  <Link href={`/admin/attempts/${one.attempt_id}`} className="py-1 underline">
                    attempt {one.attempt_id}
                  </Link>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
