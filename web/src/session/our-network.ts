import { CHAIN_ID, type NetworkConfig } from '@candela/protocol/chain/network'
import { requiredNetwork } from '../api/public-data.ts'
import { WalletError } from '../wallet/errors.ts'
import { builtRpcUrls, expectKnownRpcs } from '../wallet/known-rpcs.ts'

/**
 * How a wallet gets onto our chain, as the service announces it. @throws WalletError `altered` when it names another chain, or another RPC than
 * those that were built in
 */
export async function ourNetwork(): Promise<NetworkConfig> {
  const network = await requiredNetwork()
  if (Number(network.chainId) !== CHAIN_ID)
    throw new WalletError('altered', `The service names chain ${network.chainId}`)
  expectKnownRpcs(builtRpcUrls, network.rpcUrls)
  return network
}
