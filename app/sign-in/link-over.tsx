import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { AuthFrame } from '@/components/auth-frame'
import { buttonVariants } from '@/components/ui/button-variants'

/** A link that was used, is too old, or never was: which of them is nobody's business. */
export async function LinkOver({ askAt }: { readonly askAt: string }) {
  const t = await getTranslations('signIn')
  return (
    <AuthFrame
      title={t('link.over')}
      lead={t('link.overLead')}
      other={
        <Link href="/sign-in" className="font-medium text-foreground underline underline-offset-4">
          {t('link.back')}
        </Link>
      }
    >
      <Link href={askAt} className={buttonVariants({ size: 'large' })}>
        {t('link.again')}
      </Link>
    </AuthFrame>
  )
}
