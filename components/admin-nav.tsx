'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { cn } from '@/lib/web/class-names'
import { NavMark } from './nav-mark'

const PLACES = [
  { href: '/admin', name: 'Overview' },
  { href: '/admin/attempts', name: 'Attempts' },
  { href: '/admin/accounts', name: 'Accounts' },
  { href: '/admin/alerts', name: 'Alerts' },
  { href: '/admin/ledger', name: 'Ledger' },
  { href: '/admin/policies', name: 'Policies' },
  { href: '/admin/drills', name: 'Drills' },
  { href: '/admin/log', name: 'Log' },
] as const

/** The places of an admin. Scrolls by itself where it does not fit. */
export function AdminNav() {
  const path = usePathname()
  return (
    <nav aria-label="Admin" className="mb-6 flex gap-1 overflow-x-auto border-b sm:mb-8">
      {PLACES.map(({ href, name }) => {
        const isHere = path === href || (href !== '/admin' && path.startsWith(`${href}/`))
        return (
          <Link
            key={href}
            href={href}
            aria-current={isHere ? 'page' : undefined}
            className={cn(
              'relative flex h-11 items-center px-3 text-sm transition-colors first:-ml-3 hover:text-foreground',
              isHere ? 'text-foreground' : 'text-muted',
            )}
          >
            {name}
            <NavMark isHere={isHere} />
          </Link>
        )
      })}
    </nav>
  )
}
