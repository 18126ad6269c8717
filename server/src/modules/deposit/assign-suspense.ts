import type { AssetCode } from '@candela/protocol/money/assets'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import type { Tx } from '../../db/open.ts'
import { uuidFromName } from '../../kernel/ids.ts'
import { memberAccount, platformAccount } from '../../ledger/chart.ts'
import { post, type Posting } from '../../ledger/post.ts'

/** The receiver: a member, by UID, or the exchange desk as stock. */
export type SuspenseTarget = { kind: 'member'; uid: bigint } | { kind: 'desk' }

/**
 * assigned: done now. already: it had gone to the same before. Nothing was done for the others: unknown id, nobody with
 * this UID, given to somebody else before, or the payment has left the chain.
 */
export type Assignment =
  | { result: 'assigned' | 'already'; asset: AssetCode; amount: bigint; txHash: string }
  | { result: 'unknown' | 'noMember' | 'taken' | 'orphaned' }

/** Gives a payment in suspense, the whole of it, to its owner, once: a repetition changes nothing. */
export async function assignSuspense(tx: Tx, eventId: bigint, target: SuspenseTarget, now: Date): Promise<Assignment> {
  // Locked, so that two operators come one after the other. The view itself cannot be locked by the servers' account.
  await tx.selectFrom('chain_event').select('id').where('id', '=', eventId).forNoKeyUpdate().execute()
  const payment = await tx
    .selectFrom('chain_payment')
    .select(['tx_hash', 'tx_position', 'asset', 'amount', 'orphaned'])
    .where('id', '=', eventId)
    .where('state', '=', 'credited')
    .where('outcome', '=', 'suspense')
    // Dust is given with its sum.
    .where('waits_for', 'is', null)
    .executeTakeFirst()
  if (payment === undefined) return { result: 'unknown' }
  const memberId = target.kind === 'member' ? await findMember(tx, target.uid) : null
  if (memberId === undefined) return { result: 'noMember' }
  const { tx_hash, tx_position, asset, amount } = payment
  const done = { asset, amount, txHash: tx_hash }
  const before = await tx
    .selectFrom('suspense_assignment')
    .select(['target', 'member_id'])
    .where('tx_hash', '=', tx_hash)
    .where('tx_position', '=', tx_position)
    .executeTakeFirst()
  if (before !== undefined) {
    const isSame = before.target === target.kind && before.member_id === memberId
    return isSame ? { result: 'already', ...done } : { result: 'taken' }
  }
  if (payment.orphaned) return { result: 'orphaned' }
  await tx
    .insertInto('suspense_assignment')
    .values({ tx_hash, tx_position, asset, amount, target: target.kind, member_id: memberId, assigned_at: now })
    .execute()
  await post(tx, assignmentPosting({ txHash: tx_hash, txPosition: tx_position, asset, amount, memberId }, now))
  return { result: 'assigned', ...done }
}

async function findMember(tx: Tx, uid: bigint): Promise<bigint | undefined> {
  const member = await tx.selectFrom('member').select('id').where('uid', '=', uid).executeTakeFirst()
  return member?.id
}

type Assigned = { txHash: string; txPosition: number; asset: AssetCode; amount: bigint; memberId: bigint | null }

/** Its id follows from the payment alone: the ledger itself gives each payment out of suspense once. */
const assignmentPosting = ({ txHash, txPosition, asset, amount, memberId }: Assigned, now: Date): Posting => ({
  id: uuidFromName(`suspense:${CHAIN_ID}:${txHash}:${txPosition}`),
  kind: memberId === null ? 'desk-stock' : 'assigned',
  legs: [
    {
      debit: platformAccount('suspense', asset),
      credit:
        memberId === null ? platformAccount('deskInventory', asset) : memberAccount(memberId, 'memberAvailable', asset),
      amount,
    },
  ],
  memo: { txHash },
  occurredAt: now,
})

/** Gives the dust of one UTC day in suspense to its owner or to the desk, the whole sum and once. */
export async function assignDustSum(tx: Tx, postingId: string, target: SuspenseTarget, now: Date): Promise<Assignment> {
  const sum = await tx
    .selectFrom('dust_sum')
    .selectAll()
    .where('posting_id', '=', postingId)
    .where('member_id', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (sum === undefined) return { result: 'unknown' }
  const memberId = target.kind === 'member' ? await findMember(tx, target.uid) : null
  if (memberId === undefined) return { result: 'noMember' }
  if (sum.given_at !== null) return { result: 'taken' }
  await tx.updateTable('dust_sum').set({ given_at: now }).where('posting_id', '=', postingId).execute()
  const { asset, amount } = sum
  const debit = platformAccount('suspense', asset)
  const credit =
    memberId === null ? platformAccount('deskInventory', asset) : memberAccount(memberId, 'memberAvailable', asset)
  await post(tx, {
    id: uuidFromName(`suspense:${CHAIN_ID}:${postingId}`),
    kind: memberId === null ? 'desk-stock' : 'assigned',
    legs: [{ debit, credit, amount }],
    memo: { txHash: '' },
    occurredAt: now,
  })
  return { result: 'assigned', asset, amount, txHash: '' }
}
