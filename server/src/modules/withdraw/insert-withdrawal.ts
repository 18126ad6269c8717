import type { Tx } from '../../db/open.ts'
import type { WithdrawalReason } from '../../db/tables/withdraw.ts'
import { post } from '../../ledger/post.ts'
import { holdPosting, type PostedWithdrawal } from './postings.ts'

/** The facts that are known of a withdrawal when it begins, beside its terms. */
export type Asked = {
  /** In USDT base units, as the limits count it. */
  worth: bigint
  /** How many operators have to approve it; with none it is queued at once. */
  approvals: number
  reason: WithdrawalReason | null
  /** The part of what is received that is not old money, in base units. */
  freshAmount?: bigint
}

/**
 * Writes a new withdrawal and sets its amount aside.
 * @throws AppError 4201 when its owner has less
 */
export async function insertWithdrawal(tx: Tx, terms: PostedWithdrawal, asked: Asked, now: Date): Promise<void> {
  const state = asked.approvals > 0 ? 'review' : 'queued'
  const { id } = await tx
    .insertInto('withdrawal')
    .values({
      withdrawal_no: terms.withdrawalNo,
      payout_id: terms.payoutId,
      member_id: terms.memberId,
      asset: terms.asset,
      amount: terms.amount,
      fee: terms.fee,
      to_address: terms.to,
      worth_usdt: asked.worth,
      fresh_amount: asked.freshAmount ?? 0n,
      state,
      reason: asked.reason,
      note: null,
      approvals: asked.approvals,
      payer: null,
      nonce: null,
      try_at: null,
      last_failure: null,
      created_at: now,
      changed_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.insertInto('withdrawal_step').values({ withdrawal_id: id, state, tx_hash: null, at: now }).execute()
  await post(tx, holdPosting(terms, now))
}
