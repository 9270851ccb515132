'use client'

import { useTranslations } from 'next-intl'
import { LogIn, WifiOff } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { useConnection } from '@/lib/web/use-darkroom'

/** Says when what the page shows can no longer be brought up to date, and why. */
export function ConnectionNotice() {
  const t = useTranslations('common.connection')
  const connection = useConnection()
  const path = usePathname()
  if (connection === 'live') return null
  return (
    <div role="alert" className="border-t bg-safelight-wash">
      <p className="mx-auto flex max-w-[120rem] flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-sm sm:px-6 lg:px-8">
        {connection === 'signed-out' ? (
          <>
            <LogIn aria-hidden="true" className="size-4 shrink-0 text-safelight-ink" />
            {t('signedOut')}
            {/* A full page load: whoever signs in next must not find this account's page behind it. */}
            <a
              href={`/sign-in?from=${encodeURIComponent(path)}`}
              className="font-medium underline underline-offset-4"
            >
              {t('signIn')}
            </a>
          </>
        ) : (
          <>
            <WifiOff aria-hidden="true" className="size-4 shrink-0 text-safelight-ink" />
            {t('lost')}
          </>
        )}
      </p>
    </div>
  )
}
