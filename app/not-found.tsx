import { getTranslations } from 'next-intl/server'
import { useTranslations } from 'next-intl'
import type { Metadata } from 'next'
import { Notice } from '@/components/notice'
import { buttonVariants } from '@/components/ui/button-variants'
import { WordmarkSign } from '@/components/wordmark-sign'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('common'))('notFound.short') }
}

// Plain links: every page carries this one, and the router's own would weigh as much as all of it.
export default function NotFound() {
  const t = useTranslations('common')
  return (
    <main className="mx-auto max-w-3xl px-4 py-4 sm:px-6">
      <a href="/" className="inline-block rounded-sm">
        <WordmarkSign />
      </a>
      <Notice
        code="404"
        title={t('notFound.title')}
        action={
          <>
            <a href="/studio" className={buttonVariants()}>
              {t('error.toStudio')}
            </a>
            <a href="/images" className={buttonVariants({ variant: 'outline' })}>
              {t('notFound.images')}
            </a>
          </>
        }
      >
        {t('notFound.text')}
      </Notice>
    </main>
  )
}
