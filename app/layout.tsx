import { GeistMono } from 'geist/font/mono'
import { GeistSans } from 'geist/font/sans'
import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { ThemeProvider } from '@/components/theme-provider'
import './globals.css'

// Every page depends on who asks, and a build has no database to ask.
export const dynamic = 'force-dynamic'

export const metadata: Metadata = {
  title: { default: 'Darkroom', template: '%s · Darkroom' },
  description: 'Generate images. One click is one picture, and you pay only for what is delivered.',
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f6f3ed' },
    { media: '(prefers-color-scheme: dark)', color: '#120d0a' },
  ],
}

export default function RootLayout({ children }: { readonly children: ReactNode }) {
  return (
    // The theme's class is set before React runs, so the server cannot know it.
    <html
      lang="en"
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      suppressHydrationWarning
    >
      <body>
        <ThemeProvider>{children}</ThemeProvider>
      </body>
    </html>
  )
}
