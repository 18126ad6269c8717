import { type ReactNode, useEffect, useState } from 'react'
import { FailedView, OfflineView } from './state-view.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'

/** How long people wait without a word, in milliseconds. */
const PATIENCE_MS = 5_000

/** Stands below what is being loaded, once that has taken long. */
function SlowNote() {
  const { t } = useTranslation()
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return <output className="slow-note muted small">{slow && t('state.slow')}</output>
}

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
