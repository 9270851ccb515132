'use client'

import { useTranslations } from 'next-intl'
import { toast } from '@/lib/web/toast'
import { endOtherSessionsAction, endSessionAction } from '@/app/(app)/account/actions'
import type { SessionView } from '@/lib/web/account-views'
import { AccountSection } from './account-section'
import { LocalTime } from './local-time'
import { Button } from './ui/button'
import { useAccountAct } from './use-account-act'

export function AccountSessions({ sessions }: { readonly sessions: readonly SessionView[] }) {
  const t = useTranslations('accountPage')
  const { isBusy, problem, run } = useAccountAct()
  const end = async (id: string) => {
    if (await run(() => endSessionAction(id))) toast.success(t('sessions.ended'))
  }
  const endOthers = async () => {
    const done = await run(() => endOtherSessionsAction())
    if (done) toast.success(t('sessions.othersEnded', { count: done.value }))
  }
  return (
    <AccountSection id="sessions" title={t('sessions.title')} lead={t('sessions.lead')}>
      <ul className="divide-y">
        {sessions.map((session) => {
          const device = session.device ?? t('sessions.unknown')
          return (
            <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
              <div className="min-w-0 flex-1 basis-56 text-sm">
                <p className="font-medium">
                  {device}
                  {session.is_this && (
                    <span className="ml-2 rounded-sm bg-raised px-1.5 py-0.5 text-[0.8125rem] font-normal">
                      {t('sessions.this')}
                    </span>
                  )}
                </p>
                <p className="mt-0.5 text-muted">
                  {t('sessions.used')} <LocalTime iso={session.last_used_at} />
                </p>
                <p className="text-muted">
                  {t('sessions.opened')} <LocalTime iso={session.created_at} />
                </p>
              </div>
              {!session.is_this && (
                <Button
                  variant="outline"
                  size="small"
                  disabled={isBusy}
                  focusableWhenDisabled
                  aria-label={t('sessions.endNamed', { device })}
                  onClick={() => void end(session.id)}
                >
                  {t('sessions.end')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {problem !== undefined && (
        <p role="alert" className="mt-2 text-sm text-safelight-ink">
          {problem}
        </p>
      )}
      {sessions.length > 1 && (
        <Button
          variant="outline"
          className="mt-3"
          disabled={isBusy}
          focusableWhenDisabled
          onClick={() => void endOthers()}
        >
          {t('sessions.endOthers')}
        </Button>
      )}
    </AccountSection>
  )
}
