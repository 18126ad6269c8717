import { CHAIN_ID, CHAIN_ID_HEX } from '@candela/protocol/chain/network'
import { openRpc } from '../api/rpc.ts'
import { createStore } from '../lib/store.ts'
import { ExitError } from '../proof/exit/exit-error.ts'
import type { ExitPort, WalletChoice } from '../proof/exit/exit-flow.tsx'
import type { Ask } from '../wallet/attestation.ts'
import {
  type BrowserWallet,
  discoverWallets,
  type WalletDiscovery,
  type WalletWindow,
} from '../wallet/injected/discovery.ts'
import { standardProvider } from '../wallet/injected/standard-provider.ts'

/** Wallets announce themselves at once; those of in-app browsers come a moment later. */
const SETTLE_MS = 1_000

/** A wallet of the browser alone; the chain is read by the RPC that the person names, or else by the wallet. */
export function openStandalonePort(page: WalletWindow): ExitPort {
  const choice = createStore<WalletChoice>({ options: [], chosen: null })
  let discovery: WalletDiscovery | undefined
  const here = (): BrowserWallet[] => (discovery?.wallets() ?? []).filter(({ provider }) => provider() !== null)
  const look = () => choice.set({ ...choice.get(), options: here().map(({ id, name }) => ({ id, name })) })
  // Wallets that are there already are found while this is made.
  discovery = discoverWallets(page, look)
  look()

  /** One and the same for everything that is asked. */
  async function chosenWallet(): Promise<BrowserWallet> {
    await discovery?.settle(SETTLE_MS)
    const wallets = here()
    look()
    const { chosen } = choice.get()
    const wallet = chosen === null && wallets.length === 1 ? wallets[0] : wallets.find(({ id }) => id === chosen)
    if (wallet === undefined) throw new ExitError(wallets.length === 0 ? 'noWallet' : 'chooseWallet')
    choice.set({ ...choice.get(), chosen: wallet.id })
    return wallet
  }

  const walletAsk: Ask = async (method, params) => {
    const provider = (await chosenWallet()).provider()
    if (provider === null) throw new ExitError('noWallet')
    return standardProvider(provider).request({ method, params } as never)
  }

  return {
    hasRpc: true,
    wallets: { store: choice, choose: (chosen) => choice.set({ ...choice.get(), chosen }) },
    asker: (rpc) => (rpc === '' ? walletAsk : openRpc(rpc)),
    async connect() {
      const accounts = await walletAsk('eth_requestAccounts', [])
      const account: unknown = Array.isArray(accounts) ? accounts[0] : undefined
      if (typeof account !== 'string' || !/^0x[0-9a-f]{40}$/i.test(account)) throw new ExitError('noAccount')
      if (Number(await walletAsk('eth_chainId', [])) !== CHAIN_ID)
        await walletAsk('wallet_switchEthereumChain', [{ chainId: CHAIN_ID_HEX }])
      return account
    },
    send: async (transaction) =>
      String(await walletAsk('eth_sendTransaction', [{ ...transaction, chainId: CHAIN_ID_HEX }])),
  }
}
