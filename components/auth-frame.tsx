import type { ReactNode } from 'react'
import { LanguageSelect } from './language-select'
import { ThemeToggle } from './theme-toggle'
import { WelcomeSheet } from './welcome-sheet'
import { Wordmark } from './wordmark'

type AuthFrameProps = {
  readonly title: string
  readonly lead: ReactNode
  readonly children: ReactNode
  readonly other: ReactNode
}

export function AuthFrame({ title, lead, children, other }: AuthFrameProps) {
  return (
    <div className="mx-auto flex min-h-dvh max-w-7xl flex-col px-4 sm:px-6 lg:px-10">
      <header className="flex h-16 items-center justify-between">
        <Wordmark href="/" />
        <div className="flex items-center gap-0.5">
          <LanguageSelect />
          <ThemeToggle />
        </div>
      </header>
      <main className="grid flex-1 items-center gap-20 py-10 lg:grid-cols-[minmax(0,24rem)_1fr]">
        <div className="mx-auto flex w-full max-w-sm flex-col gap-7">
          <div className="flex flex-col gap-2">
            <h1 className="text-3xl font-medium tracking-tight">{title}</h1>
            <p className="leading-relaxed text-muted">{lead}</p>
          </div>
          {children}
          <p className="text-sm text-muted">{other}</p>
        </div>
        <WelcomeSheet className="ml-auto hidden w-full max-w-xl lg:block" />
      </main>
    </div>
  )
}
