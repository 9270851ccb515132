import { getLocale, getTranslations } from 'next-intl/server'
import { awayPage, awayWorker } from '@/lib/web/away-worker'

/** The service worker, in the reader's language: another language is another script, which takes over. */
export async function GET(): Promise<Response> {
  const t = await getTranslations('common.away')
  const words = { title: t('title'), text: t('text'), again: t('again') }
  return new Response(awayWorker(awayPage(await getLocale(), words)), {
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
  })
}
