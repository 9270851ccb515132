'use client'

import { useTranslations } from 'next-intl'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { cn } from '@/lib/web/class-names'
import { NavMark } from './nav-mark'

const PLACES = [
  { href: '/studio', name: 'studio' },
  { href: '/images', name: 'images' },
  { href: '/credits', name: 'credits' },
] as const
// The admin pages are in English, and so is their name.
const ADMIN = { href: '/admin', name: 'admin' } as const

export function MainNav({ isAdmin }: { readonly isAdmin: boolean }) {
  const t = useTranslations('common.nav')
  const path = usePathname()
  const places = isAdmin ? [...PLACES, ADMIN] : PLACES
  return (
    <nav aria-label={t('label')} className="-mx-3 flex gap-1 overflow-x-auto md:mx-0">
      {places.map(({ href, name }) => {
        const isHere = path === href || path.startsWith(`${href}/`)
        return (
          <Link
            key={href}
            href={href}
            aria-current={isHere ? 'page' : undefined}
            className={cn(
              'relative flex h-11 items-center rounded-sm px-3 text-sm transition-colors hover:text-foreground',
              isHere ? 'text-foreground' : 'text-muted',
            )}
          >
            {name === 'admin' ? 'Admin' : t(name)}
            <NavMark isHere={isHere} />
          </Link>
        )
      })}
    </nav>
  )
}
