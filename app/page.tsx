import { getTranslations } from 'next-intl/server'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { LanguageSelect } from '@/components/language-select'
import { ThemeToggle } from '@/components/theme-toggle'
import { buttonVariants } from '@/components/ui/button-variants'
import { WelcomeSheet } from '@/components/welcome-sheet'
import { Wordmark } from '@/components/wordmark'
import { findUser } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { environment } from '@/lib/env'

const PROMISES = ['one', 'hold', 'honest'] as const

export default async function WelcomePage() {
  if (await findUser()) redirect('/studio')
  const takesGuests = environment().GUESTS === 'on' && deps().dailyAllowance > 0
  const t = await getTranslations('welcome')
  return (
    <div className="mx-auto flex min-h-dvh max-w-7xl flex-col px-4 sm:px-6 lg:px-10">
      <header className="flex h-16 items-center justify-between">
        <Wordmark href="/" />
        <div className="flex items-center gap-1">
          <LanguageSelect />
          <ThemeToggle />
          <Link href="/sign-in" className={buttonVariants({ variant: 'ghost' })}>
            {t('signIn')}
          </Link>
        </div>
      </header>
      <main className="flex flex-1 flex-col justify-center gap-12 py-10 lg:gap-20 lg:py-14">
        <div className="grid items-center gap-12 lg:grid-cols-[1.05fr_1fr] lg:gap-20">
          <div className="flex flex-col gap-7">
            <h1 className="text-4xl leading-[1.05] font-medium tracking-[-0.03em] text-balance sm:text-5xl xl:text-6xl">
              {t('title')}
            </h1>
            <p className="max-w-xl text-lg leading-relaxed text-pretty text-muted">{t('lead')}</p>
            <div className="flex flex-wrap gap-3">
              <Link href="/sign-up" className={buttonVariants({ size: 'large' })}>
                {t('createAccount')}
              </Link>
              <Link
                href="/sign-in"
                className={buttonVariants({ variant: 'outline', size: 'large' })}
              >
                {t('signIn')}
              </Link>
            </div>
            {takesGuests && (
              <p className="text-sm text-muted">
                {t.rich('guest', {
                  count: deps().dailyAllowance,
                  link: (words) => (
                    <Link
                      href="/studio"
                      className="font-medium text-foreground underline underline-offset-4"
                    >
                      {words}
                    </Link>
                  ),
                })}
              </p>
            )}
          </div>
          <WelcomeSheet />
        </div>
        <ul className="grid gap-x-12 gap-y-6 border-t pt-8 sm:grid-cols-3">
          {PROMISES.map((name) => (
            <li key={name} className="flex flex-col gap-1.5">
              <h2 className="font-medium">{t(`promise.${name}.title`)}</h2>
              <p className="text-sm leading-relaxed text-pretty text-muted">
                {t(`promise.${name}.text`)}
              </p>
            </li>
          ))}
        </ul>
      </main>
    </div>
  )
}
