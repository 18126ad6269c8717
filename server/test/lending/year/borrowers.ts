import { toBaseUnits } from '@candela/protocol/money/money'
import type { LoanRow } from '@candela/server/modules/lending/loan/record/loan-record'
import { isAppError } from '@candela/server/kernel/errors'
import { expect } from 'vitest'
import type { Random } from '../../../simulate/run/random.ts'
import { type Scenario, WHOLE } from '../lending-scenario.ts'
import type { Act, Terms } from './loan-history.ts'
import type { Opening, Product } from './terms.ts'

/** The random acts of borrowers, and what of them was done: the acts that a loan's history is computed from. */

/** Some pay on the day, some late, some never. */
const HABITS = { punctual: 74, late: 18, never: 8 } as const

/** Refusals that a borrower may meet: short of balance, limits, prices, the fund, the desk, the state of a loan. */
const REFUSALS = [4201, 4202, 4203, 4204, 4206, 4301, 4302, 4303, 4304]

type Deed = () => Promise<Act | null>

export function borrowersOf(
  lending: Scenario,
  random: Random,
  people: readonly bigint[],
  termsOf: (product: Product, loan: Opening) => Terms,
) {
  const { handlers, contextOf, requestId } = lending
  const habits = new Map(people.map((id) => [id, random.weighted(HABITS)] as const))
  const opened = new Map<string, Terms>()
  const acts = new Map<string, Act[]>()
  const refusals = new Map<number, number>()

  async function tried(deed: () => Promise<void>): Promise<void> {
    try {
      await deed()
    } catch (error) {
      if (!isAppError(error)) throw error
      expect(REFUSALS).toContain(error.code)
      refusals.set(error.code, (refusals.get(error.code) ?? 0) + 1)
    }
  }

  const open = (memberId: bigint, day: string): (() => Promise<void>) => {
    const lent = BigInt(10 + random.below(random.chance(0.1) ? 4_000 : 400)) * WHOLE + BigInt(random.below(1_000_000))
    const context = contextOf(memberId)
    const id = requestId()
    if (random.chance(0.3)) {
      const position = { asset: 'JU' as const, margin: lent / 4n + 10n * WHOLE, ratio: 20 + random.below(21) }
      const days = random.pick([7, 30, 90])
      const input = { ...position, days, minBought: 1n, acceptWarning: true, requestId: id }
      return async () => {
        const { loan } = await handlers['POST lever/open'](input, context)
        const [money, collateral] = [toBaseUnits(loan.lent), toBaseUnits(loan.collateral)]
        opened.set(loan.loanNo, termsOf('lever', { lent: money, collateral, openedOn: day, days }))
      }
    }
    const asset = random.pick(['JU', 'HASH'] as const)
    const days = random.pick([30, 90, 180, 360])
    const spare = BigInt(101 + random.below(60))
    const { spot, average } = lending.rates[asset]
    const price = BigInt(Math.min(spot, average))
    // The amount that is needed at the initial rate of the project, and something more.
    const collateral = (lent * 1_000n * spare) / (price * (asset === 'JU' ? 50n : 40n))
    const projectNo = asset === 'JU' ? lending.projectNo : lending.hashProjectNo
    const input = { projectNo, amount: lent, collateral, days, requestId: id }
    return async () => {
      const { loan } = await handlers['POST lending/borrow'](input, context)
      opened.set(loan.loanNo, termsOf(asset, { lent, collateral, openedOn: day, days }))
    }
  }

  const pay = (row: LoanRow, day: string, mode: 'next' | 'full' | 'amount'): Deed => {
    const { loan_no: loanNo, member_id } = row
    const context = contextOf(member_id)
    const id = requestId()
    const part = (row.principal * BigInt(1 + random.below(60))) / 100n + BigInt(1 + random.below(999))
    return async () => {
      const { payoff, next } = await handlers['GET lending/payoff']({ loanNo }, context)
      const shown = { next: toBaseUnits(next), full: toBaseUnits(payoff), amount: part }[mode]
      const { paid } = await handlers['POST lending/repay']({ loanNo, mode, amount: shown, requestId: id }, context)
      return { day, kind: 'pay', amount: mode === 'full' ? 'all' : toBaseUnits(paid) }
    }
  }

  const change = (row: LoanRow, day: string): Deed => {
    const { loan_no: loanNo } = row
    const context = contextOf(row.member_id)
    const isMore = random.chance(0.5)
    const amount = (row.collateral * BigInt(1 + random.below(30))) / 100n + 1n
    const input = { loanNo, amount, requestId: requestId() }
    return async () => {
      await handlers[isMore ? 'POST lending/addCollateral' : 'POST lending/releaseCollateral'](input, context)
      return { day, kind: 'collateral', amount: isMore ? amount : -amount }
    }
  }

  const split = (row: LoanRow, day: string): Deed => {
    const count = random.pick([3, 6, 9, 12] as const)
    const input = { loanNo: row.loan_no, count, requestId: requestId() }
    return async () => {
      await handlers['POST lending/installment'](input, contextOf(row.member_id))
      return { day, kind: 'installments', count }
    }
  }

  const close = (row: LoanRow, day: string): Deed => {
    const percent = random.pick([1, 25, 50, 99, 100])
    const input = { loanNo: row.loan_no, percent, minProceeds: 1n, requestId: requestId() }
    return async () => {
      await handlers['POST lever/close'](input, contextOf(row.member_id))
      return { day, kind: 'close', percent: BigInt(percent) }
    }
  }

  const any = (row: LoanRow, day: string): Deed => {
    const kind = random.weighted({
      next: 2,
      full: 2,
      amount: 3,
      change: 3,
      split: 3,
      close: row.kind === 'lever' ? 6 : 0,
    })
    if (kind === 'change') return change(row, day)
    if (kind === 'split') return split(row, day)
    return kind === 'close' ? close(row, day) : pay(row, day, kind)
  }

  return {
    opened,
    acts,
    refusals,
    /** Each loan has one act a day at most, so that their order does not matter. */
    dealsOf(day: string, loans: readonly LoanRow[], count: number): (() => Promise<void>)[] {
      const deals = new Map<string, () => Promise<void>>()
      const plan = (row: LoanRow, deed: Deed) =>
        deals.set(row.loan_no, () =>
          tried(async () => {
            const act = await deed()
            if (act !== null) acts.set(row.loan_no, [...(acts.get(row.loan_no) ?? []), act])
          }),
        )
      for (const row of loans) {
        const habit = habits.get(row.member_id)
        const { next_due_on: due } = row
        if (due === day && habit === 'punctual') plan(row, pay(row, day, random.chance(0.8) ? 'next' : 'full'))
        if (due !== null && due < day && habit === 'late' && random.chance(0.15)) {
          plan(row, pay(row, day, random.pick(['next', 'full', 'amount'])))
        }
      }
      for (let nth = 0; nth < count && loans.length > 0; nth += 1) {
        const row = random.pick(loans)
        if (habits.get(row.member_id) !== 'never') plan(row, any(row, day))
      }
      const openings = Array.from({ length: count }, () => open(random.pick(people), day))
      return [...deals.values(), ...openings.map((deal) => () => tried(deal))]
    },
  }
}
