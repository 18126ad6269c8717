import type { AssetCode } from '@candela/protocol/money/assets'
import { codes } from '@candela/protocol/codes/codes'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { endOf, type Offer } from './exchange-flow.ts'

/** An amount grows digit by digit: only what stands still is asked for. */
const STILL_MS = 400
/** A paused price or a short desk is looked at again after this. */
const AGAIN_MS = 10_000

/** All of them are shown in place. */
const handled = Object.values(codes)

export const askQuote = (input: { from: AssetCode; to: AssetCode; amount: string }) =>
  call('POST exchange/quote', input, { handled, transportInPlace: true })

export type LiveQuote = { offer: Offer | null; error: Error | null; isAsking: boolean; refresh: () => void }

/** A quote that is asked for anew when it ends, for as long as the screen is looked at and `enabled`. */
export function useQuote(from: AssetCode, to: AssetCode, amount: bigint | null, enabled: boolean): LiveQuote {
  const wanted = amount === null ? null : fromBaseUnits(amount)
  const [still, setStill] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => setStill(wanted), STILL_MS)
    return () => clearTimeout(timer)
  }, [wanted])
  const settled = wanted !== null && wanted === still
  const input = { from, to, amount: wanted ?? '' }
  const { data, error, isFetching, refetch } = useQuery<Offer>({
    queryKey: ['POST exchange/quote', input],
    queryFn: async () => {
      const quote = await askQuote(input)
      return { quote, endsAt: endOf(quote, Date.now()) }
    },
    enabled: enabled && settled,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) =>
      state.error !== null || state.data === undefined ? AGAIN_MS : Math.max(1_000, state.data.endsAt - Date.now()),
  })
  if (!settled) return { offer: null, error: null, isAsking: wanted !== null, refresh: () => undefined }
  // What failed at its last renewal is no offer any more.
  return { offer: error === null ? (data ?? null) : null, error, isAsking: isFetching, refresh: () => void refetch() }
}
