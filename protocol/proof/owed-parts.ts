import { z } from 'zod'
import { dayData } from '../fields.ts'
import { type Position, owedTo, type Valuation } from './owed.ts'
import { firstProofFile, secretProofFile, sumData } from './proof-file.ts'
import type { Sums } from './sum-tree.ts'

/**
 * Facts that one member's leaf was computed from, as JSON: the answer of `solvency/owed`, which a saved proof can have beside it.
 * Amounts are base units as decimal texts.
 */

const perAsset = z.object({ USDT: sumData, HASH: sumData, JU: sumData })

export const owedParts = z.object({
  day: dayData,
  /** Balances are those after this posting of the ledger and before the next. */
  ledgerSequence: z.string().regex(/^[0-9]{1,19}$/),
  available: perAsset,
  /** Set aside for withdrawals. */
  held: perAsset,
  /** Base units of shares of the money fund. */
  shares: sumData,
  /** All of the fund: USDT, and shares. */
  fund: z.object({ assets: sumData, shares: sumData }),
  /** Amounts that shares are parts of, and how many they are without those that debts take. Without it a share counts at its worth in USDT. */
  pool: perAsset.extend({ shares: sumData }).optional(),
  /** USDT for a whole unit, the 30-minute average; null where nobody knew it. */
  prices: z.object({ JU: sumData.nullable(), HASH: sumData.nullable() }),
  /** Debt of all loans. */
  collateral: z.object({ JU: sumData, HASH: sumData }),
  /** USDT that all loans owe. */
  debt: sumData,
  /** Amounts that the contract paid in blocks after the attested one. */
  paidLater: perAsset,
})

export type OwedParts = z.infer<typeof owedParts>

/** A proof as the app saves it: with what its leaf was computed from, where the service told that. */
export const savedProof = z.discriminatedUnion('version', [
  firstProofFile.extend({ parts: owedParts.optional() }),
  secretProofFile.extend({ parts: owedParts.optional() }),
])

export type SavedProof = z.infer<typeof savedProof>

const amountsOf = ({ USDT, HASH, JU }: z.infer<typeof perAsset>): Position['paidLater'] => ({
  USDT: BigInt(USDT),
  HASH: BigInt(HASH),
  JU: BigInt(JU),
})

const priceOf = (text: string | null): bigint | null => (text === null ? null : BigInt(text))

export function positionOf({ available, held, shares, collateral, debt, paidLater }: OwedParts): Position {
  const [free, aside] = [amountsOf(available), amountsOf(held)]
  return {
    balances: { USDT: free.USDT + aside.USDT, HASH: free.HASH + aside.HASH, JU: free.JU + aside.JU },
    shares: BigInt(shares),
    collateral: { JU: BigInt(collateral.JU), HASH: BigInt(collateral.HASH) },
    debt: BigInt(debt),
    paidLater: amountsOf(paidLater),
  }
}

export const valuationOf = ({ fund, pool, prices }: OwedParts): Valuation => ({
  fund: { assets: BigInt(fund.assets), shares: BigInt(fund.shares) },
  pool: pool === undefined ? null : { amounts: amountsOf(pool), shares: BigInt(pool.shares) },
  prices: { JU: priceOf(prices.JU), HASH: priceOf(prices.HASH) },
})

/** Amounts owed by the parts: the amounts of the leaf, to the base unit. */
export const owedByParts = (parts: OwedParts): Sums => owedTo(positionOf(parts), valuationOf(parts))
