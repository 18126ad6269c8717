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
  const addAs = (asked: object) => provider.request({ method: 'wallet_addEthereumChain', params: [asked] } as never)
  const add = () => addAs(toAdd(network)).catch((error: unknown) => addAgain(error, network, addAs))
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
    await untilThere(ask(), isThere)
  } catch (error) {
    // Wallets disagree on the code for "I do not know this chain", so anything else than a no or an earlier request means: add it.
    if (isFinal(error)) throw error
    const problem = await untilThere(add(), isThere).then(
      () => null,
      (reason: unknown) => ({ reason }),
    )
    if (problem !== null && isFinal(problem.reason)) throw problem.reason
    // EIP-3085 leaves open whether adding also switches, and some wallets add the network and then say that they failed.
    if (!(await arrives(isThere, ADDED_MS)))
      await untilThere(ask(), isThere).catch((reason: unknown) => {
        throw problem === null ? reason : problem.reason
      })
  }
}

/** The person or the wallet has ended it, so nothing else is asked. */
function isFinal(error: unknown): boolean {
  const { kind } = toWalletError(error, 'switching')
  return kind === 'refused' || kind === 'dismissed' || kind === 'busy' || kind === 'gone'
}

/** Some wallets want to be told that there is no explorer. What they refuse as a parameter they have shown to nobody. */
async function addAgain(
  error: unknown,
  network: NetworkConfig,
  addAs: (asked: object) => Promise<unknown>,
): Promise<unknown> {
  const isRefusedParameter = (error as { code?: unknown } | null)?.code === INVALID_PARAMS
  if (!isRefusedParameter || network.blockExplorerUrls.length > 0) throw error
  return await addAs({ ...toAdd(network), blockExplorerUrls: null })
}

/** A code of JSON-RPC. */
const INVALID_PARAMS = -32_602

/** Some wallets change the network and never answer. */
async function untilThere(asked: Promise<unknown>, isThere: () => Promise<boolean>): Promise<void> {
  const changed = Promise.withResolvers<void>()
  const timer = setInterval(() => {
    void isThere().then(
      (isSo) => isSo && changed.resolve(),
      () => undefined,
    )
  }, CHANGED_MS)
  try {
    await Promise.race([asked, changed.promise])
  } finally {
    clearInterval(timer)
  }
}

/** How long a wallet that has agreed may take to change, and how often it is asked meanwhile, in milliseconds. */
const CHANGE_MS = 6_000
const ADDED_MS = 1_500
const LOOK_MS = 250
/** How often a wallet is asked where it is while its window is open. */
const CHANGED_MS = 1_000

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
