'use client'

import { createContext, use, useState, type ReactNode } from 'react'
import { previewAction } from '@/app/admin/actions'
import type { ActPreviewView } from '@/lib/web/admin-views'
import { useHydrated } from '@/lib/web/use-hydrated'
import { AdminBulkDialog, type BulkAct } from './admin-bulk-dialog'
import { Button } from './ui/button'

const ACTS: readonly (readonly [act: BulkAct, words: string])[] = [
  ['look-again', 'Look again'],
  ['retry-delivery', 'Retry the delivery'],
  ['compensate', 'Compensate'],
]

type Selection = {
  readonly chosen: ReadonlySet<string>
  readonly choose: (id: string, isChosen: boolean) => void
}
const SelectionContext = createContext<Selection | undefined>(undefined)

type AdminBulkProps = {
  /** All that the page shows, in its order. */
  readonly ids: readonly string[]
  /** What whoever looks may do at all. */
  readonly acts: readonly BulkAct[]
  readonly children: ReactNode
}

/** Attempts of the list that something is to be done about together, after a look at what would happen. */
export function AdminBulk({ ids, acts, children }: AdminBulkProps) {
  const isHydrated = useHydrated()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<{ act: BulkAct; previews: readonly ActPreviewView[] }>()
  const [problem, setProblem] = useState<string>()
  // What left the list by itself is not acted on.
  const here = ids.filter((id) => chosen.has(id))
  const choose = (id: string, isChosen: boolean) =>
    setChosen((before) => {
      const after = new Set(before)
      if (isChosen) after.add(id)
      else after.delete(id)
      return after
    })
  const preview = async (act: BulkAct) => {
    setProblem(undefined)
    const previews = await previewAction({ act, ids: here }).catch(() => [])
    if (previews.length === 0) setProblem('What would happen could not be found out. Try again.')
    else setAsked({ act, previews })
  }
  if (acts.length === 0) return children
  return (
    <SelectionContext value={{ chosen, choose }}>
      <div
        role="group"
        aria-label="Several at once"
        className="mb-3 flex flex-wrap items-center gap-2 text-sm"
      >
        <Button
          variant="outline"
          disabled={!isHydrated}
          onClick={() => setChosen(here.length === ids.length ? new Set() : new Set(ids))}
        >
          {here.length === ids.length ? 'Choose none' : `Choose all ${ids.length}`}
        </Button>
        {ACTS.filter(([act]) => acts.includes(act)).map(([act, words]) => (
          <Button
            key={act}
            variant="outline"
            disabled={here.length === 0}
            focusableWhenDisabled
            onClick={() => void preview(act)}
          >
            {words} …
          </Button>
        ))}
        <span className="text-muted tabular-nums">{here.length} chosen</span>
        <span role="alert" className="text-safelight-ink empty:hidden">
          {problem}
        </span>
      </div>
      {children}
      {asked && <AdminBulkDialog {...asked} onClose={() => setAsked(undefined)} />}
    </SelectionContext>
  )
}

/** The box of one row. Nothing where nobody may act. */
export function AdminBulkBox({ id, name }: { readonly id: string; readonly name: string }) {
  const selection = use(SelectionContext)
  if (!selection) return null
  return (
    <label className="relative z-10 -m-2 flex size-10 items-center justify-center">
      <input
        type="checkbox"
        aria-label={`Choose ${name}`}
        checked={selection.chosen.has(id)}
        onChange={(event) => selection.choose(id, event.target.checked)}
        className="size-4 accent-foreground"
      />
    </label>
  )
}
