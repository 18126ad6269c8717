import type { NetworkConfig } from '@candela/protocol/chain/network'
import { createPublicClient, createWalletClient, defineChain, type Hash, type Hex, http } from 'viem'
import type { HDAccount } from 'viem/accounts'

/** A payment as a page asks for it, with the amounts read. */
export type Payment = { to: Hex | null; data: Hex | undefined; value: bigint; gas: bigint | undefined }

/** A payment that is ready for a decision. All amounts in base units of the native currency. */
export type PreparedPayment = Payment & {
  gas: bigint
  gasPrice: bigint
  /** The most that the network can take. */
  maxFee: bigint
  balance: bigint
  symbol: string
}

export type DemoChain = ReturnType<typeof connectChain>

/** The development chain behind the wallet, reached over its own RPC like any wallet reaches its chain. */
export function connectChain(network: NetworkConfig) {
  const chain = defineChain({
    id: Number(network.chainId),
    name: network.chainName,
    nativeCurrency: network.nativeCurrency,
    rpcUrls: { default: { http: network.rpcUrls } },
  })
  const client = createPublicClient({ chain, transport: http() })

  return {
    /** Reads, as the page sent them. */
    request: (method: string, params: unknown): Promise<unknown> => client.request({ method, params } as never),

    balanceOf: (address: Hex): Promise<bigint> => client.getBalance({ address }),

    async prepare(from: Hex, payment: Payment): Promise<PreparedPayment> {
      const { to, data, value } = payment
      const call = { account: from, to, value, ...(data === undefined ? {} : { data }) }
      const [fees, balance, gas] = await Promise.all([
        // Every chain takes a transaction of the first kind, also one without a base fee.
        client.estimateFeesPerGas({ type: 'legacy' }),
        client.getBalance({ address: from }),
        payment.gas ?? client.estimateGas(call),
      ])
      return { ...payment, ...fees, gas, balance, maxFee: gas * fees.gasPrice, symbol: chain.nativeCurrency.symbol }
    },

    /** Signs with the account's own key and sends the raw transaction. */
    async send(account: HDAccount, payment: PreparedPayment): Promise<Hash> {
      const { to, data, value, gas, gasPrice } = payment
      const nonce = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
      const signer = createWalletClient({ account, chain, transport: http() })
      return await signer.sendTransaction({
        to,
        value,
        gas,
        gasPrice,
        nonce,
        ...(data === undefined ? {} : { data }),
      })
    },
  }
}
