import { useTranslations } from 'next-intl'
import { Notice } from '@/components/notice'
import { Wordmark } from '@/components/wordmark'

export default function SharedNotFound() {
  const t = useTranslations('share.notFound')
  return (
    <main className="mx-auto max-w-3xl px-4 py-4 sm:px-6">
      <Wordmark href="/" />
      <Notice code="404" title={t('title')} action={null}>
        {t('text')}
      </Notice>
    </main>
  )
}
