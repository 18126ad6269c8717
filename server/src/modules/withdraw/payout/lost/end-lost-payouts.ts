import { type Followed, readFollowedBlocks } from '../../../../chain/payer/followed.ts'
import type { GatewayView } from '../../../../chain/payout/payout-chain.ts'
import type { Tx } from '../../../../db/open.ts'
import { lockWithdrawal, releaseHold } from '../../change-state.ts'

export type LostPayerDeps = {
  contract: GatewayView
  /** Confirmations of the largest payments. */
  depth: number
  now: Date
}

/** Why nothing was ended, in words for the operator. */
export type Refusal = { refused: string }
export type Ended = { ended: string[]; leftAlone: { withdrawalNo: string; why: string }[] }

/**
 * Ends the withdrawals that a payer has signed and that are in no block, because its key is lost and nobody can sign them
 * again for more gas. Their transactions may still be in some node's pool, so what makes them harmless has to be as final
 * as a payment: at a block that is as deep as the largest payments wait for, the contract lets another account pay, and
 * it still does at the last followed block and at the node's newest one. A payment of the old payer can then be in no
 * later block, and none of an earlier one is undone, unless the owner names it again. The contract must also say that
 * nothing was paid. The payer is marked and never signs again here.
 * @throws RpcError; then nothing has changed
 */
export async function endLostPayouts(tx: Tx, payer: string, deps: LostPayerDeps): Promise<Ended | Refusal> {
  const { contract, depth, now } = deps
  // As a worker that signs does: after this, no server signs with this key.
  const known = await tx.selectFrom('payer').select('address').where('address', '=', payer).forUpdate().execute()
  if (known.length === 0) return { refused: `${payer} has signed nothing` }
  // No block is recorded or taken back meanwhile.
  await tx.selectFrom('chain_cursor').select('followed').forUpdate().execute()
  const followed = await readFollowedBlocks(tx, { normal: depth, large: depth, largeAbove: 0n })
  if (followed === null) return { refused: 'no block is followed yet' }
  const refused = (await whyNotKnown(tx, followed, depth)) ?? (await whyMayStillPay(payer, contract, followed, depth))
  if (refused !== null) return { refused }
  const open = await tx
    .selectFrom('withdrawal')
    .select(['id', 'withdrawal_no', 'payout_id'])
    .where('state', '=', 'sending')
    .where('payer', '=', payer)
    .orderBy('id')
    .execute()
  const result: Ended = { ended: [], leftAlone: [] }
  for (const { id, withdrawal_no: withdrawalNo, payout_id } of open) {
    const row = await lockWithdrawal(tx, id)
    if (row?.state !== 'sending') continue
    const recorded = await tx
      .selectFrom('chain_payment')
      .select('id')
      .where('action', '=', 'paid')
      .where('reference', '=', payout_id)
      .executeTakeFirst()
    const isPaid = (await contract.isPaidAt(followed.tip, payout_id)) || (await contract.isPaidAt('latest', payout_id))
    if (recorded !== undefined) result.leftAlone.push({ withdrawalNo, why: 'its payment is recorded' })
    else if (isPaid) result.leftAlone.push({ withdrawalNo, why: 'the contract says that it was paid' })
    else {
      await releaseHold(tx, row, 'failed', { reason: 'unpaid' }, now)
      result.ended.push(withdrawalNo)
    }
  }
  await tx.updateTable('payer').set({ revoked_at: now }).where('address', '=', payer).execute()
  return result
}

/** Why what is final cannot be told; null when it can. */
export async function whyNotKnown(tx: Tx, { tip, final }: Followed, depth: number): Promise<string | null> {
  const { head, halted_reason } = await tx
    .selectFrom('chain_cursor')
    .select(['head', 'halted_reason'])
    .executeTakeFirstOrThrow()
  if (halted_reason !== null) return `crediting is halted (${halted_reason}): resume it first`
  if (head - tip.number > BigInt(depth)) return `the follower is behind: it is at block ${tip.number} of ${head}`
  return final === null ? 'too few blocks are followed to tell what is final' : null
}

/** Why a transaction of the payer might still pay; null when none can. */
async function whyMayStillPay(
  payer: string,
  contract: GatewayView,
  { tip, finalState }: Followed,
  depth: number,
): Promise<string | null> {
  for (const at of ['latest', tip] as const) {
    if ((await contract.payerAt(at)) === payer)
      return 'the contract still lets this payer pay: have its standby take over first (`contract switch payer`)'
  }
  if (finalState !== null && (await contract.payerAt(finalState)) !== payer) return null
  return `the contract let this payer pay until less than ${depth} blocks ago: wait until that is final`
}
