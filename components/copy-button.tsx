'use client'

import { Copy } from 'lucide-react'
import { toast } from '@/lib/web/toast'
import { Button } from './ui/button'

type CopyButtonProps = { readonly text: string; readonly what: string }

export function CopyButton({ text, what }: CopyButtonProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toast.success(`${what} copied`)
    } catch {
      // Refused by the browser, or no secure connection. The text can still be selected.
      toast.error(`Your browser does not allow copying. Select the text instead.`)
    }
  }
  return (
    <Button variant="outline" size="small" onClick={() => void copy()}>
      <Copy aria-hidden="true" />
      Copy {what.toLowerCase()}
    </Button>
  )
}
