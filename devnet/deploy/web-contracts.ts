import { testAccounts } from '@candela/testing/chain/accounts'
import { planDeployment } from './deploy-plan.ts'

type Contracts = { gateway: string; usdt: string; hash: string }

/** What a production build of the web app needs: the contracts that it lets wallets pay. */
export const contractsEnvironment = ({ gateway, usdt, hash }: Contracts): Record<string, string> => ({
  VITE_GATEWAY_ADDRESS: gateway,
  VITE_USDT_ADDRESS: usdt,
  VITE_HASH_ADDRESS: hash,
})

/** Those of a development chain, which are known before it is deployed. */
export const developmentContracts = async (): Promise<Record<string, string>> =>
  contractsEnvironment((await planDeployment(testAccounts())).contracts)
