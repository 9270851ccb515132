'use client'

import { useTranslations } from 'next-intl'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { promptsQuery, searchPrompts } from '@/lib/web/prompts-query'
import { useDarkroom } from '@/lib/web/use-darkroom'
import { Dialog } from './ui/dialog'
import { Input } from './ui/input'

type PromptHistoryProps = {
  readonly onChoose: (prompt: string) => void
  readonly onClose: () => void
}

/** The account's last prompts. Choosing one fills the prompt, and nothing else. */
export function PromptHistory({ onChoose, onClose }: PromptHistoryProps) {
  const t = useTranslations('studio.history')
  const { accountId } = useDarkroom()
  const { data, isPending, isError } = useQuery(promptsQuery(accountId))
  const [query, setQuery] = useState('')
  const found = searchPrompts(data ?? [], query)
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <Input
        type="search"
        autoFocus
        aria-label={t('search')}
        placeholder={t('hint')}
        className="h-11!"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <p role="status" className="text-sm text-muted">
        {isPending && t('reading')}
        {isError && t('lost')}
        {data && found.length === 0 && t(data.length === 0 ? 'none' : 'notFound')}
      </p>
      {found.length > 0 && (
        <ul className="-mx-2 flex min-h-0 flex-col overflow-y-auto">
          {found.map((prompt) => (
            <li key={prompt}>
              <button
                type="button"
                dir="auto"
                className="block min-h-11 w-full rounded-md px-3 py-2.5 text-start text-sm leading-snug break-words hover:bg-raised focus-visible:outline-offset-[-2px]"
                onClick={() => {
                  onChoose(prompt)
                  onClose()
                }}
              >
                <span className="line-clamp-3 whitespace-pre-line">{prompt}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
