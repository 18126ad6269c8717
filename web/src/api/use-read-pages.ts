import type { CallInput, Data, Key } from '@candela/protocol/endpoints'
import { DEFAULT_PAGE_LIMIT } from '@candela/protocol/page'
import {
  useInfiniteQuery,
  type InfiniteData,
  type QueryClient,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import { read } from './read.ts'

/** Reads that answer page by page. */
type PagedKey = {
  [K in Key]: Data<K> extends { items: unknown[]; nextCursor: string | null } ? K : never
}[Key]

type PageInput<K extends PagedKey> = Omit<CallInput<K>, 'cursor' | 'limit'>
type Pages<K extends PagedKey> = UseInfiniteQueryResult<InfiniteData<Data<K>, string | null>>

const PAGE_SIZE = String(DEFAULT_PAGE_LIMIT)

type Cached<K extends PagedKey> = InfiniteData<Data<K>, string | null>

/** A refresh asks for at most so many pages: all of them, after scrolling far, could exceed the rate limits. */
export const REFRESHED_PAGES = 3

/** How a list is asked for. Exported for its test. */
export function pagesOptions<K extends PagedKey>(key: K, input: PageInput<K>) {
  const queryKey: readonly unknown[] = [key, 'pages', input]
  /** How many pages each request was answered with; asking again is one request with all pages, the next page is one by itself. */
  const answered = new WeakMap<AbortSignal, number>()
  const lastOnes = new WeakSet<object>()

  return {
    queryKey,
    queryFn: async ({
      pageParam,
      signal,
      client,
    }: {
      pageParam: string | null
      signal: AbortSignal
      client: QueryClient
    }) => {
      const count = (answered.get(signal) ?? 0) + 1
      answered.set(signal, count)
      const cached = client.getQueryData<Cached<K>>(queryKey)
      const known = cached?.pages[cached.pageParams.indexOf(pageParam)]
      if (count > REFRESHED_PAGES && known !== undefined) return known
      const fields = { ...input, limit: PAGE_SIZE, ...(pageParam !== null && { cursor: pageParam }) }
      const page = await read(queryKey, key, fields as CallInput<K>, { signal })
      const isCut = count === REFRESHED_PAGES && (cached?.pages.length ?? 0) > REFRESHED_PAGES
      // The pages after it begin elsewhere now: they are dropped, and fetched again when they are scrolled to.
      if (isCut && cached?.pageParams.includes(page.nextCursor) === false) lastOnes.add(page)
      return page
    },
    initialPageParam: null as string | null,
    // Asked once while the list is refreshed, and then for what is shown.
    getNextPageParam: (page: Data<K>) => (lastOnes.delete(page) ? null : page.nextCursor),
  }
}

/**
 * For lists: a read that grows as it is scrolled. Asking again asks for the first pages that are shown. Those after them stay
 * as they were where they still follow, and else are dropped until they are scrolled to. `pollMs` gets the first pages.
 */
export function useReadPages<K extends PagedKey>(
  key: K,
  input: PageInput<K>,
  pollMs?: (pages: readonly Data<K>[]) => number | false,
): Pages<K> {
  const name = JSON.stringify([key, input])
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the same input is another object at each rendering
  const options = useMemo(() => pagesOptions(key, input), [name])
  return useInfiniteQuery<Data<K>, Error, InfiniteData<Data<K>, string | null>, readonly unknown[], string | null>({
    ...options,
    refetchInterval: (query) => pollMs?.(query.state.data?.pages.slice(0, REFRESHED_PAGES) ?? []) ?? false,
  })
}
