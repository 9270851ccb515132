'use client'

import { useTranslations } from 'next-intl'
import { Dices, Shuffle, SlidersHorizontal } from 'lucide-react'
import { useRouter } from 'next/navigation'
import type { Generation } from '@/lib/domain/generation'
import { draftOf, type Draft } from '@/lib/web/draft'
import { useDarkroom } from '@/lib/web/use-darkroom'
import { Button } from './ui/button'

/** Fills the studio with what this picture was made from. Never presses Generate. */
export function UseSettings({ generation }: { readonly generation: Generation }) {
  const t = useTranslations('images.page')
  const { draft } = useDarkroom()
  const router = useRouter()
  const { seed } = generation.settings
  const fill = (filled: Draft) => {
    draft.write(filled)
    router.push('/studio')
  }
  return (
    <>
      <Button variant="outline" size="small" onClick={() => fill(draftOf(generation))}>
        <SlidersHorizontal aria-hidden="true" />
        {t('useSettings')}
      </Button>
      <Button variant="outline" size="small" onClick={() => fill(draftOf(generation, 'new'))}>
        <Shuffle aria-hidden="true" />
        {t('variation')}
      </Button>
      {seed !== undefined && (
        <Button
          variant="outline"
          size="small"
          onClick={() =>
            fill({ ...(draft.read() ?? draftOf(generation)), seed: { kind: 'fixed', seed } })
          }
        >
          <Dices aria-hidden="true" />
          {t('useSeed')}
        </Button>
      )}
    </>
  )
}
