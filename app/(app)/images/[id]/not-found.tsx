import { useTranslations } from 'next-intl'
import Link from 'next/link'
import { Notice } from '@/components/notice'
import { buttonVariants } from '@/components/ui/button-variants'

export default function ImageNotFound() {
  const t = useTranslations('images.notFound')
  return (
    <Notice
      code="404"
      title={t('title')}
      action={
        <Link href="/images" className={buttonVariants()}>
          {t('action')}
        </Link>
      }
    >
      {t('text')}
    </Notice>
  )
}
