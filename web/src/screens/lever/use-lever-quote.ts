import type { Data } from '@candela/protocol/endpoints'
import type { leverTermDays } from '@candela/protocol/lending/choices'
import type { CollateralAsset } from '@candela/protocol/lending/choices'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { type LiveQuote, useQuote } from '../../command/quote/use-quote.ts'

export type Options = Data<'GET lever/options'>
export type LeverQuote = Data<'GET lever/quote'>
export type Term = (typeof leverTermDays)[number]

/** The position that is asked for. Ratios are tenths: 20 is 2 times. */
export type Wanted = { asset: CollateralAsset; margin: bigint | null; ratio_tenths: number; days: Term }

/** Prices move with the blocks; the terms are asked for again so often, in milliseconds. */
const FRESH_MS = 10_000

/** Tenths as a text: 25 is "2.5", 20 is "2". */
export const ratioText = (tenths: number): string =>
  tenths % 10 === 0 ? String(tenths / 10) : `${Math.floor(tenths / 10)}.${tenths % 10}`

/** Quotes a position while the form is filled in. */
export const useLeverQuote = ({ asset, margin, ratio_tenths, days }: Wanted): LiveQuote<'GET lever/quote'> =>
  useQuote(
    'GET lever/quote',
    margin === null ? null : { asset, margin: fromBaseUnits(margin), ratio: ratioText(ratio_tenths), days },
    { pollMs: () => FRESH_MS },
  )
