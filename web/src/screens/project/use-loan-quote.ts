import { codes } from '@candela/protocol/codes/codes'
import type { Data } from '@candela/protocol/endpoints'
import type { loanTerms } from '@candela/protocol/lending/choices'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { useRead } from '../../api/use-read.ts'
import { useDebounced } from '../../lib/use-debounced.ts'

export type LoanQuote = Data<'GET lending/quote'>
export type Term = (typeof loanTerms)[number]

/** An amount grows digit by digit: it is asked for once it has not changed for so long, in milliseconds. */
const DEBOUNCE_MS = 400
/** Prices move with the blocks; the terms are asked for again so often, in milliseconds. */
const FRESH_MS = 15_000

type Wanted = { projectNo: string; amount: bigint | null; collateral: bigint | null; days: Term }
type LiveQuote = { quote: LoanQuote | null; error: Error | null; isAsking: boolean }

/** What a loan would cost, while the form is filled in. Without a collateral it is quoted with the least that is needed. */
export function useLoanQuote({ projectNo, amount, collateral, days }: Wanted): LiveQuote {
  const wanted = JSON.stringify([amount, collateral, days].map(String))
  const settled = useDebounced(wanted, DEBOUNCE_MS) === wanted
  const { data, error, isFetching } = useRead(
    'GET lending/quote',
    {
      projectNo,
      amount: fromBaseUnits(amount ?? 0n),
      days,
      ...(collateral !== null && { collateral: fromBaseUnits(collateral) }),
    },
    {
      enabled: amount !== null && settled,
      // Every refusal is shown in place.
      handled: Object.values(codes),
      pollMs: () => FRESH_MS,
    },
  )
  if (amount === null) return { quote: null, error: null, isAsking: false }
  if (!settled) return { quote: null, error: null, isAsking: true }
  return { quote: error === null ? (data ?? null) : null, error, isAsking: isFetching }
}
