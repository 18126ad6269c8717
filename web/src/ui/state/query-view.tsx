import type { ReactNode } from 'react'
import { SlowNote } from './slow-note.tsx'
import { FailedView, OfflineView } from './state-view.tsx'

/** The part of a query that this needs; every read has it. */
export type QueryState<T> = {
  data: T | undefined
  error: unknown
  fetchStatus: 'fetching' | 'paused' | 'idle'
  refetch: () => Promise<unknown>
}

type Props<T> = {
  query: QueryState<T>
  /** In about the size of what will come, so that nothing jumps when it does. */
  loading: ReactNode
  /** Instead of an answer with nothing in it; without it every answer is for `children`. */
  empty?: { when: (data: T) => boolean; view: ReactNode }
  children: (data: T) => ReactNode
}

/** A read in each of its states: offline, failed, loading, empty, answered. An answer stays when the next request fails, and a reason is said once in a screen. */
export function QueryView<T>({ query: { data, error, fetchStatus, refetch }, loading, empty, children }: Props<T>) {
  if (data !== undefined) return empty?.when(data) === true ? empty.view : children(data)
  if (fetchStatus === 'paused') return <OfflineView />
  if (error !== null) return <FailedView error={error} retry={() => void refetch()} />
  return (
    <>
      {loading}
      <SlowNote />
    </>
  )
}
