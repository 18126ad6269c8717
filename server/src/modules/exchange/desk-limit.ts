import { codes } from '@candela/protocol/codes/codes'
import type { AssetCode } from '@candela/protocol/money/assets'
import { fromBaseUnits, mulDiv, mulDivUp } from '@candela/protocol/money/money'
import { HOUR_MS, MINUTE_MS, WHOLE_UNIT } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Prices } from '../../chain/price/price.ts'
import { advisoryLocks } from '../../db/advisory-locks.ts'
import type { Database, Tx } from '../../db/open.ts'
import { queryRows } from '../../db/query-rows.ts'
import { AppError } from '../../kernel/errors.ts'

/**
 * In an hour the desk takes of an asset at most a part of what its pair holds, net of what it gives, and gives at most as
 * much: what can be gained by moving a pair's price must be less than what moving it costs. USDT has no pair and no limit.
 */

const BPS = 10_000n
const MICRO = 10n ** 12n

/** An exchange as the limits see it. `fromPrice` in USDT base units per whole unit, `worth` in USDT base units. */
export type Flow = { from: AssetCode; to: AssetCode; fromPrice: bigint }
type Limits = { prices: Prices; hourBps: number; now: Date }
type Side = { asset: AssetCode; sign: 1n | -1n }

/** By name, so that exchanges that need the same locks wait for them in the same order. */
const sidesOf = ({ from, to }: Flow): Side[] =>
  ([{ asset: from, sign: 1n } as const, { asset: to, sign: -1n } as const] satisfies Side[])
    .filter(({ asset }) => asset !== 'USDT')
    .toSorted((a, b) => (a.asset < b.asset ? -1 : 1))

/** How much of `from` the desk takes now, in base units: what the hour that ends now has left. */
export async function readHourLeft(db: Database, flow: Flow, limits: Limits): Promise<bigint> {
  return mulDiv(await readWorthLeft(db, flow, limits), WHOLE_UNIT, flow.fromPrice)
}

/** Reads the amount that both limits of an hour leave, by its worth in USDT base units. */
async function readWorthLeft(db: Database, flow: Flow, { prices, hourBps, now }: Limits): Promise<bigint> {
  const nets = await readNets(db, now)
  const left = sidesOf(flow).map(({ asset, sign }) => {
    const limit = ((prices[asset].liquidity ?? 0n) * BigInt(hourBps)) / BPS
    return limit - sign * (nets.get(asset) ?? 0n)
  })
  const smaller = left.reduce((one, other) => (other < one ? other : one))
  return smaller > 0n ? smaller : 0n
}

const netRow = z.object({ asset: z.enum(['JU', 'HASH']), net: z.bigint() })

async function readNets(db: Database, now: Date): Promise<Map<AssetCode, bigint>> {
  const rows = await queryRows(
    db,
    netRow,
    sql`select asset, sum(net) as net from desk_flow where minute > ${hourBefore(now)} group by asset`,
  )
  return new Map(rows.map(({ asset, net }) => [asset, net]))
}

/**
 * Counts an exchange of `amountIn`. Exchanges of one asset run one after the other until their transactions end.
 * @throws AppError 4203 with how much is left
 */
export async function takeFromHour(tx: Tx, flow: Flow, amountIn: bigint, limits: Limits): Promise<void> {
  const sides = sidesOf(flow)
  for (const { asset } of sides) {
    await sql`select pg_advisory_xact_lock(${advisoryLocks.desk}, hashtext(${asset}))`.execute(tx)
  }
  requireLeft(amountIn, await readHourLeft(tx, flow, limits), flow.from)
  const worth = mulDivUp(amountIn, flow.fromPrice, WHOLE_UNIT)
  for (const { asset, sign } of sides) {
    await tx.deleteFrom('desk_flow').where('asset', '=', asset).where('minute', '<=', hourBefore(limits.now)).execute()
    await tx
      .insertInto('desk_flow')
      .values({ asset, minute: minuteOf(limits.now), net: sign * worth })
      .onConflict((conflict) =>
        conflict.columns(['asset', 'minute']).doUpdateSet({ net: sql`desk_flow.net + excluded.net` }),
      )
      .execute()
  }
}

/** @throws AppError 4203 for more than is `left`, in base units; it says how much that is, cut to six decimals */
export function requireLeft(amountIn: bigint, left: bigint, from: AssetCode): void {
  if (amountIn <= left) return
  throw new AppError(codes.aboveLimit, { limit: `${fromBaseUnits(left - (left % MICRO))} ${from}` })
}

const minuteOf = (now: Date): Date => new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS)

/** A minute counts until its last second is an hour old. */
const hourBefore = (now: Date): Date => new Date(now.getTime() - HOUR_MS - MINUTE_MS)
