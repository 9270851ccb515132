'use client'

import { ThemeProvider as NextThemes } from 'next-themes'
import { useState, type ReactNode } from 'react'

type ThemeProviderProps = { readonly nonce: string | undefined; readonly children: ReactNode }

/** Sets the theme before the first paint, from what the person chose or the system says. */
export function ThemeProvider({ nonce, children }: ThemeProviderProps) {
  // A refreshed page brings the nonce of another answer; the document goes by its own.
  const [own] = useState(nonce)
  return (
    <NextThemes
      attribute="class"
      defaultTheme="system"
      enableSystem
      disableTransitionOnChange
      {...(own === undefined ? {} : { nonce: own })}
    >
      {children}
    </NextThemes>
  )
}
