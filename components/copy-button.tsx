'use client'

import { useTranslations } from 'next-intl'
import { Copy } from 'lucide-react'
import { toast } from '@/lib/web/toast'
import { Button } from './ui/button'

type CopyButtonProps = {
  readonly text: string
  readonly name: string
  /** What is said once it is copied. */
  readonly copied: string
}

export function CopyButton({ text, name, copied }: CopyButtonProps) {
  const t = useTranslations('images.page')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toast.success(copied)
    } catch {
      // Refused by the browser, or no secure connection. The text can still be selected.
      toast.error(t('copyRefused'))
    }
  }
  return (
    <Button variant="outline" size="small" onClick={() => void copy()}>
      <Copy aria-hidden="true" />
      {name}
    </Button>
  )
}
