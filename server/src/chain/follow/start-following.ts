import type { Tx } from '../../db/open.ts'

/** The contract and the chain that a database follows, for good. */
export type FollowedContract = { chainId: number; gateway: string; startBlock: bigint }

/**
 * Stores which contract is followed and puts the cursor before its first block, once.
 * @throws when the database follows another contract: its payments would be credited into the wrong books
 */
export async function startFollowing(tx: Tx, contract: FollowedContract, now: Date): Promise<void> {
  const { gateway, startBlock } = contract
  await tx
    .insertInto('chain_cursor')
    .values({
      chain_id: BigInt(contract.chainId),
      gateway,
      start_block: startBlock,
      followed: startBlock - 1n,
      followed_hash: null,
      head: startBlock - 1n,
      head_seen_at: now,
      head_at: null,
      halted_reason: null,
    })
    .onConflict((conflict) => conflict.column('only_row').doNothing())
    .execute()
  const cursor = await tx.selectFrom('chain_cursor').selectAll().executeTakeFirstOrThrow()
  if (cursor.gateway !== gateway || cursor.chain_id !== BigInt(contract.chainId) || cursor.start_block !== startBlock) {
    throw new Error(
      `this database follows contract ${cursor.gateway} on chain ${cursor.chain_id} from block ${cursor.start_block}, ` +
        `and the settings say ${gateway} on chain ${contract.chainId} from block ${startBlock}`,
    )
  }
}

/**
 * Ends a halt of crediting after the operator has found its cause. Returns the reason of the halt; null when there was
 * none.
 */
export async function resumeCrediting(tx: Tx): Promise<string | null> {
  const cursor = await tx.selectFrom('chain_cursor').select('halted_reason').forUpdate().executeTakeFirst()
  if (cursor === undefined || cursor.halted_reason === null) return null
  await tx.updateTable('chain_cursor').set({ halted_reason: null }).execute()
  return cursor.halted_reason
}
