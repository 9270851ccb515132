'use client'

import { SlidersHorizontal } from 'lucide-react'
import { useRouter } from 'next/navigation'
import type { Generation } from '@/lib/domain/generation'
import { draftOf } from '@/lib/web/draft'
import { useDarkroom } from '@/lib/web/use-darkroom'
import { Button } from './ui/button'

/** Fills the studio with what this picture was made from. Never presses Generate. */
export function UseSettings({ generation }: { readonly generation: Generation }) {
  const { draft } = useDarkroom()
  const router = useRouter()
  const fill = () => {
    draft.write(draftOf(generation))
    router.push('/studio')
  }
  return (
    <Button variant="outline" size="small" onClick={fill}>
      <SlidersHorizontal aria-hidden="true" />
      Use these settings
    </Button>
  )
}
