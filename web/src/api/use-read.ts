import type { CallInput, Data, Key } from '@candela/protocol/endpoints'
import { QueryClient, keepPreviousData, useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { call } from './call.ts'
import { forgetRefusals, read } from './read.ts'

/** Reads are fresh for ten seconds, asked again when the window gets the focus, and never retried behind one's back. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 10_000, gcTime: 10 * 60_000, refetchOnWindowFocus: true } },
})

export const callKey = <K extends Key>(key: K, input: CallInput<K>) => [key, input] as const

/** Figures that belong to nobody survive a change of account; everything else is forgotten. */
export const forgetAccount = (): void => {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'GET home/public' })
  forgetRefusals()
}

export type ReadKey = Extract<Key, `GET ${string}`>

/** Has these reads asked again: at once where they are on screen, elsewhere when they are shown next. */
export const invalidate = (...keys: readonly ReadKey[]): Promise<void> =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => keys.some((key) => key === queryKey[0]) })

export type ReadOptions<K extends Key> = {
  enabled?: boolean
  /** Milliseconds until the next look, or false; gets what is known so far and why the last look failed, if it did. */
  pollMs?: (data: Data<K> | undefined, error: Error | null) => number | false
  /** Codes shown in place. */
  handled?: readonly number[]
  /** Shows the last answer while another input is being asked for. */
  keepLast?: boolean
}

/** A read that stays current while it is on screen. Failures to connect are for the screen to show. */
export function useRead<K extends ReadKey>(
  key: K,
  input: CallInput<K>,
  options: ReadOptions<K> = {},
): UseQueryResult<Data<K>> {
  const { enabled = true, pollMs, handled = [], keepLast = false } = options
  return useQuery<Data<K>>({
    queryKey: callKey(key, input),
    queryFn: ({ signal }) => read([key, input], key, input, { signal, handled }),
    enabled,
    refetchInterval: (query) => pollMs?.(query.state.data, query.state.error) ?? false,
    ...(keepLast && { placeholderData: keepPreviousData }),
  })
}

/** The same outside of components: from the cache while fresh. */
export const readOnce = <K extends ReadKey>(key: K, input: CallInput<K>): Promise<Data<K>> =>
  queryClient.fetchQuery({ queryKey: callKey(key, input), queryFn: () => call(key, input), staleTime: 60_000 })
