'use client'

import { useState } from 'react'
import type { ActOffer } from '@/lib/web/admin-act-words'
import { useHydrated } from '@/lib/web/use-hydrated'
import { AdminActDialog } from './admin-act-dialog'
import { Button } from './ui/button'

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
