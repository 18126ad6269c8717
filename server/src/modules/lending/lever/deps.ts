import type { LoanItem } from '@candela/protocol/endpoints/lending'
import type { CollateralAsset } from '@candela/protocol/lending/choices'
import type { AssetCode } from '@candela/protocol/money/assets'
import type { Price, Prices } from '../../../chain/price/price.ts'
import type { Database, Tx } from '../../../db/open.ts'
import type { Settings } from '../../../db/settings.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { LeverPart } from './plan-close.ts'

export type Caller = { memberId: bigint; now: Date }

/** Of a loan's own part: what is done to a leveraged loan by its owner. */
type Act = { loanNo: string; memberId: bigint; requestId: string; now: Date }

type Flow = { from: AssetCode; to: AssetCode; fromPrice: bigint }
type Limits = { prices: Prices; hourBps: number; now: Date }

export type NewLever = {
  loan_no: string
  member_id: bigint
  collateral_asset: CollateralAsset
  rate_ppm: number
  initial_ppm: number
  safety_ppm: number
  clearing_ppm: number
  lent: bigint
  days: number
  margin: bigint
  ratio_tenths: number
  bought: bigint
  buy_price: bigint
  fee: bigint
}

export type LeverDeps = {
  db: Database
  ids: Pick<IdSource, 'orderNumber'>
  readPrices: (db: Database, now: Date) => Promise<Prices>
  /** The exchange's fee for a member, in millionths. */
  readFeePpm: (db: Database, memberId: bigint) => Promise<number>
  /** Counts what the desk takes or gives for its hourly limit. @throws AppError 4203 */
  takeFromHour: (tx: Tx, flow: Flow, amountIn: bigint, limits: Limits) => Promise<void>
  /** How much of `from` the desk takes now, in base units. */
  readHourLeft: (db: Database, flow: Flow, limits: Limits) => Promise<bigint>
  /** Money of the fund that is not lent, USDT base units. */
  readFundIdle: (db: Database) => Promise<bigint>
  openLever: (tx: Tx, loan: NewLever, price: Price, settings: Settings, now: Date) => Promise<void>
  /** What a member can still owe on a collateral, USDT base units. */
  readCeilingLeft: (db: Database, price: Price, settings: Settings, caller: Caller) => Promise<bigint>
  addMargin: (tx: Tx, act: Act, amount: bigint) => Promise<void>
  closePart: (
    tx: Tx,
    act: Act & { percent: number },
    sell: (part: LeverPart) => Promise<{ sold: bigint; proceeds: bigint; fee: bigint }>,
  ) => Promise<{ sold: bigint; proceeds: bigint; fee: bigint; repaid: bigint; kept: bigint }>
  readPart: (db: Database, part: Omit<Act, 'requestId'> & { percent: number }) => Promise<LeverPart>
  showLoan: (loanNo: string, caller: Caller) => Promise<LoanItem>
}
