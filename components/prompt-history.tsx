'use client'

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
  const { accountId } = useDarkroom()
  const { data, isPending, isError } = useQuery(promptsQuery(accountId))
  const [query, setQuery] = useState('')
  const found = searchPrompts(data ?? [], query)
  return (
    <Dialog title="Your prompts" onClose={onClose}>
      <Input
        type="search"
        autoFocus
        aria-label="Search your prompts"
        placeholder="Search your last 100 prompts"
        className="h-11!"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <p role="status" className="text-sm text-muted">
        {isPending && 'Reading your prompts…'}
        {isError && 'No answer. Close this and open it again.'}
        {data &&
          found.length === 0 &&
          (data.length === 0 ? 'No prompts yet.' : 'None has these words.')}
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
