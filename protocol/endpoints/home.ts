import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { addressData, amountData, dayData, signedAmountData } from '../fields.ts'
import { fundClosesData } from './finance.ts'
import { safetyData } from './lending.ts'
import { solvencyData } from './solvency.ts'

const perAsset = z.object({ JU: amountData, USDT: amountData, HASH: amountData })

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
      /** Rate of the money fund over seven days, as a fraction: a gain annualised, a loss as it was; null until two days are closed. */
      fundRate: signedAmountData.nullable(),
      /** Closes that `fundRate` is computed from. Null where it is. */
      fundRateCloses: fundClosesData.nullable(),
      /** At the last reconciliation; null before the first. */
      solvency: solvencyData.nullable(),
      /** Nothing new of the chain is known for longer than payments may wait: they are credited once it goes on. */
      chainDelayed: z.boolean(),
      network: networkData,
      /** For wallets on other devices; null where the operator offers none. */
      walletConnect: z.object({ projectId: z.string(), relayUrl: z.string() }).nullable(),
      contracts: z.object({ gateway: addressData, usdt: addressData, hash: addressData }),
      confirmations: z.object({ normal: z.int().positive(), large: z.int().positive(), largeAboveUsdt: amountData }),
    }),
    errors: [],
  }),
  'GET home/overview': endpoint({
    summary: 'All figures of the caller’s home screen, with what they are computed from.',
    auth: 'session',
    input: z.object({}),
    data: z.object({
      level: z.int().nonnegative(),
      /** In USDT, as are all amounts here. Null when something is had whose price is unknown. */
      totalAssets: signedAmountData.nullable(),
      /** Available and held, at average prices. */
      accountBalance: amountData.nullable(),
      creditLimit: amountData,
      /** The amount that ends all loans today, with the handling fees that have come due. */
      loanAmount: amountData,
      /** Fund shares at their price. */
      financialAmount: amountData,
      /** Amounts that `totalAssets` computes the sum from, in whole units of each asset. */
      balances: perAsset,
      collateral: z.object({ JU: amountData, HASH: amountData }),
      prices: z.object({ JU: amountData.nullable(), USDT: amountData, HASH: amountData.nullable() }),
      /** LTV of the loan that is nearest to its clearing line; null without a loan. */
      mortgage: z
        .object({
          loanNo: z.string(),
          kind: z.enum(['project', 'lever']),
          safetyLine: amountData,
          clearingLine: amountData,
          safety: safetyData,
        })
        .nullable(),
      openLoans: z.int().nonnegative(),
      nextRepayment: z.object({ loanNo: z.string(), amount: amountData, dueOn: dayData }).nullable(),
    }),
    errors: [],
  }),
}
