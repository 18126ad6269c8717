import type { NetworkConfig } from '@candela/protocol/chain/network'
import type { Connector } from '@wagmi/core'
import { numberToHex } from 'viem'
import { providerOf } from './config.ts'
import { toWalletError, WalletError } from './errors.ts'

/**
 * Puts the connected wallet on the network, adding it first where the wallet does not know it. Resolves only when the
 * wallet says that it is there. @throws WalletError
 */
export async function switchNetwork(connector: Connector, network: NetworkConfig): Promise<void> {
  const provider = await providerOf(connector)
  if (provider === undefined) throw new WalletError('not-installed', 'Wallet not installed')
  const chainId = Number(network.chainId)
  const ask = () =>
    provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: numberToHex(chainId) }] })
  const isThere = async () => Number(await provider.request({ method: 'eth_chainId' })) === chainId
  try {
    try {
      await ask()
    } catch (error) {
      // Wallets disagree on the code for "I do not know this chain", so anything but a refusal means: add it.
      if (toWalletError(error, 'switching').kind === 'refused') throw error
      await provider.request({ method: 'wallet_addEthereumChain', params: [toAdd(network)] })
      // EIP-3085 leaves open whether adding also switches.
      if (!(await isThere())) await ask()
    }
    if (!(await isThere())) throw new WalletError('wrong-chain', 'The wallet did not change to the network')
  } catch (error) {
    throw toWalletError(error, 'changing the network')
  }
  // Some wallets change without saying so; saying it twice does no harm.
  connector.onChainChanged(numberToHex(chainId))
}

/** EIP-3085. Empty lists are left out: wallets refuse them. */
const toAdd = (network: NetworkConfig) => ({
  chainId: numberToHex(Number(network.chainId)),
  chainName: network.chainName,
  nativeCurrency: network.nativeCurrency,
  rpcUrls: network.rpcUrls,
  ...(network.blockExplorerUrls.length > 0 ? { blockExplorerUrls: network.blockExplorerUrls } : {}),
})
