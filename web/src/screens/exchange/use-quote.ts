import type { AssetCode } from '@candela/protocol/money/assets'
import { codes } from '@candela/protocol/codes/codes'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { useRead } from '../../api/use-read.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { endOf, type Offer } from './exchange-flow.ts'

/** An amount grows digit by digit: it is asked for once it has not changed for so long, in milliseconds. */
const DEBOUNCE_MS = 400
/** How soon to ask again after a refusal, such as a paused price, in milliseconds. */
const RETRY_MS = 10_000

/** Every refusal is shown in place. */
const handled = Object.values(codes)

export type LiveQuote = { offer: Offer | null; error: Error | null; isAsking: boolean; refresh: () => void }

/** A quote that is replaced when it ends, while the screen is visible and `enabled`. */
export function useQuote(from: AssetCode, to: AssetCode, amount: bigint | null, enabled: boolean): LiveQuote {
  const wanted = amount === null ? null : fromBaseUnits(amount)
  const last = useDebounced(wanted, DEBOUNCE_MS)
  const settled = wanted !== null && last === wanted
  const quote = useRead(
    'POST exchange/quote',
    { from, to, amount: wanted ?? '' },
    {
      enabled: enabled && settled,
      uncached: true,
      handled,
      pollMs: (data, error, answeredAt) =>
        error !== null || data === undefined ? RETRY_MS : Math.max(1_000, endOf(data, answeredAt) - Date.now()),
    },
  )
  if (!settled) return { offer: null, error: null, isAsking: wanted !== null, refresh: () => undefined }
  const { data, error, isFetching, refetch, dataUpdatedAt } = quote
  // A quote that could not be renewed is no offer any more.
  const offer = error !== null || data === undefined ? null : { quote: data, endsAt: endOf(data, dataUpdatedAt) }
  return { offer, error, isAsking: isFetching, refresh: () => void refetch() }
}
