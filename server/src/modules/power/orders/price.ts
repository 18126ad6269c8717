import type { AssetCode } from '@candela/protocol/money/assets'
import { codes } from '@candela/protocol/codes/codes'
import type { Database } from '../../../db/open.ts'
import { AppError } from '../../../kernel/errors.ts'
import { type PaymentAsset, USDT_PRICE } from './quote.ts'

/** Average price in USDT base units per whole unit; null while it is paused or unknown. */
export type ReadPrice = (db: Database, asset: AssetCode, now: Date) => Promise<bigint | null>

/** The price to sell at, in USDT base units per whole unit; USDT always has one. @throws AppError 5031 while it is paused */
export async function requirePrice(
  readPrice: ReadPrice,
  db: Database,
  asset: PaymentAsset,
  now: Date,
): Promise<bigint> {
  if (asset === 'USDT') return USDT_PRICE
  const price = await readPrice(db, asset, now)
  if (price === null) throw new AppError(codes.pricePaused, { asset })
  return price
}
