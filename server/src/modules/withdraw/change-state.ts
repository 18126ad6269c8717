import type { Selectable } from 'kysely'
import { withdrawalReasons } from '@candela/protocol/endpoints/withdraw'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Tx } from '../../db/open.ts'
import type { Tables } from '../../db/tables/index.ts'
import type { WithdrawalState } from '../../db/tables/withdraw.ts'
import { post } from '../../ledger/post.ts'
import { notify } from '../notice/notify.ts'
import { type PostedWithdrawal, releasePosting, revertedPosting } from './postings.ts'

export type WithdrawalRow = Selectable<Tables['withdrawal']>

export const postedOf = (row: WithdrawalRow): PostedWithdrawal & { payoutAmount: bigint } => ({
  withdrawalNo: row.withdrawal_no,
  payoutId: row.payout_id,
  memberId: row.member_id,
  asset: row.asset,
  amount: row.amount,
  fee: row.fee,
  payoutAmount: row.payout_amount,
  to: row.to_address,
})

/** The withdrawal, locked until the transaction ends; undefined when there is none. */
export function lockWithdrawal(tx: Tx, id: bigint): Promise<WithdrawalRow | undefined> {
  return tx.selectFrom('withdrawal').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

type Changeable =
  | 'reason'
  | 'note'
  | 'payer'
  | 'nonce'
  | 'approvals'
  | 'review_round'
  | 'seen_orphaned'
  | 'seen_reverted'
  | 'taken_back_at'
export type Change = Partial<Pick<WithdrawalRow, Changeable>> & { txHash?: string | null }

/** Puts a locked withdrawal into its next state, with the step that people see. A reason that is not given is none. */
export async function changeState(
  tx: Tx,
  row: WithdrawalRow,
  state: WithdrawalState,
  { txHash = null, ...change }: Change,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('withdrawal')
    .set({ reason: null, ...change, state, try_at: null, last_failure: null, changed_at: now })
    .where('id', '=', row.id)
    .execute()
  await tx.insertInto('withdrawal_step').values({ withdrawal_id: row.id, state, tx_hash: txHash, at: now }).execute()
}

type Unpaid = 'rejected' | 'failed'

/** Ends it unpaid and releases the whole amount: all or nothing. */
export async function endUnpaid(tx: Tx, row: WithdrawalRow, state: Unpaid, change: Change, now: Date): Promise<void> {
  await changeState(tx, row, state, change, now)
  await post(tx, releasePosting(postedOf(row), now))
}

/** The same, and tells its owner. */
export async function releaseHold(tx: Tx, row: WithdrawalRow, state: Unpaid, change: Change, now: Date): Promise<void> {
  await endUnpaid(tx, row, state, change, now)
  const facts = { withdrawalNo: row.withdrawal_no, asset: row.asset, amount: fromBaseUnits(row.amount) }
  const reason = withdrawalReasons.find((one) => one === change.reason) ?? null
  const told = { memberId: row.member_id, source: `withdrawal:${row.withdrawal_no}:${state}`, at: now }
  if (state === 'failed') await notify(tx, { ...told, kind: 'withdrawalFailed', params: { ...facts, reason } })
  else {
    const params = { ...facts, reason, note: change.note ?? null }
    await notify(tx, { ...told, kind: 'withdrawalRejected', params })
  }
}

/**
 * Ends a payment that was mined and moved nothing because of its recipient: keeps the fee, gives the rest back and tells
 * its owner, all or nothing.
 */
export async function keepFee(tx: Tx, row: WithdrawalRow, txHash: string, now: Date): Promise<void> {
  await changeState(tx, row, 'failed', { reason: 'reverted', txHash }, now)
  await post(tx, revertedPosting(postedOf(row), txHash, now))
  const { withdrawal_no: withdrawalNo, asset, payout_amount, fee } = row
  const params = { withdrawalNo, asset, amount: fromBaseUnits(payout_amount), reason: 'reverted' as const }
  await notify(tx, {
    kind: 'withdrawalFailed',
    params: { ...params, feeKept: fromBaseUnits(fee) },
    memberId: row.member_id,
    source: `withdrawal:${withdrawalNo}:failed`,
    at: now,
  })
}
