'use client'

import { useTranslations } from 'next-intl'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { buttonVariants } from './ui/button-variants'

type AttemptNeighboursProps = { readonly newer: string | null; readonly older: string | null }

const TYPED_INTO = 'input, textarea, select, [contenteditable], dialog, [role="menu"]'

/** To the picture before and after this one, by link and by arrow key. */
export function AttemptNeighbours({ newer, older }: AttemptNeighboursProps) {
  const t = useTranslations('images.page')
  const router = useRouter()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target } = event
      if (
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.shiftKey
      )
        return
      if (target instanceof Element && target.closest(TYPED_INTO)) return
      const to = { ArrowLeft: newer, ArrowRight: older }[key]
      if (to) router.push(`/images/${to}`)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [newer, older, router])
  const look = buttonVariants({ variant: 'ghost' })
  return (
    <nav
      aria-label={t('neighbours')}
      className="-mx-4 mb-3 flex items-center justify-between gap-2"
    >
      <Link href="/images" className={look}>
        {t('all')}
      </Link>
      <span className="flex gap-1">
        {newer !== null && (
          <Link href={`/images/${newer}`} className={look} aria-keyshortcuts="ArrowLeft">
            <ArrowLeft aria-hidden="true" />
            {t('newer')}
          </Link>
        )}
        {older !== null && (
          <Link href={`/images/${older}`} className={look} aria-keyshortcuts="ArrowRight">
            {t('older')}
            <ArrowRight aria-hidden="true" />
          </Link>
        )}
      </span>
    </nav>
  )
}
