import { useInfiniteQuery, type QueryClient } from '@tanstack/react-query'
import { attemptsQuery } from './attempts-query'
import type { DarkroomClient } from './darkroom-client'
import { useDarkroom } from './use-darkroom'
import type { Page, PictureView } from './views'

type Pictures = Page<PictureView>

async function getPage(parameters: string, cursor: string, signal: AbortSignal): Promise<Pictures> {
  const query = new URLSearchParams(parameters)
  query.set('cursor', cursor)
  const response = await fetch(`/api/images?${query}`, { signal, cache: 'no-store' })
  if (!response.ok) throw new Error(`${response.status}`)
  const page = (await response.json()) as Pictures
  if (!Array.isArray(page.data)) throw new Error('not a page of pictures')
  return page
}

const KEPT_MS = 30 * 60 * 1_000

/**
 * What follows the first page, asked for page by page. It is kept while other pages are looked at, so
 * that going back finds the list as long as it was.
 */
export function useMorePictures(parameters: string, firstCursor: string | null) {
  const { accountId } = useDarkroom()
  const query = useInfiniteQuery({
    queryKey: ['pictures', accountId, parameters, firstCursor] as const,
    queryFn: ({ pageParam, signal }) => getPage(parameters, pageParam, signal),
    initialPageParam: firstCursor ?? '',
    getNextPageParam: (last) => last.next_cursor,
    enabled: false,
    retry: false,
    staleTime: Infinity,
    gcTime: KEPT_MS,
  })
  const pages = query.data?.pages ?? []
  const last = pages.at(-1)
  return {
    pictures: pages.flatMap(({ data }) => data),
    hasMore: (last ? last.next_cursor : firstCursor) !== null,
    isLoading: query.isFetching,
    isLost: query.isError,
    load: () => void query.fetchNextPage({ cancelRefetch: false }),
  }
}

/** Forgets deleted pictures wherever this tab remembers them. */
export async function forgetPictures(
  { queryClient, accountId }: Pick<DarkroomClient, 'queryClient' | 'accountId'>,
  gone: ReadonlySet<string>,
): Promise<void> {
  const { queryKey } = attemptsQuery(accountId)
  // An answer that is still under way was read before the deletion.
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(
    queryKey,
    (view) =>
      view && { ...view, attempts: view.attempts.filter((attempt) => !gone.has(attempt.id)) },
  )
  forgetPages(queryClient, accountId, gone)
  await queryClient.invalidateQueries({ queryKey })
}

function forgetPages(client: QueryClient, accountId: string, gone: ReadonlySet<string>): void {
  type Loaded = { readonly pages: readonly Pictures[]; readonly pageParams: readonly unknown[] }
  client.setQueriesData<Loaded>(
    { queryKey: ['pictures', accountId] },
    (loaded) =>
      loaded && {
        ...loaded,
        pages: loaded.pages.map((page) => ({
          ...page,
          data: page.data.filter(({ attempt }) => !gone.has(attempt.id)),
        })),
      },
  )
}
