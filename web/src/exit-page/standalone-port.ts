import { CHAIN_ID, CHAIN_ID_HEX } from '@candela/protocol/chain/network'
import { openRpc } from '../api/rpc.ts'
import type { ExitPort } from '../proof/exit-flow.tsx'
import type { Ask } from '../wallet/attestation.ts'
import { findProvider } from '../wallet/injected/discovery.ts'

const walletAsk: Ask = async (method, params) => {
  const provider = await findProvider(window)
  if (provider === null) throw new Error('no wallet')
  return provider.request({ method, params })
}

/** A wallet of the browser alone; the chain is read by the RPC that the person names, or else by the wallet. */
export const standalonePort: ExitPort = {
  hasRpc: true,
  asker: (rpc) => (rpc === '' ? walletAsk : openRpc(rpc)),
  async connect() {
    const [account] = (await walletAsk('eth_requestAccounts', [])) as string[]
    if (account === undefined) throw new Error('the wallet gave no account')
    if (Number(await walletAsk('eth_chainId', [])) !== CHAIN_ID)
      await walletAsk('wallet_switchEthereumChain', [{ chainId: CHAIN_ID_HEX }])
    return account
  },
  send: async (transaction) =>
    String(await walletAsk('eth_sendTransaction', [{ ...transaction, chainId: CHAIN_ID_HEX }])),
}
