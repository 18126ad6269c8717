import type { Followed } from '../../../../chain/payer/followed.ts'
import { RpcError } from '../../../../chain/ask.ts'
import type { At, PayoutChain } from '../../../../chain/payout/payout-chain.ts'
import type { Database } from '../../../../db/open.ts'

/** A transaction that has used the nonce of a payout, and the followed block that it is in. */
export type NonceUse = { txHash: string; at: At }

type Nonce = { payer: string; nonce: bigint }
type UseChain = Pick<PayoutChain, 'nonceAt' | 'sentBy'>

/**
 * The transaction that has used a nonce, wherever it was signed; null when none is in a block that we follow, or when nobody can tell
 * any more. It is looked for where the account's nonce rises.
 * @throws RpcError
 */
export async function findNonceUse(
  { db, chain }: { db: Database; chain: UseChain },
  one: Nonce,
  { tip, statesKept }: Followed,
): Promise<NonceUse | null> {
  const blocks = await db
    .selectFrom('chain_block')
    .select(['number', 'hash'])
    .where('number', '>=', tip.number - statesKept)
    .where('number', '<=', tip.number)
    .orderBy('number')
    .execute()
  const at = await whereNonceRises(chain, one, blocks)
  const txHash = at === null ? null : await chain.sentBy(at, one.payer, one.nonce)
  return at === null || txHash === null ? null : { txHash, at }
}

/** Keeps what was found, because later nodes do not have the states around its block. */
export async function keepNonceUse(
  db: Database,
  withdrawalId: bigint,
  { txHash, at }: NonceUse,
  now: Date,
): Promise<void> {
  const row = { tx_hash: txHash, block_number: at.number, block_hash: at.hash, found_at: now }
  await db
    .insertInto('payout_nonce_use')
    .values({ withdrawal_id: withdrawalId, ...row })
    .onConflict((conflict) => conflict.column('withdrawal_id').doUpdateSet(row))
    .execute()
}

/** Reads the use that was found before, while its block is still one that we follow. */
export async function readNonceUse(db: Database, withdrawalId: bigint): Promise<NonceUse | null> {
  const row = await db
    .selectFrom('payout_nonce_use as use')
    .innerJoin('chain_block as block', (join) =>
      join.onRef('block.number', '=', 'use.block_number').onRef('block.hash', '=', 'use.block_hash'),
    )
    .select(['tx_hash', 'block_number', 'block_hash'])
    .where('withdrawal_id', '=', withdrawalId)
    .executeTakeFirst()
  return row === undefined ? null : { txHash: row.tx_hash, at: { number: row.block_number, hash: row.block_hash } }
}

/** The first of these blocks after which the nonce is used, found by halving; null when the block before it is not among them. */
async function whereNonceRises(chain: UseChain, { payer, nonce }: Nonce, blocks: readonly At[]): Promise<At | null> {
  const isUsed = async (index: number): Promise<boolean | null> => {
    const block = blocks[index]
    if (block === undefined) return null
    try {
      return (await chain.nonceAt(block, payer)) > nonce
    } catch (error) {
      // The node has no state of this block.
      if (error instanceof RpcError && error.failure === 'refused') return null
      throw error
    }
  }
  let [unused, used] = [0, blocks.length - 1]
  if ((await isUsed(unused)) !== false || (await isUsed(used)) !== true) return null
  while (used - unused > 1) {
    const middle = Math.floor((unused + used) / 2)
    const found = await isUsed(middle)
    if (found === null) return null
    if (found) used = middle
    else unused = middle
  }
  const [before, at] = [blocks[unused], blocks[used]]
  return before !== undefined && at !== undefined && at.number === before.number + 1n ? at : null
}
