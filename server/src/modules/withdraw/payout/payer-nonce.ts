import type { ChainNonces } from '../../../chain/payout/read-nonces.ts'
import type { Tx } from '../../../db/open.ts'

/** Why no nonce can be given now, in words for the operator. */
export type NoNonce = { refused: string }

/**
 * Locks the payer's row and returns the nonce to use. Our own count decides, unless somebody else has sent from the same
 * account: then the chain's does, but only once that is final, because a nonce that a reorganisation frees again would
 * be a gap. Until then, and for a payer whose key was given up, why there is none.
 */
export async function lockPayer(
  tx: Tx,
  address: string,
  { nonceNow, nonceFinal }: ChainNonces,
): Promise<bigint | NoNonce> {
  await tx
    .insertInto('payer')
    .values({ address, next_nonce: 0n })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { next_nonce: ours, revoked_at } = await tx
    .selectFrom('payer')
    .select(['next_nonce', 'revoked_at'])
    .where('address', '=', address)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (revoked_at !== null) return { refused: `the key of ${address} was given up as lost: use another one` }
  if (nonceNow <= ours) return ours
  return nonceFinal !== null && nonceFinal >= nonceNow ? nonceNow : { refused: FOREIGN_USE }
}

const FOREIGN_USE =
  'the payer has sent transactions that are not ours, or too few blocks are known: waiting until they are final'

/** Counts a nonce as used, in the transaction that stores what is signed with it. */
export async function useNonce(tx: Tx, address: string, nonce: bigint): Promise<void> {
  await tx
    .updateTable('payer')
    .set({ next_nonce: nonce + 1n })
    .where('address', '=', address)
    .execute()
}
