import { exchangeAt } from '../../money/exchange.ts'
import { poolOf, serviceFeeOf, shareOf } from '../../money/income.ts'
import { WHOLE_UNIT } from '../../units.ts'
import { splitInterest } from '../interest.ts'
import { amount, table } from './table.ts'

/** Tables of docs/reference/formulas.md. */

/** Two members and two plans share a day, and what is left is shared with the next; `carried` and `left` are base units. */
export function income(): string {
  const fees = { 1: 80_000n, 2: 60_000n }
  const totalUnits = 7n
  let carriedIn = 0n
  const rows = [1_000n * WHOLE_UNIT, 500n * WHOLE_UNIT].map((revenue, nth) => {
    const sharing = { pool: poolOf({ revenue, carriedIn }), totalUnits }
    const shares = [
      shareOf(sharing, fees[1], 3n),
      shareOf(sharing, fees[1], 2n),
      shareOf(sharing, fees[2], 2n),
    ] as const
    const fee = serviceFeeOf(sharing, fees[1], 5n) + serviceFeeOf(sharing, fees[2], 2n)
    const paid = shares[0] + shares[1] + shares[2]
    const before = carriedIn
    carriedIn = revenue + before - paid - fee
    return [
      `${nth + 1}`,
      amount(revenue),
      `${before}`,
      amount(shares[0]),
      amount(shares[1] + shares[2]),
      amount(fee),
      `${carriedIn}`,
    ]
  })
  const head = [
    'day',
    'revenue',
    'carried in, base units',
    'A: 3 units at 8 %',
    'B: 2 at 8 %, 2 at 6 %',
    'fees',
    'carried out',
  ]
  return table(head, rows)
}

/** 100 HASH to USDT and back, at levels 0 and 5. */
export function exchange(): string {
  const [low, high] = [WHOLE_UNIT / 2n, (WHOLE_UNIT * 51n) / 100n]
  const rows = [3_000n, 2_250n].map((feePpm) => {
    const sold = exchangeAt({ amountIn: 100n * WHOLE_UNIT, fromPrice: low, toPrice: WHOLE_UNIT, feePpm })
    const back = exchangeAt({ amountIn: sold.received, fromPrice: WHOLE_UNIT, toPrice: high, feePpm })
    return [`${feePpm}`, amount(sold.received), amount(sold.fee), amount(back.received), amount(back.fee)]
  })
  return table(['ppm', '100 HASH at 0.50', 'fee, USDT', 'back at 0.51', 'fee, HASH'], rows)
}

/** The reserve's part of two charges of one loan, base units. */
export function reserve(): string {
  let before = 0n
  const rows = [15n, 15n].map((charge) => {
    const split = splitInterest(before, charge, 100_000n)
    const row = [`${before}`, `${charge}`, `${split.reserve}`, `${split.fund}`]
    before += charge
    return row
  })
  return table(['before', 'charge', 'reserve', 'fund'], rows)
}
