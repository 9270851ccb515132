'use client'

import { useTranslations } from 'next-intl'
import { disconnectAction } from '@/app/(app)/account/actions'
import { signInThrough } from '@/lib/auth/client'
import type { WayView } from '@/lib/web/account-views'
import { AccountSection } from './account-section'
import { Button } from './ui/button'
import { useAccountAct } from './use-account-act'

/** Nothing where no other way is set up. */
export function AccountWays({ ways }: { readonly ways: readonly WayView[] }) {
  const t = useTranslations('accountPage')
  const { isBusy, problem, run } = useAccountAct()
  if (ways.length === 0) return null
  return (
    <AccountSection id="ways" title={t('ways.title')} lead={t('ways.lead')}>
      <ul className="divide-y">
        {ways.map(({ id, name, is_connected: isConnected }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <p className="min-w-0 flex-1 basis-40 text-sm font-medium">
              {name}
              {isConnected && (
                <span className="ml-2 font-normal text-muted">{t('ways.connected')}</span>
              )}
            </p>
            {isConnected ? (
              <Button
                variant="outline"
                size="small"
                disabled={isBusy}
                focusableWhenDisabled
                aria-label={t('ways.disconnectNamed', { name })}
                onClick={() => void run(() => disconnectAction(id))}
              >
                {t('ways.disconnect')}
              </Button>
            ) : (
              <Button
                variant="outline"
                size="small"
                aria-label={t('ways.connectNamed', { name })}
                onClick={() => void signInThrough(id, '/account')}
              >
                {t('ways.connect')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {problem !== undefined && (
        <p role="alert" className="mt-2 text-sm text-safelight-ink">
          {problem}
        </p>
      )}
    </AccountSection>
  )
}
