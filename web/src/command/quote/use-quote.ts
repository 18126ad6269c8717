import type { CallInput, Data } from '@candela/protocol/endpoints'
import { codes } from '@candela/protocol/codes/codes'
import { useState } from 'react'
import { type ReadKey, type ReadOptions, useRead } from '../../api/use-read.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import './quote.css'

/** An amount grows digit by digit: it is asked for once it has not changed for so long, in milliseconds. */
const DEBOUNCE_MS = 300

type QuoteKey = Extract<ReadKey, `${string}uote` | 'GET power/calc'>

/** A quote, what it was asked for, and when it came by this device's clock, in milliseconds. */
export type Quoted<K extends QuoteKey> = { input: CallInput<K>; data: Data<K>; answeredAt: number }

export type LiveQuote<K extends QuoteKey> = {
  /** The quote of exactly what is wanted now. Null until it is here, and after a failure: only this can be agreed to. */
  quote: Quoted<K> | null
  /** The quote that the form shows: `quote`, or the one before, dimmed, so that nothing moves until it is here. */
  shown: Quoted<K> | null
  error: Error | null
  /** An answer is under way, also one that renews `quote`. */
  isAsking: boolean
  /** The first quote of what is wanted now is under way. */
  isWaiting: boolean
  /** Paused while there is no connection. */
  fetchStatus: 'fetching' | 'paused' | 'idle'
  refetch: () => Promise<unknown>
}

/** Refusals are shown in place. */
const everyCode = Object.values(codes)

/** The quote of what a form wants, while the form is filled in. `wanted` is null while nothing can be quoted. */
export function useQuote<K extends QuoteKey>(
  key: K,
  wanted: CallInput<K> | null,
  options: Omit<ReadOptions<K>, 'keepLast'> = {},
): LiveQuote<K> {
  const text = JSON.stringify(wanted)
  const settledText = useDebounced(text, DEBOUNCE_MS)
  const isSettled = text === settledText
  const input = JSON.parse(settledText) as CallInput<K> | null
  const { data, error, isFetching, fetchStatus, dataUpdatedAt, refetch } = useRead(key, input ?? ({} as CallInput<K>), {
    handled: everyCode,
    ...options,
    enabled: options.enabled !== false && isSettled && input !== null,
  })
  const [last, setLast] = useState<Quoted<K> | null>(null)
  const isCurrent = isSettled && input !== null && error === null && data !== undefined
  const isNew = isCurrent && (last?.data !== data || last.answeredAt !== dataUpdatedAt)
  const quote = isNew ? { input, data, answeredAt: dataUpdatedAt } : isCurrent ? last : null
  if (isNew) setLast(quote)
  return {
    quote,
    shown: wanted === null ? null : (quote ?? last),
    error: isSettled && wanted !== null ? error : null,
    isAsking: wanted !== null && (!isSettled || isFetching),
    isWaiting: wanted !== null && quote === null && (!isSettled || (isFetching && error === null)),
    fetchStatus,
    refetch,
  }
}
