import type { Tx } from '../../db/open.ts'
import { deviates } from './average-price.ts'
import { type PricedAsset, readFacts, writeReference } from './facts.ts'
import { type Price, priceFrom } from './price.ts'
import { RETURN_BPS } from './reference.ts'

/** `elsewhere`: the pair's price is more than 10 % from what the operator says that it is. */
export type Resumption = { result: 'resumed' | 'notHalted' | 'stale' | 'elsewhere'; price: Price }

/**
 * Ends the halt of a price at the price that the operator has found elsewhere, in USDT base units per whole unit. That
 * is the average of a day from then on, until later observations replace it.
 */
export async function resumePrice(tx: Tx, asset: PricedAsset, found: bigint, now: Date): Promise<Resumption> {
  await tx.selectFrom('price_reference').select('asset').where('asset', '=', asset).forUpdate().execute()
  const facts = (await readFacts(tx)).get(asset)
  const price = priceFrom(asset, facts, now)
  if (facts === undefined || facts.reference.haltedAt === null) return { result: 'notHalted', price }
  if (price.pauseReason === 'stale') return { result: 'stale', price }
  const isFar = [price.spot, price.average].some((seen) => seen === null || deviates(seen, found, RETURN_BPS))
  if (isFar) return { result: 'elsewhere', price }
  await writeReference(tx, asset, { price: found, since: facts.latest.at, haltedAt: null })
  return { result: 'resumed', price }
}
