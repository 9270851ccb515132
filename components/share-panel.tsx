'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { sharePictureAction, withdrawShareAction } from '@/app/(app)/images/actions'
import { toast } from '@/lib/web/toast'
import type { ShareView } from '@/lib/web/views'
import { CopyButton } from './copy-button'
import { Button } from './ui/button'
import { Input } from './ui/input'

type SharePanelProps = {
  readonly attemptId: string
  /** The link that there is already. */
  readonly share: ShareView | undefined
  /** Where this site is, as others reach it. */
  readonly origin: string
}

/** A link under which anybody sees the picture, for as long as its owner wants. */
export function SharePanel({ attemptId, share: rendered, origin }: SharePanelProps) {
  const t = useTranslations('share')
  const [share, setShare] = useState(rendered)
  const [isBusy, setBusy] = useState(false)

  const change = async (act: () => Promise<ShareView | undefined | null>, failed: string) => {
    setBusy(true)
    // Null, and no answer at all: nothing is known to have changed, and asking again does no harm.
    const next = await act().catch(() => null)
    setBusy(false)
    if (next === null) toast.error(failed, { description: t('tryAgain') })
    else setShare(next)
  }
  const make = (showsPrompt: boolean) =>
    void change(() => sharePictureAction(attemptId, showsPrompt), t('notShared'))
  const withdraw = () =>
    void change(
      async () => ((await withdrawShareAction(attemptId)) ? undefined : null),
      t('notWithdrawn'),
    )

  if (!share) {
    return (
      <>
        <p className="text-sm text-muted">{t('lead')}</p>
        <div>
          <Button
            variant="outline"
            disabled={isBusy}
            focusableWhenDisabled
            onClick={() => make(false)}
          >
            {t('make')}
          </Button>
        </div>
      </>
    )
  }
  const url = new URL(share.url, origin).href
  return (
    <>
      <Input
        readOnly
        value={url}
        aria-label={t('link')}
        onFocus={({ target }) => target.select()}
        className="font-mono text-[0.8125rem]!"
      />
      <label className="flex min-h-10 items-center gap-2.5 text-sm">
        <input
          type="checkbox"
          checked={share.shows_prompt}
          disabled={isBusy}
          onChange={({ target }) => make(target.checked)}
          className="size-4 accent-foreground"
        />
        {t('showPrompt')}
      </label>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={url} name={t('copy')} copied={t('copied')} />
        <Button
          variant="outline"
          size="small"
          disabled={isBusy}
          focusableWhenDisabled
          onClick={withdraw}
        >
          {t('withdraw')}
        </Button>
      </div>
    </>
  )
}
