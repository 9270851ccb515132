'use client'

import { useTranslations } from 'next-intl'
import { promptIdeas } from '@/lib/web/prompt-ideas'

type PromptIdeasProps = { readonly onChoose: (prompt: string) => void }

/** Each fills the prompt, and buys nothing. */
export function PromptIdeas({ onChoose }: PromptIdeasProps) {
  const t = useTranslations('studio.ideas')
  return (
    <ul aria-label={t('label')} className="grid w-full max-w-2xl gap-2 sm:grid-cols-2">
      {promptIdeas.map((idea) => (
        <li key={idea} className="flex">
          <button
            type="button"
            className="min-h-11 w-full rounded-md border border-line-strong/60 bg-surface px-3.5 py-2.5 text-start text-sm leading-snug transition-colors hover:border-muted"
            onClick={() => {
              onChoose(t(idea))
              document.getElementById('prompt')?.focus()
            }}
          >
            {t(idea)}
          </button>
        </li>
      ))}
    </ul>
  )
}
