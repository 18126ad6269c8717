import { RpcError } from '../ask.ts'
import { type Agree, agreeAlone } from '../nodes/agree.ts'
import type { At, PayoutChain } from './payout-chain.ts'

/** An account's next nonce at the last followed block and at the last final one, as the chain says. */
export type ChainNonces = { nonceNow: bigint; nonceFinal: bigint | null }

type NonceChain = Pick<PayoutChain, 'nonceAt'>
export type NonceDeps = { chain: NonceChain; agree?: Agree<NonceChain> | undefined }

/**
 * Reads an account's nonces. Where they are above `ours`, which would leave nonces out, every node is asked, and what most of them say
 * counts. One node alone is asked again, in requests of their own: a node that has mixed up answers once gives another one.
 * @throws RpcError when nodes or answers differ
 */
export async function readNonces(
  { chain, agree }: NonceDeps,
  { address, ours }: { address: string; ours: bigint },
  { tip, finalState }: { tip: At; finalState: At | null },
): Promise<ChainNonces> {
  const read = async (node: NonceChain): Promise<ChainNonces> => ({
    nonceNow: await node.nonceAt(tip, address),
    nonceFinal: finalState === null ? null : await node.nonceAt(finalState, address),
  })
  const nonces = await read(chain)
  if (nonces.nonceNow <= ours) return nonces
  const again = await (agree ?? agreeAlone(chain))({ name: `signing ${address}`, at: tip }, read)
  if (again === null) throw new RpcError('badAnswer', `next nonce of ${address}: the nodes do not agree`)
  const { nonceNow, nonceFinal } = again.agreed
  if (agree === undefined && (nonceNow !== nonces.nonceNow || nonceFinal !== nonces.nonceFinal)) {
    throw new RpcError('badAnswer', `next nonce of ${address}: two answers of the node differ`)
  }
  return again.agreed
}
