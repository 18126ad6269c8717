import { ask, type ChainClient } from '../../chain/client.ts'
import type { AskContract } from './verify-signature.ts'

/** EIP-6492 ends the signature of a wallet that is not deployed yet with these 32 bytes. */
const NOT_DEPLOYED_YET = '6492'.repeat(16)

/**
 * Verifies by the chain itself, in one simulated call. Where no contract is and none is to come, nobody can have
 * accepted the signature, and the simulation is spared.
 * @throws RpcError when the node does not answer
 */
export function askContractOn(client: ChainClient): AskContract {
  return async ({ address, digest, signature }) => {
    // Asked first also because viem reports an unreachable node as a wrong signature.
    const code = await ask('code of a wallet', () => client.getCode({ address }))
    if ((code === undefined || code === '0x') && !signature.endsWith(NOT_DEPLOYED_YET)) return false
    return ask('signature of a wallet', () => client.verifyHash({ address, hash: digest, signature }))
  }
}
