import { queryOptions } from '@tanstack/react-query'
import { isRecord } from './browser-storage'

/** The prompts that matter to what is typed: all its words, in any order and case. */
export function searchPrompts(prompts: readonly string[], query: string): readonly string[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return prompts.filter((prompt) => {
    const text = prompt.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

export function parsePrompts(body: unknown): readonly string[] {
  const prompts = isRecord(body) ? body['prompts'] : undefined
  if (!Array.isArray(prompts)) throw new Error('not a list of prompts')
  return prompts.filter((prompt) => typeof prompt === 'string')
}

/** The account's last prompts, asked for anew each time that the list is opened. */
export const promptsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['prompts', accountId],
    retry: false,
    networkMode: 'always',
    queryFn: async ({ signal }) => {
      const response = await fetch(`/api/prompts?account=${accountId}`, {
        signal,
        cache: 'no-store',
      })
      if (!response.ok) throw new Error(`prompts: ${response.status}`)
      return parsePrompts(await response.json())
    },
  })
