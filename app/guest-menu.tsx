import { useTranslations } from 'next-intl'
import Link from 'next/link'
import { LanguageSelect } from '@/components/language-select'
import { buttonVariants } from '@/components/ui/button-variants'

/** For somebody without an account: how to keep what was made, or to get back to what is kept. */
export function GuestMenu() {
  const t = useTranslations('common.guest')
  return (
    <div className="flex items-center gap-1">
      <LanguageSelect />
      <Link
        href="/sign-in"
        className={`${buttonVariants({ variant: 'ghost', size: 'small' })} max-sm:hidden!`}
      >
        {t('signIn')}
      </Link>
      <Link href="/sign-up" className={buttonVariants({ variant: 'outline', size: 'small' })}>
        {t('createAccount')}
      </Link>
    </div>
  )
}
