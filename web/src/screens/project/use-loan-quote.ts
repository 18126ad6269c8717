import type { Data } from '@candela/protocol/endpoints'
import type { loanTerms } from '@candela/protocol/lending/choices'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { type LiveQuote, useQuote } from '../../command/quote/use-quote.ts'

export type LoanQuote = Data<'GET lending/quote'>
export type Term = (typeof loanTerms)[number]

/** Prices move with the blocks; the terms are asked for again so often, in milliseconds. */
const FRESH_MS = 15_000

type Wanted = { projectNo: string; amount: bigint | null; collateral: bigint | null; days: Term }

/** Quotes a loan while the form is filled in. Without a collateral it is quoted with the least that is needed. */
export const useLoanQuote = ({ projectNo, amount, collateral, days }: Wanted): LiveQuote<'GET lending/quote'> =>
  useQuote(
    'GET lending/quote',
    amount === null
      ? null
      : {
          projectNo,
          amount: fromBaseUnits(amount),
          days,
          ...(collateral !== null && { collateral: fromBaseUnits(collateral) }),
        },
    { pollMs: () => FRESH_MS },
  )
