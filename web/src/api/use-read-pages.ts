import type { CallInput, Data, Key } from '@candela/protocol/endpoints'
import { DEFAULT_PAGE_LIMIT } from '@candela/protocol/page'
import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { read } from './read.ts'

/** Reads that answer page by page. */
type PagedKey = {
  [K in Key]: Data<K> extends { items: unknown[]; nextCursor: string | null } ? K : never
}[Key]

type PageInput<K extends PagedKey> = Omit<CallInput<K>, 'cursor' | 'limit'>
type Pages<K extends PagedKey> = UseInfiniteQueryResult<InfiniteData<Data<K>, string | null>>

const PAGE_SIZE = String(DEFAULT_PAGE_LIMIT)

/** For lists: a read that grows as it is scrolled. Asking again asks for every page that is shown, so that none is stale. */
export function useReadPages<K extends PagedKey>(
  key: K,
  input: PageInput<K>,
  pollMs?: (pages: readonly Data<K>[]) => number | false,
): Pages<K> {
  return useInfiniteQuery<Data<K>, Error, InfiniteData<Data<K>, string | null>, readonly unknown[], string | null>({
    queryKey: [key, 'pages', input],
    queryFn: ({ pageParam, signal }) => {
      const page = { ...input, limit: PAGE_SIZE, ...(pageParam !== null && { cursor: pageParam }) }
      return read([key, 'pages', input], key, page as CallInput<K>, { signal })
    },
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: (query) => pollMs?.(query.state.data?.pages ?? []) ?? false,
  })
}
