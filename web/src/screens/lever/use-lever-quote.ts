import { codes } from '@candela/protocol/codes/codes'
import type { Data } from '@candela/protocol/endpoints'
import type { leverTermDays } from '@candela/protocol/lending/choices'
import type { CollateralAsset } from '@candela/protocol/lending/choices'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { useRead } from '../../api/use-read.ts'
import { useDebounced } from '../../lib/use-debounced.ts'

export type Options = Data<'GET lever/options'>
export type LeverQuote = Data<'GET lever/quote'>
export type Term = (typeof leverTermDays)[number]

/** What is asked for. Ratios are tenths: 20 is 2 times. */
export type Wanted = { asset: CollateralAsset; margin: bigint | null; ratio_tenths: number; days: Term }

/** An amount grows digit by digit: it is asked for once it has not changed for so long, in milliseconds. */
const DEBOUNCE_MS = 400
/** Prices move with the blocks; the terms are asked for again so often, in milliseconds. */
const FRESH_MS = 10_000

/** Tenths as a text: 25 is "2.5", 20 is "2". */
export const ratioText = (tenths: number): string =>
  tenths % 10 === 0 ? String(tenths / 10) : `${Math.floor(tenths / 10)}.${tenths % 10}`

type LiveQuote = { quote: LeverQuote | null; error: Error | null; isAsking: boolean }

/** What a position would be, while the form is filled in. */
export function useLeverQuote({ asset, margin, ratio_tenths, days }: Wanted): LiveQuote {
  const wanted = [asset, String(margin), ratio_tenths, days].join(' ')
  const settled = useDebounced(wanted, DEBOUNCE_MS) === wanted
  const { data, error, isFetching } = useRead(
    'GET lever/quote',
    { asset, margin: fromBaseUnits(margin ?? 0n), ratio: ratioText(ratio_tenths), days },
    {
      enabled: margin !== null && settled,
      // Every refusal is shown in place.
      handled: Object.values(codes),
      pollMs: () => FRESH_MS,
    },
  )
  if (margin === null) return { quote: null, error: null, isAsking: false }
  if (!settled) return { quote: null, error: null, isAsking: true }
  return { quote: error === null ? (data ?? null) : null, error, isAsking: isFetching }
}
