'use client'

import { useTranslations } from 'next-intl'
import { Download, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { deletePicturesAction, setFavouritesAction } from '@/app/(app)/images/actions'
import { pictureFileName } from '@/lib/domain/file-name'
import { usePictureActs } from '@/lib/web/use-picture-acts'
import { useLiveAttempt } from '@/lib/web/use-darkroom'
import type { PictureView } from '@/lib/web/views'
import { DeleteDialog } from './delete-dialog'
import { Button } from './ui/button'
import { buttonVariants } from './ui/button-variants'

/** What its owner can do with a picture that is there. */
export function PictureActions({ picture }: { readonly picture: PictureView }) {
  const t = useTranslations('images')
  const attempt = useLiveAttempt(picture.attempt)
  const [isAsking, setAsking] = useState(false)
  const acts = usePictureActs({
    deletePictures: deletePicturesAction,
    setFavourites: setFavouritesAction,
  })
  const favourite = acts.applied([picture])[0]?.favourite ?? false
  const { artwork, prompt, id } = attempt
  if (!artwork) return null
  const confirm = async () => {
    await acts.remove([id])
    setAsking(false)
  }
  return (
    <>
      <Button
        variant="outline"
        size="small"
        aria-pressed={favourite}
        onClick={() => void acts.favour([id], !favourite)}
      >
        <Star aria-hidden="true" className={favourite ? 'fill-current' : undefined} />
        {t('favourite.add')}
      </Button>
      <a
        href={artwork.url}
        download={pictureFileName({ prompt, id, contentType: artwork.content_type })}
        className={buttonVariants({ variant: 'outline', size: 'small' })}
      >
        <Download aria-hidden="true" />
        {t('download')}
      </a>
      <Button variant="outline" size="small" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" />
        {t('delete.start')}
      </Button>
      {isAsking && (
        <DeleteDialog
          count={1}
          isDeleting={acts.isDeleting}
          onConfirm={() => void confirm()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
