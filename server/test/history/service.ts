import { createChainClient } from '@candela/server/chain/client'
import type { Database } from '@candela/server/db/open'
import type { Clock } from '@candela/server/kernel/clock'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { createService } from '@candela/testing/server/service'

const contract = (digit: string) => `0x${digit.repeat(40)}` as const

/** The service over a database, for calls that ask nothing of the chain: its node answers nobody. */
export function serviceWithoutChain(db: Database, clock: Clock) {
  const network = {
    chainId: `0x${CHAIN_ID.toString(16)}`,
    chainName: 'none',
    nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
    rpcUrls: [],
    blockExplorerUrls: [],
  }
  return createService({
    db,
    clock,
    client: createChainClient({ network, rpcUrl: 'http://127.0.0.1:9', retries: 0 }),
    network,
    contracts: { gateway: contract('c'), usdt: contract('d'), hash: contract('e') },
    confirmations: { normal: 12, large: 30, largeAbove: 10n ** 22n },
  })
}
