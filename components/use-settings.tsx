'use client'

import { SlidersHorizontal } from 'lucide-react'
import { useRouter } from 'next/navigation'
import type { Generation } from '@/lib/domain/generation'
import { useDarkroom } from '@/lib/web/use-darkroom'
import { Button } from './ui/button'

const RANDOM_SEED = { kind: 'random' } as const

/** Fills the studio with what this picture was made from. Never presses Generate. */
export function UseSettings({ generation }: { readonly generation: Generation }) {
  const { draft } = useDarkroom()
  const router = useRouter()
  const fill = () => {
    const { model, prompt, settings } = generation
    const { width, height, seed } = settings
    const seedChoice = seed === undefined ? RANDOM_SEED : ({ kind: 'fixed', seed } as const)
    draft.write({ model, prompt, width, height, seed: seedChoice })
    router.push('/studio')
  }
  return (
    <Button variant="outline" size="small" onClick={fill}>
      <SlidersHorizontal aria-hidden="true" />
      Use these settings
    </Button>
  )
}
