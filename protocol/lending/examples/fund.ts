import { WHOLE_UNIT } from '../../units.ts'
import { subscriptionOf, type FundState, sharePrice, sharesToRedeem, worthOf } from '../../fund/fund.ts'
import { splitInterest } from '../interest.ts'
import { amount, table } from './table.ts'

/** One day of the money fund, and a deficit. */
export function fund(): string {
  let state: FundState = { assets: 0n, shares: 0n }
  let pending = 0n
  const held = { A: 0n, B: 0n }
  const rows: string[][] = []
  const note = (what: string) =>
    rows.push([
      what,
      amount(state.assets),
      amount(pending),
      amount(sharePrice(state)),
      amount(held.A),
      amount(worthOf(held.A, state)),
      amount(held.B),
      amount(worthOf(held.B, state)),
    ])
  const enter = (who: 'A' | 'B', paid: bigint) => {
    const { shares, equalisation } = subscriptionOf(paid, state, pending)
    state = { assets: state.assets + paid - equalisation, shares: state.shares + shares }
    pending += equalisation
    held[who] += shares
    note(`${who} moves ${amount(paid)} in`)
  }
  const close = () => {
    state = { ...state, assets: state.assets + pending }
    pending = 0n
    note('the close of the day')
  }
  enter('A', 1_000n * WHOLE_UNIT)
  const interest = 10n * WHOLE_UNIT
  pending += splitInterest(0n, interest, 100_000n).fund
  note(`${amount(interest)} of interest, 10 % of it for the reserve`)
  enter('B', 1_000n * WHOLE_UNIT)
  close()
  const out = 500n * WHOLE_UNIT
  const shares = sharesToRedeem(out, state)
  held.A -= shares
  state = { assets: state.assets - out, shares: state.shares - shares }
  note('A moves 500 out')
  state = { ...state, assets: state.assets - 20n * WHOLE_UNIT }
  note('a deficit of 20 that the reserve cannot pay')
  return table(['what', 'assets', 'pending', 'share price', 'A: shares', 'A: worth', 'B: shares', 'B: worth'], rows)
}
