import { readFollowedBlocks } from '../../../../chain/payer/followed.ts'
import type { At, PayoutChain } from '../../../../chain/payout/payout-chain.ts'
import type { Tx } from '../../../../db/open.ts'
import { releaseHold } from '../../change-state.ts'
import { type LostPayerDeps, type Refusal, whyNotKnown } from './end-lost-payouts.ts'

export type UndecidedDeps = Omit<LostPayerDeps, 'contract'> & {
  chain: Pick<PayoutChain, 'nonceAt' | 'receipt'>
  contract: LostPayerDeps['contract']
}

/**
 * Ends a withdrawal whose nonce is used and of which the service cannot find out by what: operators have found the transaction
 * that used it, `usedBy`. What the node can still say must not speak against it: the nonce is used at the deepest block whose state it
 * keeps, no followed block has the payment, the contract has not paid it, and none of our transactions has succeeded.
 * @throws RpcError; then nothing has changed
 */
export async function endUndecided(
  tx: Tx,
  { withdrawalNo, usedBy }: { withdrawalNo: string; usedBy: string },
  { chain, contract, depth, now }: UndecidedDeps,
): Promise<Refusal | { payoutId: string }> {
  // No block is recorded or taken back meanwhile.
  await tx.selectFrom('chain_cursor').select('followed').forUpdate().execute()
  const row = await tx
    .selectFrom('withdrawal')
    .selectAll()
    .where('withdrawal_no', '=', withdrawalNo)
    .forUpdate()
    .executeTakeFirst()
  if (row?.state !== 'sending' || row.payer === null || row.nonce === null) {
    return { refused: `there is no withdrawal ${withdrawalNo} whose payment is signed and not over` }
  }
  const followed = await readFollowedBlocks(tx, { normal: depth, large: depth, largeAbove: 0n })
  const state = followed?.finalState ?? null
  if (followed === null || state === null) return { refused: 'too few blocks are followed to tell what is final' }
  const unknown = await whyNotKnown(tx, followed, depth)
  if (unknown !== null) return { refused: unknown }
  const recorded = await tx
    .selectFrom('chain_payment')
    .select('id')
    .where('action', '=', 'paid')
    .where('reference', '=', row.payout_id)
    .executeTakeFirst()
  if (recorded !== undefined) return { refused: 'its payment is recorded' }
  if ((await chain.nonceAt(state, row.payer)) <= row.nonce) {
    return { refused: `nonce ${row.nonce} of ${row.payer} is not used in a final block: it may still be paid` }
  }
  for (const at of [state, followed.tip, 'latest'] satisfies (At | 'latest')[]) {
    if (await contract.isPaidAt(at, row.payout_id)) return { refused: 'the contract says that it was paid' }
  }
  const ours = await tx
    .selectFrom('payout_transaction')
    .select('hash')
    .where('withdrawal_id', '=', row.id)
    .where('is_empty', '=', false)
    .execute()
  for (const { hash } of ours) {
    if (hash === usedBy) return { refused: `${hash} is its own transaction: the service settles that` }
    if ((await chain.receipt(hash))?.succeeded === true) return { refused: `its transaction ${hash} has succeeded` }
  }
  await releaseHold(tx, row, 'failed', { reason: 'unpaid' }, now)
  return { payoutId: row.payout_id }
}
