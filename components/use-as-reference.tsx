'use client'

import { ImagePlus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { draftOf } from '@/lib/web/draft'
import { toast } from '@/lib/web/toast'
import { fetchPicture, uploadReference } from '@/lib/web/upload-reference'
import { useDarkroom, useLiveAttempt } from '@/lib/web/use-darkroom'
import type { AttemptView } from '@/lib/web/views'
import { Button } from './ui/button'

/** Puts this picture among those that the next one is made after. Sends nothing but the picture. */
export function UseAsReference({ attempt: rendered }: { readonly attempt: AttemptView }) {
  const t = useTranslations('references')
  const attempt = useLiveAttempt(rendered)
  const { draft } = useDarkroom()
  const router = useRouter()
  const [isBusy, setBusy] = useState(false)
  if (!attempt.artwork) return null

  const use = async () => {
    setBusy(true)
    const picture = await fetchPicture(attempt.id)
    const uploaded = picture && (await uploadReference(picture))
    setBusy(false)
    if (!uploaded?.ok) {
      const problem = uploaded?.problem ?? 'no-answer'
      toast.error(t(`problems.${problem}`, { file: t('thisPicture'), most: 0 }))
      return
    }
    const wish = draft.read() ?? draftOf(attempt, 'new')
    const others = wish.referenceImages.filter((sha256) => sha256 !== uploaded.sha256)
    draft.write({ ...wish, referenceImages: [uploaded.sha256, ...others] })
    router.push('/studio')
  }
  return (
    <Button
      variant="outline"
      size="small"
      disabled={isBusy}
      focusableWhenDisabled
      onClick={() => void use()}
    >
      <ImagePlus aria-hidden="true" />
      {t('use')}
    </Button>
  )
}
