'use client'

import { useState } from 'react'
import type { ActOffer } from '@/lib/web/admin-act-words'
import { useHydrated } from '@/lib/web/use-hydrated'
import { AdminActDialog } from './admin-act-dialog'
import { Button } from './ui/button'

/** What can be done, then what makes no sense now, by why: a reason that several share is said once. */
export function AdminActs({ offers }: { readonly offers: readonly ActOffer[] }) {
  const possible = offers.filter(({ whyNot }) => whyNot === null)
  const reasons = new Set(offers.flatMap(({ whyNot }) => whyNot ?? []))
  return (
    <div className="divide-y rounded-lg border bg-surface">
      {possible.map((offer) => (
        <AdminAct key={offer.asks.act} offer={offer} />
      ))}
      {[...reasons].map((reason) => (
        <ActsOf
          key={reason}
          reason={reason}
          offers={offers.filter(({ whyNot }) => whyNot === reason)}
        />
      ))}
    </div>
  )
}

/** One thing that an admin can do, or why it makes no sense now. It asks before it does anything. */
export function AdminAct({ offer }: { readonly offer: ActOffer }) {
  const isHydrated = useHydrated()
  const [isOpen, setOpen] = useState(false)
  const { title, hint, button, whyNot } = offer
  return (
    <div className="flex flex-col gap-x-6 gap-y-3 px-4 py-3.5 sm:flex-row sm:items-center sm:justify-between">
      <div className="min-w-0 text-sm">
        <h3 className="font-medium">{title}</h3>
        <p className="text-muted">{whyNot ?? hint}</p>
      </div>
      <Button
        variant="outline"
        focusableWhenDisabled
        disabled={!isHydrated || whyNot !== null}
        onClick={() => setOpen(true)}
        className="h-auto! min-h-10 max-w-full self-start py-2 text-left whitespace-normal! sm:max-w-72 sm:shrink! sm:self-center"
      >
        {button}
      </Button>
      {isOpen && <AdminActDialog offer={offer} onClose={() => setOpen(false)} />}
    </div>
  )
}

function ActsOf({
  reason,
  offers,
}: {
  readonly reason: string
  readonly offers: readonly ActOffer[]
}) {
  const [only] = offers
  if (only && offers.length === 1) return <AdminAct offer={only} />
  return (
    <div className="flex flex-col gap-3 px-4 py-3.5 text-sm">
      <p className="text-muted">{reason}</p>
      <ul className="flex flex-wrap gap-2">
        {offers.map(({ title, asks }) => (
          <li key={asks.act}>
            <Button variant="outline" disabled focusableWhenDisabled>
              {title}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
