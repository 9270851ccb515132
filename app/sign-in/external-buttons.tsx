'use client'

import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { signInThrough } from '@/lib/auth/client'
import { useHydrated } from '@/lib/web/use-hydrated'

type ExternalButtonsProps = {
  readonly ways: readonly { readonly id: string; readonly name: string }[]
  readonly from: string
}

export function ExternalButtons({ ways, from }: ExternalButtonsProps) {
  const t = useTranslations('signIn')
  const isHydrated = useHydrated()
  if (ways.length === 0) return null
  return (
    <div className="flex flex-col gap-2">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('or')}
      </p>
      {ways.map(({ id, name }) => (
        <Button
          key={id}
          variant="outline"
          size="large"
          focusableWhenDisabled
          disabled={!isHydrated}
          onClick={() => void signInThrough(id, from)}
        >
          {t('with', { name })}
        </Button>
      ))}
    </div>
  )
}
