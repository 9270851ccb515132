'use client'

import { useTheme } from 'next-themes'
import { useEffect } from 'react'
import { toast, Toaster as Sonner } from 'sonner'
import { attachBoard, type Message } from '@/lib/web/toast'

const show = ({ kind, title, ...options }: Message) => void toast[kind](title, options)

export function Toaster() {
  const { resolvedTheme } = useTheme()
  useEffect(() => attachBoard({ wake: () => undefined, show }), [])
  return (
    <Sonner
      theme={resolvedTheme === 'light' ? 'light' : 'dark'}
      position="bottom-right"
      closeButton
      style={{ fontFamily: 'var(--font-sans)' }}
      toastOptions={{
        style: {
          background: 'var(--surface)',
          color: 'var(--foreground)',
          borderColor: 'var(--line-strong)',
        },
      }}
    />
  )
}
