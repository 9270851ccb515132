'use client'

import { useTranslations } from 'next-intl'
import { Bell, BellOff } from 'lucide-react'
import { useState } from 'react'
import { notifyState, turnNotify, type NotifyState } from '@/lib/web/notify'
import { useHydrated } from '@/lib/web/use-hydrated'
import { Button } from './ui/button'

/** Asks the browser only when it is pressed. */
export function NotifyToggle() {
  const t = useTranslations('studio.tools')
  const isHydrated = useHydrated()
  const [changed, setChanged] = useState<NotifyState>()
  const state = changed ?? (isHydrated ? notifyState() : 'off')
  if (state === 'impossible') return null
  const isOn = state === 'on'
  const Icon = isOn ? Bell : BellOff
  return (
    <>
      <Button
        variant="ghost"
        className="px-3!"
        aria-pressed={isOn}
        onClick={() => void turnNotify(!isOn).then(setChanged)}
      >
        <Icon aria-hidden="true" />
        {t(isOn ? 'tells' : 'tell')}
      </Button>
      {state === 'refused' && changed !== undefined && (
        <p role="status" className="basis-full px-3 text-[0.8125rem] text-muted">
          {t('notAllowed')}
        </p>
      )}
    </>
  )
}
