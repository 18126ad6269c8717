import type { Disposition } from '../../../../chain/crediting/credit-payments.ts'
import { platformAccount } from '../../../../ledger/chart.ts'
import type { Leg, Posting } from '../../../../ledger/post.ts'
import { positive } from '../record/postings.ts'

export const RESERVE = platformAccount('reserve', 'USDT')
const DEFICIT = platformAccount('deficit', 'USDT')

/** `lacking`: what the reserve has to give back with it and does not have. USDT base units. */
export type Bounded = { disposition: Disposition; lacking: bigint }

/**
 * The same dispositions, whose corrections take no more from the reserve than it has: the account `deficit` pays the rest. Own
 * postings of all payments come before the corrections of any.
 * @param reserve what the reserve has before all of them
 */
export function boundByReserve(dispositions: readonly Disposition[], reserve: bigint): Bounded[] {
  let left = reserve + sumOf(dispositions.flatMap(({ postings }) => postings))
  return dispositions.map((disposition) => {
    let lacking = 0n
    const bounded = (leg: Leg): Leg[] => {
      left += changeBy(leg)
      if (left >= 0n) return [leg]
      const missing = -left
      left = 0n
      lacking += missing
      return positive([
        { ...leg, amount: leg.amount - missing },
        { ...leg, debit: DEFICIT, amount: missing },
      ])
    }
    const afterwards = (disposition.afterwards ?? []).map((posting): Posting => {
      if (posting.kind === 'interest-correction') return { ...posting, legs: posting.legs.flatMap(bounded) }
      left += sumOf([posting])
      return posting
    })
    return { disposition: { ...disposition, afterwards }, lacking }
  })
}

const sumOf = (postings: readonly Posting[]): bigint =>
  postings.flatMap(({ legs }) => legs).reduce((sum, leg) => sum + changeBy(leg), 0n)

/** By how much a leg changes the reserve. */
const changeBy = ({ debit, credit, amount }: Leg): bigint =>
  (credit === RESERVE ? amount : 0n) - (debit === RESERVE ? amount : 0n)
