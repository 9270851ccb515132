import { GeistMono } from 'geist/font/mono'
import { GeistSans } from 'geist/font/sans'
import type { Metadata, Viewport } from 'next'
import { getLocale, getTranslations } from 'next-intl/server'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { AwayWorker } from '@/components/away-worker'
import { ThemeProvider } from '@/components/theme-provider'
import { ClientMessages } from './translations/client-messages'
import './globals.css'

// Every page depends on who asks, and a build has no database to ask.
export const dynamic = 'force-dynamic'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('common')
  return {
    title: { default: 'Darkroom', template: '%s · Darkroom' },
    description: t('appDescription'),
  }
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f6f3ed' },
    { media: '(prefers-color-scheme: dark)', color: '#120d0a' },
  ],
}

export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  // Made by proxy.ts for this answer: an inline script without it does not run.
  const nonce = (await headers()).get('x-nonce') ?? undefined
  return (
    // The theme's class is set before React runs, so the server cannot know it.
    <html
      lang={await getLocale()}
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      suppressHydrationWarning
    >
      <body>
        <ClientMessages namespaces={['account', 'common', 'signIn']}>
          <ThemeProvider nonce={nonce}>{children}</ThemeProvider>
        </ClientMessages>
        <AwayWorker />
      </body>
    </html>
  )
}
