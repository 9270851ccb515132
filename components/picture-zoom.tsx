'use client'

import { useFormatter, useTranslations } from 'next-intl'
import { Maximize2, Minus, Plus, X } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import type { ArtworkView } from '@/lib/web/views'
import { Button } from './ui/button'
import { ModalDialog } from './ui/modal-dialog'

type PictureZoomProps = {
  readonly artwork: ArtworkView
  readonly prompt: string
  readonly onClose: () => void
}

// In the picture's own pixels; 0 is as large as fits.
const SCALES = [0, 1, 2, 4] as const

/** The picture alone, as large as fits or larger. Scrolled with whatever scrolls: keys, wheel, finger. */
export function PictureZoom({ artwork, prompt, onClose }: PictureZoomProps) {
  const t = useTranslations('images.zoom')
  const format = useFormatter()
  const [step, setStep] = useState(0)
  const scale = SCALES[step] ?? 0
  const go = (to: number) => setStep(Math.min(Math.max(to, 0), SCALES.length - 1))
  const onKeyDown = (event: KeyboardEvent) => {
    // What is asked of the zoom is not asked of the page behind it.
    event.stopPropagation()
    if (event.key === '+' || event.key === '=') go(step + 1)
    else if (event.key === '-') go(step - 1)
    else if (event.key === '0') go(0)
  }
  const words = scale === 0 ? t('fits') : format.number(scale, { style: 'percent' })
  return (
    <ModalDialog
      aria-label={t('label')}
      onClose={onClose}
      onKeyDown={onKeyDown}
      className="fixed inset-0 m-0 h-dvh max-h-none w-screen max-w-none bg-film-edge p-0 text-film-ink backdrop:bg-black"
    >
      <div
        tabIndex={0}
        role="group"
        aria-label={t('picture')}
        className="grid h-full w-full overflow-auto outline-offset-[-3px] focus-visible:outline-film-ink"
      >
        <img
          src={artwork.url}
          alt={prompt}
          width={artwork.width}
          height={artwork.height}
          onClick={() => go(step === 0 ? 1 : 0)}
          className={
            scale === 0
              ? 'm-auto max-h-dvh max-w-full cursor-zoom-in object-contain'
              : 'm-auto max-w-none cursor-zoom-out'
          }
          style={
            scale === 0
              ? undefined
              : { width: artwork.width * scale, height: artwork.height * scale }
          }
        />
      </div>
      <div className="fixed inset-x-0 bottom-4 mx-auto flex w-fit items-center gap-1 rounded-xl bg-black/75 p-1 text-white">
        <Button
          variant="ghost"
          size="icon"
          aria-label={t('smaller')}
          disabled={step === 0}
          focusableWhenDisabled
          className="hover:bg-white/15! data-[disabled]:opacity-40"
          onClick={() => go(step - 1)}
        >
          <Minus aria-hidden="true" />
        </Button>
        <span role="status" className="w-16 text-center font-mono text-sm tabular-nums">
          {words}
        </span>
        <Button
          variant="ghost"
          size="icon"
          aria-label={t('larger')}
          disabled={step === SCALES.length - 1}
          focusableWhenDisabled
          className="hover:bg-white/15! data-[disabled]:opacity-40"
          onClick={() => go(step + 1)}
        >
          <Plus aria-hidden="true" />
        </Button>
        <Button
          variant="ghost"
          size="icon"
          aria-label={t('close')}
          className="hover:bg-white/15!"
          onClick={onClose}
        >
          <X aria-hidden="true" />
        </Button>
      </div>
    </ModalDialog>
  )
}

/** Opens the picture in full: a click on it, or its button. */
export function ZoomButton({ onOpen }: { readonly onOpen: () => void }) {
  const t = useTranslations('images.zoom')
  return (
    <button
      type="button"
      aria-label={t('open')}
      onClick={onOpen}
      className="group/zoom absolute inset-0 flex cursor-zoom-in items-end justify-end p-4 outline-offset-[-4px] focus-visible:outline-white"
    >
      <span className="flex size-10 items-center justify-center rounded-full bg-black/55 text-white opacity-80 transition-opacity group-hover/zoom:opacity-100">
        <Maximize2 aria-hidden="true" className="size-4" />
      </span>
    </button>
  )
}
