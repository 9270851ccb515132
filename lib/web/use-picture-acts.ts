import { PICTURES_AT_ONCE_MAX } from '@/lib/domain/gallery'
import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Result } from '@/lib/domain/result'
import { forgetPictures } from './more-pictures'
import { toast } from './toast'
import { useDarkroom } from './use-darkroom'
import type { PictureView } from './views'

type Refusal = { readonly code: 'invalid-input' | 'signed-out' | 'noAnswer' }
type PictureActions = {
  readonly deletePictures: (
    ids: readonly string[],
  ) => Promise<Result<{ readonly deleted: readonly string[] }, Refusal>>
  readonly setFavourites: (
    ids: readonly string[],
    isOn: boolean,
  ) => Promise<Result<{ readonly changed: number }, Refusal>>
}

const NO_ANSWER: Refusal = { code: 'noAnswer' }

/** Whatever goes wrong on the way is a refusal: both acts may be asked for again. */
async function answered<Value>(
  act: Promise<Result<Value, Refusal>>,
): Promise<Result<Value, Refusal>> {
  return act.catch(() => ({ ok: false, refusal: NO_ANSWER }) as const)
}

/** What its owner does with pictures. A favourite shows at once, and is taken back if it was refused. */
export function usePictureActs({ deletePictures, setFavourites }: PictureActions) {
  const t = useTranslations('images')
  const darkroom = useDarkroom()
  const router = useRouter()
  const [marks, setMarks] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const [isDeleting, setDeleting] = useState(false)

  const reasonOf = ({ code }: Refusal) => t(`problem.${code}`, { max: PICTURES_AT_ONCE_MAX })
  const mark = (ids: readonly string[], isOn: boolean) =>
    setMarks((now) => new Map([...now, ...ids.map((id) => [id, isOn] as const)]))

  return {
    isDeleting,
    /** The pictures as they are after what was done since they were read. */
    applied: (pictures: readonly PictureView[]): readonly PictureView[] =>
      pictures
        .filter(({ attempt }) => !gone.has(attempt.id))
        .map((picture) => {
          const favourite = marks.get(picture.attempt.id)
          return favourite === undefined ? picture : { ...picture, favourite }
        }),
    async favour(ids: readonly string[], isOn: boolean): Promise<void> {
      mark(ids, isOn)
      const answer = await answered(setFavourites(ids, isOn))
      if (answer.ok) return
      mark(ids, !isOn)
      toast.error(t('problem.notChanged'), { description: reasonOf(answer.refusal) })
    },
    /** True: they are deleted. */
    async remove(ids: readonly string[]): Promise<boolean> {
      setDeleting(true)
      const answer = await answered(deletePictures(ids))
      setDeleting(false)
      if (!answer.ok) {
        toast.error(t('delete.failed'), { description: reasonOf(answer.refusal) })
        return false
      }
      const deleted = new Set(answer.value.deleted)
      setGone((now) => new Set([...now, ...deleted]))
      await forgetPictures(darkroom, deleted)
      router.refresh()
      toast.success(t('delete.done', { count: deleted.size }))
      return true
    },
  }
}
