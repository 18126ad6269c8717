import type { CallInput, Data, Key } from '@candela/protocol/endpoints'
import { DEFAULT_PAGE_LIMIT } from '@candela/protocol/page'
import {
  focusManager,
  useInfiniteQuery,
  type InfiniteData,
  type QueryClient,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
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

/** A list that was shown for less than this when the window gets the focus again is not asked for, in milliseconds. */
const FRESH_MS = 10_000

/** How a list is asked for. Exported for its test. */
export function pagesOptions<K extends PagedKey>(key: K, input: PageInput<K>) {
  const queryKey: readonly unknown[] = [key, 'pages', input]
  /** The pages that each request has had so far; asking again is one request with all pages, the next page is one by itself. */
  const requests = new WeakMap<AbortSignal, { count: number; pagesToAsk: number }>()
  const lastOnes = new WeakSet<object>()
  let pagesOfNext = REFRESHED_PAGES

  return {
    queryKey,
    refetchOnWindowFocus: false,
    /** For whoever returns to the tab: the next refresh asks for the first page alone. */
    askForOnePage: () => void (pagesOfNext = 1),
    queryFn: async ({
      pageParam,
      signal,
      client,
    }: {
      pageParam: string | null
      signal: AbortSignal
      client: QueryClient
    }) => {
      const before = requests.get(signal) ?? { count: 0, pagesToAsk: pagesOfNext }
      if (before.count === 0) pagesOfNext = REFRESHED_PAGES
      const { count, pagesToAsk } = { ...before, count: before.count + 1 }
      requests.set(signal, { count, pagesToAsk })
      const cached = client.getQueryData<Cached<K>>(queryKey)
      const known = cached?.pages[cached.pageParams.indexOf(pageParam)]
      if (count > pagesToAsk && known !== undefined) return known
      const fields = { ...input, limit: PAGE_SIZE, ...(pageParam !== null && { cursor: pageParam }) }
      const page = await read(queryKey, key, fields as CallInput<K>, { signal })
      const isLastAsked = count === pagesToAsk && (cached?.pages.length ?? 0) > pagesToAsk
      if (!isLastAsked || cached?.pageParams.includes(page.nextCursor) !== false) return page
      const joined = join(page, cached.pages.slice(0, pagesToAsk))
      // Too much is new: the pages after it are dropped, and fetched again when they are scrolled to.
      if (joined === null) lastOnes.add(page)
      return joined ?? page
    },
    initialPageParam: null as string | null,
    // Asked once while the list is refreshed, and then for what is shown.
    getNextPageParam: (page: Data<K>) => (lastOnes.delete(page) ? null : page.nextCursor),
  }
}

/** A page with the lines that follow it in the page of before in which it ends now; null when it ends in none of them. */
function join<P extends { items: readonly unknown[]; nextCursor: string | null }>(
  page: P,
  before: readonly P[],
): P | null {
  const last = JSON.stringify(page.items.at(-1))
  for (const { items, nextCursor } of before) {
    const at = items.findIndex((item) => JSON.stringify(item) === last)
    if (at >= 0) return { ...page, items: [...page.items, ...items.slice(at + 1)], nextCursor }
  }
  return null
}

/**
 * For lists: a read that grows as it is scrolled. Asking again asks for the first pages that are shown, and a return to the
 * tab for the first alone. Those after them stay as they were while they still follow, so that nobody loses the place that
 * was scrolled to. `pollMs` gets the first pages.
 */
export function useReadPages<K extends PagedKey>(
  key: K,
  input: PageInput<K>,
  pollMs?: (pages: readonly Data<K>[]) => number | false,
): Pages<K> {
  const name = JSON.stringify([key, input])
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the same input is another object at each rendering
  const { askForOnePage, ...options } = useMemo(() => pagesOptions(key, input), [name])
  const pages = useInfiniteQuery<
    Data<K>,
    Error,
    InfiniteData<Data<K>, string | null>,
    readonly unknown[],
    string | null
  >({
    ...options,
    refetchInterval: (query) => pollMs?.(query.state.data?.pages.slice(0, REFRESHED_PAGES) ?? []) ?? false,
  })
  const { refetch, dataUpdatedAt } = pages
  useEffect(
    () =>
      focusManager.subscribe((isFocused) => {
        if (!isFocused || Date.now() - dataUpdatedAt < FRESH_MS) return
        askForOnePage()
        void refetch({ cancelRefetch: false })
      }),
    [askForOnePage, dataUpdatedAt, refetch],
  )
  return pages
}
