'use client'

import { useTranslations } from 'next-intl'
import { Notice } from './notice'
import { Button } from './ui/button'

type FailureNoticeProps = { readonly error: unknown; readonly retry: () => void }

/** For a page that could not be made. Nothing was lost by that, and it says so. */
export function FailureNotice({ error, retry }: FailureNoticeProps) {
  const t = useTranslations('common.error')
  const number = digestOf(error)
  const words = {
    title: t('title'),
    text: t('text'),
    number: number === undefined ? '' : t('number', { number }),
    again: t('again'),
    toStudio: t('toStudio'),
  }
  return <FailureWords words={words} retry={retry} />
}

type FailureWordsProps = {
  readonly words: Readonly<Record<'title' | 'text' | 'number' | 'again' | 'toStudio', string>>
  readonly retry: () => void
}

export function FailureWords({ words, retry }: FailureWordsProps) {
  return (
    <Notice
      code="500"
      title={words.title}
      action={
        <>
          <Button onClick={retry}>{words.again}</Button>
          <Button variant="outline" onClick={() => window.location.assign('/studio')}>
            {words.toStudio}
          </Button>
        </>
      }
    >
      {words.text} {words.number}
    </Notice>
  )
}

/** The number under which the server logged what went wrong. */
export function digestOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('digest' in error)) return undefined
  return typeof error.digest === 'string' ? error.digest : undefined
}
