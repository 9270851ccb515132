'use client'

import { CircleUser } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { lazy, Suspense, useState } from 'react'
import { buttonVariants } from '@/components/ui/button-variants'

const load = () => import('./account-menu-items')
// Ahead of the click. When it does not arrive, the click asks again.
const preload = () => void load().catch(() => undefined)
const AccountMenuItems = lazy(async () => ({ default: (await load()).AccountMenuItems }))

/** A menu is a fifth of all the script that a page needs and is seldom opened, so it is fetched then. */
export function AccountMenu({ email }: { readonly email: string }) {
  const t = useTranslations('account')
  const [isWanted, setWanted] = useState(false)
  const trigger = (
    <button
      type="button"
      aria-label={t('menu')}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setWanted(true)}
      className={buttonVariants({ variant: 'ghost', size: 'icon' })}
    >
      <CircleUser aria-hidden="true" />
    </button>
  )
  if (!isWanted) return trigger
  return (
    <Suspense fallback={trigger}>
      <AccountMenuItems email={email} />
    </Suspense>
  )
}
