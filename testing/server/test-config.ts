import { WHOLE_UNIT } from '@candela/protocol/units'
import { type TestChain, startTestChain } from '../chain/test-chain.ts'
import { type Config, readConfig } from '@candela/server/main/config'

/** A test chain with filled pairs, and the settings of a server that works on it. */
export async function startChainForServer(): Promise<{ chain: TestChain; env: Record<string, string> }> {
  const chain = await startTestChain()
  const pairs = await chain.openPairs({
    hash: 1_000_000n * WHOLE_UNIT,
    hashUsdt: 500_000n * WHOLE_UNIT,
    ju: 1_000n * WHOLE_UNIT,
    juUsdt: 8_000n * WHOLE_UNIT,
  })
  const env = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    RPC_URL: chain.url,
    GATEWAY_ADDRESS: chain.gateway,
    USDT_ADDRESS: chain.usdt,
    HASH_ADDRESS: chain.hash,
    WJU_ADDRESS: chain.wju,
    HASH_PAIR_ADDRESS: pairs.hashPair,
    JU_PAIR_ADDRESS: pairs.juPair,
    START_BLOCK: String(chain.startBlock),
    CONFIRMATIONS: '2',
    CONFIRMATIONS_LARGE: '2',
    POLL_INTERVAL_MS: '50',
    // The chain of a test stands still between what the test does, which takes long on a busy machine.
    MAX_HEAD_AGE_S: '3600',
  }
  return { chain, env }
}

/** The settings with port 0, which the environment does not take: the system chooses. */
export function configOnAnyPort(env: Record<string, string>): Config {
  const config = readConfig(env)
  return { ...config, http: { ...config.http, port: 0 } }
}
