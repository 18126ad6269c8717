import { testAccounts } from '@candela/testing/chain/accounts'
import { stablecoinAbi } from '@candela/protocol/abi/stablecoin'
import { uniswapV2PairAbi, uniswapV2RouterAbi } from '@candela/protocol/abi/uniswap-v2'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { createPublicClient, createWalletClient, defineChain, encodeFunctionData, http } from 'viem'
import { withDatabase } from './database.ts'
import type { Product } from './products/product.ts'
import { FACT_MS } from '@candela/testing/browser/timeouts'
import { waitUntil } from '@candela/testing/browser/wait-until'

type Address = `0x${string}`
type Call = { to: Address; data: Address; value?: bigint }

/** Amounts in base units. The development chain's owner trades: it has plenty of everything. */
export type Trade =
  | { sell: 'JU'; amount: bigint }
  | { sell: 'HASH'; amount: bigint }
  | { sell: 'USDT'; amount: bigint; for: 'HASH' }

/** A real swap on a pair, and then the wait until the service has seen the new price. */
export async function trade(product: Product, wanted: Trade): Promise<void> {
  const { router, usdt, hash, wju } = product.contracts
  const [owner] = testAccounts()
  if (owner === undefined) throw new Error('There are no test accounts')
  const chain = defineChain({
    id: CHAIN_ID,
    name: 'development chain',
    nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
    rpcUrls: { default: { http: [product.rpcUrl] } },
    blockTime: 1_000,
  })
  const sender = createWalletClient({ account: owner.account, chain, transport: http() })
  const client = createPublicClient({ chain, transport: http() })
  const swap = (name: 'swapExactTokensForTokens', path: readonly Address[]): Call => {
    const args = [wanted.amount, 1n, path, owner.address, 2n ** 40n] as const
    return { to: router, data: encodeFunctionData({ abi: uniswapV2RouterAbi, functionName: name, args }) }
  }
  const calls: Record<Trade['sell'], () => Call> = {
    JU: () => ({
      to: router,
      value: wanted.amount,
      data: encodeFunctionData({
        abi: uniswapV2RouterAbi,
        functionName: 'swapExactETHForTokens',
        args: [1n, [wju, usdt], owner.address, 2n ** 40n],
      }),
    }),
    HASH: () => swap('swapExactTokensForTokens', [hash, usdt]),
    USDT: () => swap('swapExactTokensForTokens', [usdt, hash]),
  }
  const token = wanted.sell === 'JU' ? null : wanted.sell === 'HASH' ? hash : usdt
  const approve = { abi: stablecoinAbi, functionName: 'approve', args: [router, wanted.amount] } as const
  const all = [...(token === null ? [] : [{ to: token, data: encodeFunctionData(approve) }]), calls[wanted.sell]()]
  let block = 0n
  for (const call of all) {
    const transaction = await sender.sendTransaction(call)
    const receipt = await client.waitForTransactionReceipt({
      hash: transaction,
      pollingInterval: 100,
      timeout: FACT_MS,
    })
    if (receipt.status !== 'success') throw new Error(`The trade ${transaction} was reverted`)
    block = receipt.blockNumber
  }
  await untilSeen(product, wanted.sell === 'JU' ? 'JU' : 'HASH', block)
}

/**
 * Sells so much JU that its price falls to this part of what it is, in millionths. The pair takes 0.3 % of what is sold, so
 * the price ends within some millionths of it.
 */
export async function sinkJu(product: Product, to_ppm: number): Promise<void> {
  const { juPair, wju } = product.contracts
  const client = createPublicClient({ transport: http(product.rpcUrl) })
  const pair = { abi: uniswapV2PairAbi, address: juPair } as const
  const [token0, reserves] = await Promise.all([
    client.readContract({ ...pair, functionName: 'token0' }),
    client.readContract({ ...pair, functionName: 'getReserves' }),
  ])
  const reserve = token0.toLowerCase() === wju.toLowerCase() ? reserves[0] : reserves[1]
  const more = Math.round((Math.sqrt(1_000_000 / to_ppm) - 1) * 1_001_500)
  await trade(product, { sell: 'JU', amount: (reserve * BigInt(more)) / 1_000_000n })
}

/** Waits until the service has read the price of an asset at this block or after it. */
export function untilSeen(product: Product, asset: 'JU' | 'HASH', block: bigint): Promise<void> {
  return withDatabase(product, async (db) => {
    const newest = async () => {
      const query = db.selectFrom('price_observation').select('block_number').where('asset', '=', asset)
      return (await query.orderBy('at', 'desc').limit(1).executeTakeFirst())?.block_number ?? 0n
    }
    await waitUntil(
      `the service has read the price of ${asset} at block ${block}`,
      async () => (await newest()) >= block,
    )
  })
}
