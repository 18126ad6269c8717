import { utcDay } from '@candela/protocol/calendar'
import { sharePrice } from '@candela/protocol/fund/fund'
import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { RATE_DECIMALS, WHOLE_UNIT } from '@candela/protocol/units'
import type { Database } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'
import { accountBalance } from '../../ledger/balances.ts'
import { memberAccount } from '../../ledger/chart.ts'
import { describeHolding, readHolding } from './holding.ts'
import { readPaidAhead } from './paid-ahead.ts'
import { type PriceRow, priceAfter, rateOf, readCloses } from './rate.ts'
import { readFund } from './read-fund.ts'

type Info = Data<'GET finance/info'>

const HISTORY_DAYS = 90

/** The fund, and a member's part of it. */
export async function getInfo(db: Database, memberId: bigint, now: Date): Promise<Info> {
  const [fund, closes, settings, available] = await Promise.all([
    readFund(db),
    readCloses(db, HISTORY_DAYS),
    readSettings(db),
    accountBalance(db, memberAccount(memberId, 'memberAvailable', 'USDT')),
  ])
  const [deficits, holding, ahead, rate] = await Promise.all([
    readDeficits(db, closes[0]),
    readHolding(db, memberId, fund, now),
    readPaidAhead(db, memberId, closes.at(-1)?.place ?? 0n),
    rateOf(db, closes),
  ])
  const { worth } = holding
  return {
    ...describeHolding(holding),
    paidAhead: fromBaseUnits(ahead),
    price: fromBaseUnits(sharePrice(fund)),
    fund: { assets: fromBaseUnits(fund.assets), shares: fromBaseUnits(fund.shares) },
    pending: fromBaseUnits(fund.pending),
    idle: fromBaseUnits(fund.idle),
    lent: fromBaseUnits(fund.claims + fund.pending),
    reserve: fromBaseUnits(fund.reserve),
    reserveShare: fromBaseUnits(BigInt(settings.reservePpm), RATE_DECIMALS),
    ...rate,
    available: fromBaseUnits(available),
    transferableIn: fromBaseUnits(available - (available % WHOLE_UNIT)),
    transferableOut: fromBaseUnits(worth < fund.idle ? worth : fund.idle),
    history: closes.map((close, place) => describeClose(close, closes[place - 1], deficits)),
  }
}

async function readDeficits(db: Database, since: PriceRow | undefined): Promise<PriceRow[]> {
  if (since === undefined) return []
  return db
    .selectFrom('fund_price')
    .selectAll()
    .where('reason', '=', 'deficit')
    .where('place', '>', since.place)
    .orderBy('place')
    .limit(HISTORY_DAYS)
    .execute()
}

/** @param before the close before, from which on the day's deficits count */
function describeClose(
  close: PriceRow,
  before: PriceRow | undefined,
  deficits: readonly PriceRow[],
): Info['history'][number] {
  const lost = deficits
    .filter(({ place }) => place < close.place && (before === undefined || place > before.place))
    .reduce((sum, row) => sum + row.assets_before - row.assets_after, 0n)
  return {
    day: close.day ?? utcDay(close.at),
    price: fromBaseUnits(priceAfter(close)),
    assets: fromBaseUnits(close.assets_after),
    shares: fromBaseUnits(close.shares),
    earned: fromBaseUnits(close.assets_after - close.assets_before),
    reserve: fromBaseUnits(close.reserve),
    deficit: fromBaseUnits(lost),
  }
}
