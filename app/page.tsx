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

const PROMISES = [
  {
    title: 'One click, one picture',
    text: 'A reload, a lost connection or a second click never buys the same picture twice.',
  },
  {
    title: 'A hold is not a charge',
    text: 'The price is set aside while we work, and becomes a charge when the picture is yours.',
  },
  {
    title: 'Honest about what we know',
    text: 'When an answer gets lost we say so and find out. Nothing is called failed until it is.',
  },
] as const

export default async function WelcomePage() {
  if (await findUser()) redirect('/studio')
  const takesGuests = environment().GUESTS === 'on' && deps().dailyAllowance > 0
  return (
    <div className="mx-auto flex min-h-dvh max-w-7xl flex-col px-4 sm:px-6 lg:px-10">
      <header className="flex h-16 items-center justify-between">
        <Wordmark href="/" />
        <div className="flex items-center gap-1">
          <LanguageSelect />
          <ThemeToggle />
          <Link href="/sign-in" className={buttonVariants({ variant: 'ghost' })}>
            Sign in
          </Link>
        </div>
      </header>
      <main className="flex flex-1 flex-col justify-center gap-12 py-10 lg:gap-20 lg:py-14">
        <div className="grid items-center gap-12 lg:grid-cols-[1.05fr_1fr] lg:gap-20">
          <div className="flex flex-col gap-7">
            <h1 className="text-4xl leading-[1.05] font-medium tracking-[-0.03em] text-balance sm:text-5xl xl:text-6xl">
              Describe a picture. Watch it develop.
            </h1>
            <p className="max-w-xl text-lg leading-relaxed text-pretty text-muted">
              Darkroom makes images from your words, one deliberate click at a time. You see what
              each costs before you press, and you pay only for what is delivered.
            </p>
            <div className="flex flex-wrap gap-3">
              <Link href="/sign-up" className={buttonVariants({ size: 'large' })}>
                Create account
              </Link>
              <Link
                href="/sign-in"
                className={buttonVariants({ variant: 'outline', size: 'large' })}
              >
                Sign in
              </Link>
            </div>
            {takesGuests && (
              <p className="text-sm text-muted">
                Or{' '}
                <Link
                  href="/studio"
                  className="font-medium text-foreground underline underline-offset-4"
                >
                  try it without an account
                </Link>
                : {deps().dailyAllowance} free images a day, kept when you sign up.
              </p>
            )}
          </div>
          <WelcomeSheet />
        </div>
        <ul className="grid gap-x-12 gap-y-6 border-t pt-8 sm:grid-cols-3">
          {PROMISES.map(({ title, text }) => (
            <li key={title} className="flex flex-col gap-1.5">
              <h2 className="font-medium">{title}</h2>
              <p className="text-sm leading-relaxed text-pretty text-muted">{text}</p>
            </li>
          ))}
        </ul>
      </main>
    </div>
  )
}
