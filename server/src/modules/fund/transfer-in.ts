import { utcDay } from '@candela/protocol/calendar'
import { codes } from '@candela/protocol/codes/codes'
import { subscriptionOf } from '@candela/protocol/fund/fund'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { runIdempotent } from '../../db/idempotency/run-idempotent.ts'
import { type Database, transaction, type Tx } from '../../db/open.ts'
import { AppError } from '../../kernel/errors.ts'
import { post } from '../../ledger/post.ts'
import { describeHolding, readHolding } from './holding.ts'
import { fundInPosting } from './postings.ts'
import { lockFund, readFund } from './read-fund.ts'
import { giveUnownedInterest } from './unowned-interest.ts'

const endpoint = 'POST finance/transferIn'

type Caller = { memberId: bigint; now: Date }
export type FundDeps = {
  db: Database
  /** Whether loans were charged the interest of every day up to this one. */
  isCharged: (db: Database, day: string) => Promise<boolean>
}
export type Moved = { amount: string; shares: string }

/**
 * Moves money into the fund. It buys shares at a price that contains the interest of the running day already.
 * @throws AppError 4201 with what is available, 4306 while days are not charged, 4090 to 4092. Nothing has happened then.
 */
export async function transferIn(
  { db, isCharged }: FundDeps,
  input: HandlerInput<typeof endpoint>,
  { memberId, now }: Caller,
): Promise<Data<typeof endpoint>> {
  return transaction(db, async (tx) => {
    const { amount, requestId } = input
    const moved = await runIdempotent<Moved>(tx, { memberId, requestId, endpoint, input, now }, async () => {
      if (!(await isCharged(tx, utcDay(now)))) throw new AppError(codes.fundClosing)
      const fund = await giveUnownedInterest(tx, await lockFund(tx), `${memberId}:${requestId}`, now)
      const { shares, equalisation } = subscriptionOf(amount, fund, fund.pending)
      const move = { memberId, requestId, amount, shares, equalisation, fund, pending: fund.pending }
      await post(tx, fundInPosting(move, now))
      await countMoved(tx, memberId, { paidIn: amount, paidOut: 0n })
      return { amount: fromBaseUnits(amount), shares: fromBaseUnits(shares) }
    })
    return { ...moved, holding: describeHolding(await readHolding(tx, memberId, await readFund(tx), now)) }
  })
}

/** Adds to what a member paid in and took out, for ever. */
export async function countMoved(
  tx: Tx,
  memberId: bigint,
  { paidIn, paidOut }: { paidIn: bigint; paidOut: bigint },
): Promise<void> {
  await tx
    .insertInto('fund_member')
    .values({ member_id: memberId, paid_in: paidIn, paid_out: paidOut })
    .onConflict((conflict) =>
      conflict.column('member_id').doUpdateSet((row) => ({
        paid_in: row('fund_member.paid_in', '+', paidIn),
        paid_out: row('fund_member.paid_out', '+', paidOut),
      })),
    )
    .execute()
}
