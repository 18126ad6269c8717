import type { NetworkConfig } from '@candela/protocol/chain/network'
import type { Connector } from '@wagmi/core'
import { type EIP1193Provider, numberToHex } from 'viem'
import { providerOf } from './config.ts'
import { WalletError } from './errors.ts'
import { toWalletError } from './to-wallet-error.ts'
import { answerInTime } from './waiting.ts'

/** The chain that the wallet is on now, whatever it has said before. @throws WalletError `silent` or `failed` */
export async function readChainId(provider: Pick<EIP1193Provider, 'request'>): Promise<number> {
  const said: unknown = await answerInTime(provider.request({ method: 'eth_chainId' })).catch((error: unknown) => {
    throw toWalletError(error, 'asking for the chain')
  })
  // Hexadecimal in either case by the standard; some wallets answer with a number.
  const chainId = typeof said === 'string' || typeof said === 'number' ? Number(said) : Number.NaN
  if (!Number.isSafeInteger(chainId)) throw new WalletError('failed', `The wallet says that it is on ${String(said)}`)
  return chainId
}

/**
 * Puts the connected wallet on the network, adding it first where the wallet does not know it. Asks nothing of a wallet that is there
 * already, and resolves only when the wallet says that it is there. @throws WalletError
 */
export async function switchNetwork(connector: Connector, network: NetworkConfig): Promise<void> {
  const provider = await providerOf(connector)
  if (provider === undefined) throw new WalletError('not-installed', 'Wallet not installed')
  const chainId = Number(network.chainId)
  const ask = () =>
    provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: numberToHex(chainId) }] })
  const add = () => provider.request({ method: 'wallet_addEthereumChain', params: [toAdd(network)] })
  const isThere = async () => (await readChainId(provider)) === chainId
  try {
    if (!(await isThere())) await switchOrAdd(ask, add, isThere)
    if (!(await arrives(isThere))) throw new WalletError('wrong-chain', 'The wallet did not change to the network')
  } catch (error) {
    throw toWalletError(error, 'changing the network')
  }
  // Some wallets change without saying so; saying it twice does no harm.
  connector.onChainChanged(numberToHex(chainId))
}

async function switchOrAdd(
  ask: () => Promise<unknown>,
  add: () => Promise<unknown>,
  isThere: () => Promise<boolean>,
): Promise<void> {
  try {
    await ask()
  } catch (error) {
    // Wallets disagree on the code for "I do not know this chain", so anything else than a no or an earlier request means: add it.
    const { kind } = toWalletError(error, 'switching')
    if (kind === 'refused' || kind === 'dismissed' || kind === 'busy' || kind === 'gone') throw error
    await add()
    // EIP-3085 leaves open whether adding also switches.
    if (!(await arrives(isThere, ADDED_MS))) await ask()
  }
}

/** How long a wallet that has agreed may take to change, and how often it is asked meanwhile, in milliseconds. */
const CHANGE_MS = 6_000
const ADDED_MS = 1_500
const LOOK_MS = 250

async function arrives(isThere: () => Promise<boolean>, withinMs: number = CHANGE_MS): Promise<boolean> {
  for (let waited = 0; ; waited += LOOK_MS) {
    if (await isThere()) return true
    if (waited >= withinMs) return false
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** EIP-3085. Empty lists are left out: wallets refuse them. */
const toAdd = ({ chainId, chainName, nativeCurrency, rpcUrls, blockExplorerUrls }: NetworkConfig) => ({
  chainId: numberToHex(Number(chainId)),
  chainName,
  nativeCurrency,
  rpcUrls,
  ...(blockExplorerUrls.length > 0 ? { blockExplorerUrls } : {}),
})
