import { codes } from '@candela/protocol/codes/codes'
import { addDays } from '@candela/protocol/calendar'
import { isAppError } from '@candela/server/kernel/errors'
import { seededRandom } from '../../simulate/run/random.ts'
import { addressOf } from '@candela/server/modules/power/testing'
import { expect, test } from 'vitest'
import { FIRST_DAY, startLending, WHOLE } from './lending-scenario.ts'
import { payOnChain } from './pay-on-chain.ts'

test.for([1, 2, 3, 4, 5, 6])(
  'seed %i: a loan whose payments are credited days later ends as one whose payments are credited at once',
  async (seed) => {
    await using lending = await startLending()
    const random = seededRandom(seed)
    const below = (limit: number) => random.below(limit)
    const chain = payOnChain(lending)
    const members = [lending.alice, lending.bob]
    const installments = (member: bigint, loanNo: string) =>
      lending.handlers['POST lending/installment'](
        { loanNo, count: 3, requestId: lending.requestId() },
        lending.contextOf(member),
      )
    const loans: string[] = []
    for (const member of members) loans.push((await lending.borrow(member, 900n, 1_000n, { days: 30 })).loanNo)
    const days = 20 + below(50)
    const installmentsOn = below(40)
    for (let nth = 0; nth < days; nth += 1) {
      const day = addDays(FIRST_DAY, nth)
      lending.goTo(day)
      if (nth === installmentsOn) await both((member, loanNo) => installments(member, loanNo))
      if (below(4) === 0) {
        const amount = BigInt(1 + below(300_000)) * (WHOLE / 1_000n)
        lending.clock.set(`${day}T${below(2) === 0 ? '12:30' : '23:59'}:30.000Z`)
        await chain.payExactly(
          { reference: loans[0] ?? '', amount, payer: addressOf(1) },
          { reference: loans[1] ?? '', amount, payer: addressOf(2), confirmations: 1_000_000 },
        )
        expect(await chain.credit()).toEqual({ credited: 1, failed: 0 })
      } else if (below(5) === 0) {
        const amount = String(1 + below(200))
        await both((member, loanNo) => lending.repay(member, loanNo, 'amount', amount))
      }
      await lending.closeDay(day)
      if (below(7) === 0) await creditAll()
    }
    await creditAll()
    // Something was credited on a later day.
    expect(
      await lending.db.selectFrom('ledger_posting').select('id').where('kind', '=', 'interest-correction').execute(),
    ).not.toEqual([])
    const [atOnce, late] = await Promise.all(loans.map((loanNo, nth) => lending.detail(members[nth] ?? 0n, loanNo)))
    const { loanNo: _one, closedAt: _closed, ...loan } = atOnce?.loan ?? {}
    expect(late?.loan).toMatchObject(loan)
    expect(late?.dues).toEqual(atOnce?.dues)
    expect(await lending.available(lending.bob, 'USDT')).toBe(await lending.available(lending.alice, 'USDT'))
    await lending.expectSound()

    /** An act that the loan refuses whose payments are credited at once is not done to the other one either. */
    async function both(act: (member: bigint, loanNo: string) => Promise<unknown>) {
      for (const [nth, member] of members.entries()) {
        try {
          await act(member, loans[nth] ?? '')
        } catch (error) {
          if (nth === 0 && (isAppError(error, codes.loanState) || isAppError(error, codes.belowMinimum))) return
          throw error
        }
      }
    }
    async function creditAll() {
      await lending.db.updateTable('chain_event').set({ confirmations_needed: 1 }).execute()
      expect((await chain.credit()).failed).toBe(0)
    }
  },
)
