'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { drillAction } from '@/app/admin/actions'
import { drills, type Drill } from '@/lib/domain/drill'
import { creditsInEnglish } from '@/lib/web/admin-credit-words'
import { newRequestId } from '@/lib/web/request-id'
import { useHydrated } from '@/lib/web/use-hydrated'
import { Button } from './ui/button'

type AdminDrillsProps = { readonly price: number; readonly mayStart: boolean }

/** Each fault, what it does, what to watch, and the button that starts it. */
export function AdminDrills({ price, mayStart }: AdminDrillsProps) {
  return (
    <ul className="divide-y rounded-lg border bg-surface text-sm">
      {drills.map((drill) => (
        <li key={drill.fault}>
          <OneDrill drill={drill} price={price} mayStart={mayStart} />
        </li>
      ))}
    </ul>
  )
}

function OneDrill({ drill, price, mayStart }: AdminDrillsProps & { readonly drill: Drill }) {
  const router = useRouter()
  const isHydrated = useHydrated()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  // The same until its answer is known, so that a press whose answer got lost is not two attempts.
  const [requestId, setRequestId] = useState(newRequestId)
  const start = async () => {
    setBusy(true)
    const answer = await drillAction({ fault: drill.fault, requestId }).catch(() => undefined)
    setBusy(false)
    if (!answer) {
      setProblem('The answer got lost. Press again: it is one attempt, however often you press.')
      return
    }
    setRequestId(newRequestId())
    if (answer.ok) router.push(`/admin/attempts/${answer.value.id}`)
    else setProblem(answer.refusal.message)
  }
  return (
    <div className="flex flex-col gap-x-6 gap-y-3 px-4 py-3.5 sm:flex-row sm:items-center sm:justify-between">
      <div className="min-w-0">
        <h2 className="font-medium">{drill.title}</h2>
        <p>{drill.does}</p>
        <p className="text-muted">{drill.watch}</p>
        <p role="alert" className="text-safelight-ink empty:hidden">
          {problem}
        </p>
      </div>
      <Button
        variant="outline"
        disabled={!isHydrated || !mayStart || isBusy}
        focusableWhenDisabled
        onClick={() => void start()}
        className="h-auto min-h-10 shrink-0 self-start py-2 whitespace-normal sm:self-center"
      >
        {mayStart ? `Start it; holds ${creditsInEnglish(price)}` : 'Only an admin starts one'}
      </Button>
    </div>
  )
}
