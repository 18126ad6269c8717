import { z } from 'zod'
import { WHOLE } from './amounts.ts'
import type { Sums } from './sum-tree.ts'

/**
 * Computes what is owed to one member by what it had, written from the document alone. Amounts are base units:
 *
 *   USDT = available + held + part of the fund - what a debt takes of it + paid later
 *   HASH, JU = available + held + collateral + part of the fund - what a debt takes of the collateral + paid later
 *
 * A debt takes USDT first, then fund shares at their worth, then collateral. The part of the fund is that of the shares which are left.
 * Where the service names no pool, as in days of before, the shares' worth is counted with the USDT instead.
 */

const base = z.string().regex(/^\d{1,39}$/)
const perAsset = z.object({ USDT: base, HASH: base, JU: base })
const pair = z.object({ JU: base, HASH: base })

export const partsForm = z.object({
  day: z.string(),
  ledgerSequence: z.string(),
  available: perAsset,
  held: perAsset,
  shares: base,
  fund: z.object({ assets: base, shares: base }),
  pool: z.object({ USDT: base, HASH: base, JU: base, shares: base }).optional(),
  prices: z.object({ JU: base.nullable(), HASH: base.nullable() }),
  collateral: pair,
  debt: base,
  paidLater: perAsset,
})
export type Parts = z.infer<typeof partsForm>

/** Added to the fund's assets and to its shares, while the assets are no less than the shares. */
const VIRTUAL = 10n ** 9n

function worthOf({ shares, fund }: Parts): bigint {
  const [assets, all] = [BigInt(fund.assets), BigInt(fund.shares)]
  const added = assets < all ? 0n : VIRTUAL
  return BigInt(shares) === 0n ? 0n : (BigInt(shares) * (assets + added)) / (all + added)
}

export function owedBy(parts: Parts): Sums {
  const has = (asset: 'USDT' | 'HASH' | 'JU') => BigInt(parts.available[asset]) + BigInt(parts.held[asset])
  let left = BigInt(parts.debt)
  const { pool } = parts
  const worth = worthOf(parts)
  let usdt = has('USDT') + (pool === undefined ? worth : 0n)
  const fromUsdt = left < usdt ? left : usdt
  usdt -= fromUsdt
  left -= fromUsdt
  let shares = pool === undefined ? 0n : BigInt(parts.shares)
  if (shares > 0n && worth > 0n) {
    const fromShares = left < worth ? left : worth
    shares -= (shares * fromShares) / worth
    left -= fromShares
  }
  const part = (asset: 'USDT' | 'HASH' | 'JU') =>
    pool === undefined || shares === 0n ? 0n : (shares * BigInt(pool[asset])) / BigInt(pool.shares)
  const pledged = { JU: BigInt(parts.collateral.JU), HASH: BigInt(parts.collateral.HASH) }
  for (const asset of ['JU', 'HASH'] as const) {
    const price = BigInt(parts.prices[asset] ?? '0')
    if (left === 0n || price === 0n) continue
    const needed = (left * WHOLE) / price
    left = needed <= pledged[asset] ? 0n : left - (pledged[asset] * price) / WHOLE
    pledged[asset] -= needed < pledged[asset] ? needed : pledged[asset]
  }
  return [
    usdt + part('USDT') + BigInt(parts.paidLater.USDT),
    has('HASH') + pledged.HASH + part('HASH') + BigInt(parts.paidLater.HASH),
    has('JU') + pledged.JU + part('JU') + BigInt(parts.paidLater.JU),
  ]
}
