import { testAccounts } from '@candela/testing/chain/accounts'
import { planDeployment } from './deploy-plan.ts'

type Contracts = { gateway: string; usdt: string; hash: string }

/**
 * The settings that a production build of the web app needs: the contracts that it lets wallets pay, and the RPCs that it gives them.
 */
export const chainEnvironment = (
  { gateway, usdt, hash }: Contracts,
  rpcUrls: readonly string[],
): Record<string, string> => ({
  VITE_GATEWAY_ADDRESS: gateway,
  VITE_USDT_ADDRESS: usdt,
  VITE_HASH_ADDRESS: hash,
  VITE_RPC_URLS: rpcUrls.join(','),
})

/** The settings of a development chain, which are known before it is deployed. Its RPC is on any port of this machine. */
export const developmentChain = async (): Promise<Record<string, string>> =>
  chainEnvironment((await planDeployment(testAccounts())).contracts, ['http://127.0.0.1'])
