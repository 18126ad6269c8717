import type { AssetCode } from '@candela/protocol/money/assets'
import { payoutPostingId } from '../../../../chain/crediting/credit-payments.ts'
import { lockUnsettledPayout, markExplained } from '../../../../chain/crediting/settle-by-hand.ts'
import type { Tx } from '../../../../db/open.ts'
import { platformAccount } from '../../../../ledger/chart.ts'
import { post } from '../../../../ledger/post.ts'

export type Explanation = {
  /** As `chain trouble` shows it. */
  eventId: bigint
  note: string
  /** The loss is in the books already, as a difference that was booked. */
  isBooked: boolean
}

export type Explained = { asset: AssetCode; amount: bigint; to: string; txHash: string }

/**
 * Takes a payout into the books that is no withdrawal of ours: the platform bears it, unless its loss was booked before. Then neither
 * withdrawals nor attestations wait for it any more. Amounts in base units. Undefined when there is no such payout.
 */
export async function explainPayout(
  tx: Tx,
  { eventId, note, isBooked }: Explanation,
  now: Date,
): Promise<Explained | undefined> {
  const payment = await lockUnsettledPayout(tx, eventId)
  if (payment === undefined) return undefined
  const { asset, amount, customer: to, txHash, reference, blockNumber } = payment
  if (!isBooked && amount > 0n) {
    await post(tx, {
      id: payoutPostingId(reference, 0),
      kind: 'reconciliation',
      legs: [{ debit: platformAccount('equity', asset), credit: platformAccount('custody', asset), amount }],
      memo: { note, block: String(blockNumber) },
      occurredAt: now,
    })
  }
  await markExplained(tx, eventId, now)
  return { asset, amount, to, txHash }
}
