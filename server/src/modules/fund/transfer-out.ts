import { sharesToRedeem, worthOf } from '@candela/protocol/fund/fund'
import { codes } from '@candela/protocol/codes/codes'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { runIdempotent } from '../../db/idempotency/run-idempotent.ts'
import { type Database, transaction, type Tx } from '../../db/open.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import { accountBalance } from '../../ledger/balances.ts'
import { post } from '../../ledger/post.ts'
import { describeHolding, readHolding, sharesAccount } from './holding.ts'
import { fundOutPosting } from './postings.ts'
import { type Fund, lockFund, readFund } from './read-fund.ts'
import { countMoved, type Moved } from './transfer-in.ts'

const endpoint = 'POST finance/transferOut'

type Input = HandlerInput<typeof endpoint>
type Caller = { memberId: bigint; now: Date }

/**
 * Moves money out of the fund: whole USDT, or everything with its fraction.
 * @throws AppError 4201 with what the shares are worth, 4302 with what is idle, 400, 4090 to 4092. Nothing has happened then.
 */
export async function transferOut(
  db: Database,
  input: Input,
  { memberId, now }: Caller,
): Promise<Data<typeof endpoint>> {
  if (input.amount === undefined && input.all === undefined) throw invalidInput('amount', 'missing')
  if (input.amount !== undefined && input.all !== undefined) throw invalidInput('all')
  return transaction(db, async (tx) => {
    const { requestId } = input
    const moved = await runIdempotent<Moved>(
      tx,
      { memberId, requestId, endpoint, input, now, isFree: true },
      async () => {
        const fund = await lockFund(tx)
        const { amount, shares } = await redemption(tx, memberId, fund, input.amount)
        await post(tx, fundOutPosting({ memberId, requestId, amount, shares, fund, pending: fund.pending }, now))
        await countMoved(tx, memberId, { paidIn: 0n, paidOut: amount })
        return { amount: fromBaseUnits(amount), shares: fromBaseUnits(shares) }
      },
    )
    return { ...moved, holding: describeHolding(await readHolding(tx, memberId, await readFund(tx), now)) }
  })
}

/** Computes what is paid out for which shares. @param wanted undefined for everything */
async function redemption(
  tx: Tx,
  memberId: bigint,
  fund: Fund,
  wanted: bigint | undefined,
): Promise<{ amount: bigint; shares: bigint }> {
  const held = await accountBalance(tx, sharesAccount(memberId))
  const worth = worthOf(held, fund)
  const amount = wanted ?? worth
  if (amount > worth || amount === 0n) {
    throw new AppError(codes.notEnoughBalance, { available: fromBaseUnits(worth), asset: 'USDT' })
  }
  if (amount > fund.idle) throw new AppError(codes.fundShort, { limit: fromBaseUnits(fund.idle) })
  const needed = sharesToRedeem(amount, fund)
  return { amount, shares: wanted === undefined || needed > held ? held : needed }
}
