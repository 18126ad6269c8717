import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { addressData, amountData, dayData } from '../fields.ts'

const networkData = z.object({
  chainId: z.string().regex(/^0x[0-9a-f]+$/),
  chainName: z.string(),
  nativeCurrency: z.object({ name: z.string(), symbol: z.string(), decimals: z.int() }),
  rpcUrls: z.array(z.string()),
  blockExplorerUrls: z.array(z.string()),
})

export const homeEndpoints = {
  'GET home/public': endpoint({
    summary: 'Live public figures, and the network and contracts that the app works with.',
    auth: 'public',
    input: z.object({}),
    data: z.object({
      /** Active units over all accounts. */
      totalUnits: z.int().nonnegative(),
      unit: z.string(),
      accounts: z.int().nonnegative(),
      /** Revenue and output per unit of the last closed day, in HASH; null before the first close. */
      yesterday: z.object({ day: dayData, revenue: amountData, outputPerUnit: amountData }).nullable(),
      /** Annualised rate of the money fund as a fraction; null until the fund runs. */
      fundRate: amountData.nullable(),
      /** Held ÷ owed, as a fraction, at the last reconciliation; null before the first. */
      solvency: amountData.nullable(),
      network: networkData,
      contracts: z.object({ gateway: addressData, usdt: addressData, hash: addressData }),
      confirmations: z.object({ normal: z.int().positive(), large: z.int().positive(), largeAboveUsdt: amountData }),
    }),
    errors: [],
  }),
}
