'use client'

import { useTranslations } from 'next-intl'
import {
  ArrowDownNarrowWide,
  ArrowDownWideNarrow,
  Grid2x2,
  Grid3x3,
  SquareCheck,
} from 'lucide-react'
import Link from 'next/link'
import type { GalleryQuery } from '@/lib/domain/gallery'
import type { Density } from '@/lib/web/density'
import { galleryAddress } from '@/lib/web/gallery-address'
import { Button } from './ui/button'
import { buttonVariants } from './ui/button-variants'

type GalleryToolbarProps = {
  readonly query: GalleryQuery
  readonly density: Density
  readonly isSelecting: boolean
  readonly onDensity: (density: Density) => void
  readonly onSelecting: (isSelecting: boolean) => void
}

const SIZES = [
  { density: 'large', Icon: Grid2x2 },
  { density: 'small', Icon: Grid3x3 },
] as const

/** The order, the size of the frames, and choosing several. */
export function GalleryToolbar(props: GalleryToolbarProps) {
  const { query, density, isSelecting, onDensity, onSelecting } = props
  const t = useTranslations('images')
  const isNewest = query.order === 'newest'
  const OrderIcon = isNewest ? ArrowDownWideNarrow : ArrowDownNarrowWide
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
      <Link
        href={galleryAddress({ ...query, order: isNewest ? 'oldest' : 'newest' })}
        className={buttonVariants({ variant: 'ghost', className: '-ml-4' })}
        aria-label={t(isNewest ? 'order.newestNow' : 'order.oldestNow')}
      >
        <OrderIcon aria-hidden="true" />
        {t(isNewest ? 'order.newest' : 'order.oldest')}
      </Link>
      <div className="flex items-center gap-1">
        <div role="group" aria-label={t('size.label')} className="flex">
          {SIZES.map(({ density: each, Icon }) => (
            <Button
              key={each}
              variant="ghost"
              size="icon"
              aria-label={t(`size.${each}`)}
              aria-pressed={density === each}
              className="text-muted aria-pressed:bg-raised aria-pressed:text-foreground"
              onClick={() => onDensity(each)}
            >
              <Icon aria-hidden="true" />
            </Button>
          ))}
        </div>
        <Button
          variant="ghost"
          aria-pressed={isSelecting}
          className="px-3! aria-pressed:bg-raised"
          onClick={() => onSelecting(!isSelecting)}
        >
          <SquareCheck aria-hidden="true" />
          {t('select.start')}
        </Button>
      </div>
    </div>
  )
}
