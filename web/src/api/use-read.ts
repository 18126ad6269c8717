import type { CallInput, Data, Key } from '@candela/protocol/endpoints'
import { QueryClient, keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { forgetRefusals, read } from './read.ts'

/**
 * Reads stay fresh for ten seconds, are asked again when the window gets the focus, and are not retried by themselves. Answers are
 * kept as long as the screens that show them, which stay alive while they are hidden.
 */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 10_000, gcTime: Infinity, refetchOnWindowFocus: true } },
})

/** Answers that nothing on screen shows; more than all screens together ask for. What people type makes new ones without end. */
export const MAX_UNUSED_ANSWERS = 200

queryClient.getQueryCache().subscribe(({ type }) => {
  if (type !== 'added') return
  const cache = queryClient.getQueryCache()
  // Not those that are being asked for: their screen is about to show them.
  const unused = cache
    .findAll({ fetchStatus: 'idle' })
    .filter((query) => query.getObserversCount() === 0 && query.state.status !== 'pending')
  if (unused.length <= MAX_UNUSED_ANSWERS) return
  const oldest = unused.toSorted((one, other) => one.state.dataUpdatedAt - other.state.dataUpdatedAt)
  for (const query of oldest.slice(0, unused.length - MAX_UNUSED_ANSWERS)) cache.remove(query)
})

/** Public figures survive a change of account; everything else is removed. */
export const forgetAccount = (): void => {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'GET home/public' })
  forgetRefusals()
}

/** A quote changes nothing that anybody sees, so it is read like the rest, though it is a POST. */
export type ReadKey = Extract<Key, `GET ${string}` | 'POST exchange/quote'>

export type ReadOptions<K extends ReadKey> = {
  enabled?: boolean
  /**
   * Milliseconds until it is asked for again, or false; gets the last answer, why the last request failed if it did, and
   * when the answer came by the clock of this device, in milliseconds.
   */
  pollMs?: (data: Data<K> | undefined, error: Error | null, answeredAt: number) => number | false
  /** Codes shown in place. */
  handled?: readonly number[]
  /** Shows the last answer while another input is being asked for. */
  keepLast?: boolean
  /** Never shows an earlier answer: it would have expired. */
  uncached?: boolean
}

/** For what a screen shows: a read that stays current while it is on screen. Failures to connect are the screen's to show. */
export function useRead<K extends ReadKey>(
  key: K,
  input: CallInput<K>,
  options: ReadOptions<K> = {},
): UseQueryResult<Data<K>> {
  const { enabled = true, pollMs, handled = [], keepLast = false, uncached = false } = options
  return useQuery<Data<K>>({
    queryKey: [key, input],
    queryFn: ({ signal }) => read([key, input], key, input, { signal, handled }),
    enabled,
    refetchInterval: ({ state }) => pollMs?.(state.data, state.error, state.dataUpdatedAt) ?? false,
    ...(keepLast && { placeholderData: keepPreviousData }),
    ...(uncached && { staleTime: 0, gcTime: 0 }),
  })
}

/** For after a command: has these reads asked again, at once where they are on screen, elsewhere when they are shown next. */
export const invalidate = (...keys: readonly ReadKey[]): Promise<void> =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => keys.some((key) => key === queryKey[0]) })

/** After a command of which nobody knows here what it changes. */
export const invalidateAll = (): Promise<void> => queryClient.invalidateQueries()

/** For what another read has just answered: whoever shows it need not wait for its own turn to ask. */
export const setRead = <K extends ReadKey>(key: K, input: CallInput<K>, data: Data<K>): void =>
  void queryClient.setQueryData([key, input], data)
