'use client'

import { attemptWords } from '@/lib/web/attempt-words'
import { useWords } from '@/lib/web/use-words'
import type { AttemptView } from '@/lib/web/views'

/** What is known of an attempt and of its credits, in one line. */
export function AttemptSentence({ attempt }: { readonly attempt: AttemptView }) {
  const say = useWords()
  const { text, money } = attemptWords(attempt)
  return (
    <span className="text-muted">
      {say(text)} {say(money)}
    </span>
  )
}
