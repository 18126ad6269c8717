import type { AssetCode } from '@candela/protocol/money/assets'
import { timeOfId, uuidFromName } from '../../kernel/ids.ts'
import { memberAccount, platformAccount } from '../../ledger/chart.ts'
import type { Posting } from '../../ledger/post.ts'

/** The facts that an exchange is posted from. Amounts in base units. */
export type PostedExchange = {
  exchangeNo: string
  quoteNo: string
  memberId: bigint
  from: AssetCode
  to: AssetCode
  amountIn: bigint
  received: bigint
  /** In `to`, which the desk gives as well. */
  fee: bigint
}

/** The desk takes one asset and gives the other; of what it gives, the fee is the platform's. Once for each quote. */
export function exchangePosting(exchange: PostedExchange, now: Date): Posting {
  const { exchangeNo, quoteNo, memberId, from, to, amountIn, received, fee } = exchange
  const desk = platformAccount('deskInventory', to)
  const legs = [
    {
      debit: memberAccount(memberId, 'memberAvailable', from),
      credit: platformAccount('deskInventory', from),
      amount: amountIn,
    },
    { debit: desk, credit: memberAccount(memberId, 'memberAvailable', to), amount: received },
  ]
  return {
    id: uuidFromName(`exchange:${quoteNo}`, timeOfId(quoteNo)),
    kind: 'exchange',
    legs: fee > 0n ? [...legs, { debit: desk, credit: platformAccount('fees', to), amount: fee }] : legs,
    memo: { exchangeNo, quoteNo, from, to },
    occurredAt: now,
  }
}
