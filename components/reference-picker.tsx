'use client'

import { ImagePlus, LoaderCircle, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useRef, useState, type ClipboardEvent, type DragEvent } from 'react'
import { cn } from '@/lib/web/class-names'
import { REFERENCE_TYPES, uploadReference, type UploadProblem } from '@/lib/web/upload-reference'

type ReferencePickerProps = {
  /** Digests of those that are chosen, in the order in which the model sees them. */
  readonly chosen: readonly string[]
  /** How many the model takes, one or more. */
  readonly most: number
  readonly onChange: (chosen: readonly string[]) => void
}

type Problem = { readonly file: string; readonly problem: UploadProblem | 'full' }

/** Images that the picture is made after: chosen, dropped or pasted, each uploaded at once. */
export function ReferencePicker({ chosen, most, onChange }: ReferencePickerProps) {
  const t = useTranslations('references')
  const input = useRef<HTMLInputElement>(null)
  const [problems, setProblems] = useState<readonly Problem[]>([])
  const [uploading, setUploading] = useState(0)
  const [isOver, setOver] = useState(false)
  const room = Math.max(0, most - chosen.length)

  const add = async (files: readonly File[]) => {
    if (files.length === 0 || uploading > 0) return
    const taken = files.slice(0, room)
    setProblems(files.slice(room).map(({ name }) => ({ file: name, problem: 'full' })))
    setUploading(taken.length)
    let next = chosen
    for (const file of taken) {
      const uploaded = await uploadReference(file)
      if (!uploaded.ok) {
        const { problem } = uploaded
        setProblems((before) => [...before, { file: file.name, problem }])
      } else if (!next.includes(uploaded.sha256)) {
        next = [...next, uploaded.sha256]
        onChange(next)
      }
      setUploading((left) => left - 1)
    }
  }
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length > 0) event.preventDefault()
    void add(files)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void add([...event.dataTransfer.files])
  }

  return (
    <fieldset
      onPaste={onPaste}
      onDrop={onDrop}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      className="flex flex-col gap-2"
    >
      <legend className="mb-2 flex w-full items-baseline justify-between text-sm font-medium">
        {t('title')}
        <span className="font-mono text-xs font-normal text-muted tabular-nums">
          {chosen.length} / {most}
        </span>
      </legend>
      <ol className="grid grid-cols-4 gap-2">
        {chosen.map((sha256, index) => (
          <li key={sha256} className={cn('relative', index >= most && 'opacity-40')}>
            <img
              src={`/api/reference-images/${sha256}`}
              alt={t('image', { number: index + 1 })}
              className="aspect-square w-full rounded-md border bg-film-paper object-cover"
            />
            <button
              type="button"
              aria-label={t('remove', { number: index + 1 })}
              onClick={() => onChange(chosen.filter((each) => each !== sha256))}
              className="absolute -top-2 -right-2 flex size-10 items-center justify-center"
            >
              <span className="flex size-6 items-center justify-center rounded-full border border-line-strong bg-surface">
                <X aria-hidden="true" className="size-3.5" />
              </span>
            </button>
          </li>
        ))}
        {room > 0 && (
          <li>
            <button
              type="button"
              disabled={uploading > 0}
              onClick={() => input.current?.click()}
              className={cn(
                'flex aspect-square w-full flex-col items-center justify-center gap-1 rounded-md border border-dashed text-xs text-muted transition-colors hover:border-muted hover:text-foreground',
                isOver ? 'border-foreground bg-raised' : 'border-line-strong',
              )}
            >
              {uploading > 0 ? (
                <LoaderCircle aria-hidden="true" className="size-5 animate-spin" />
              ) : (
                <ImagePlus aria-hidden="true" className="size-5" />
              )}
              {uploading > 0 ? t('uploading') : t('add')}
            </button>
          </li>
        )}
      </ol>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('choose')}
        accept={REFERENCE_TYPES}
        onChange={({ target }) => {
          void add([...(target.files ?? [])])
          // The same file can be chosen again after it was removed.
          target.value = ''
        }}
      />
      <p className="text-[0.8125rem] leading-snug text-muted">{t('hint')}</p>
      <div role="alert" className="empty:hidden">
        {problems.map(({ file, problem }) => (
          <p key={`${file} ${problem}`} className="text-sm break-words text-safelight-ink">
            {t(`problems.${problem}`, { file, most })}
          </p>
        ))}
      </div>
    </fieldset>
  )
}
