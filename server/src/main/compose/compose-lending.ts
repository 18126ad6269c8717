import type { CollateralAsset } from '@candela/protocol/lending/choices'
import type { Key } from '@candela/protocol/endpoints'
import { type Price, type Prices, readPrices as readObservedPrices } from '../../chain/price/price.ts'
import type { Database } from '../../db/open.ts'
import { readSettings, type Settings } from '../../db/settings.ts'
import type { Handlers } from '../../kernel/handler.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { readHourLeft, takeFromHour } from '../../modules/exchange/desk-limit.ts'
import { feeAt } from '../../modules/exchange/fee.ts'
import { auditFund } from '../../modules/fund/audit-fund.ts'
import { fundHandlers } from '../../modules/fund/endpoints.ts'
import { readHolding } from '../../modules/fund/holding.ts'
import { readFund } from '../../modules/fund/read-fund.ts'
import { auditLoansInSteps } from '../../modules/lending/loan/audit-loans.ts'
import { ceilingOf, readCeilingLeft, readOwedOn } from '../../modules/lending/loan/borrow/ceiling.ts'
import { isCharged } from '../../modules/lending/loan/daily/is-charged.ts'
import { loanHandlers } from '../../modules/lending/loan/endpoints.ts'
import { addMargin, closePart, readPart } from '../../modules/lending/loan/lever/lever-loan.ts'
import { openLever } from '../../modules/lending/loan/lever/open-lever.ts'
import { showLoan } from '../../modules/lending/loan/orders/get-loan.ts'
import { summarizeLoans } from '../../modules/lending/loan/orders/summarize-loans.ts'
import { leverHandlers } from '../../modules/lending/lever/endpoints.ts'
import { readLevel } from '../../modules/member/read-level.ts'
import { notify } from '../../modules/notice/notify.ts'
import { projectHandlers } from '../../modules/lending/project/endpoints.ts'
import type { ProjectCeilings } from '../../modules/lending/project/list-projects.ts'
import { addLent, lockProject, readOffers, readProject } from '../../modules/lending/project/lend.ts'

export type LendingParts = {
  db: Database
  ids: IdSource
  contracts: { gateway: `0x${string}`; usdt: `0x${string}` }
  /** The observed prices of the database; a test may fix them. */
  readPrices?: typeof readObservedPrices
}

type LendingKey = Extract<Key, `${string} ${'finance' | 'project' | 'lending' | 'lever'}/${string}`>

/** Every endpoint of the money fund, of projects, of loans and of leveraged loans. */
export function lendingHandlers({
  db,
  ids,
  contracts,
  readPrices = readObservedPrices,
}: LendingParts): Handlers<LendingKey> {
  const changes = { notify, addLent }
  const loanDeps = { ...changes, db, ids, readPrices, readProject, lockProject, readFundIdle, contracts }
  return {
    ...fundHandlers({ db, isCharged }),
    ...projectHandlers({ db, readFundIdle, readCeilings: ceilingsFrom(readPrices) }),
    ...loanHandlers(loanDeps),
    ...leverHandlers({
      db,
      ids,
      readPrices,
      readFeePpm,
      takeFromHour,
      readHourLeft,
      readPart,
      readFundIdle,
      openLever: (tx, loan, price, settings, now) => openLever(tx, changes, loan, price, settings, now),
      readCeilingLeft: (within, price, settings, { memberId, now }) =>
        readCeilingLeft(within, collateralOf(price), memberId, ceilingOf(price, settings, now)),
      addMargin: (tx, act, amount) => addMargin(tx, changes, act, amount),
      closePart: (tx, act, sell) => closePart(tx, changes, act, sell),
      showLoan: (loanNo, caller) => showLoan(db, readPrices, loanNo, caller),
    }),
  }
}

function collateralOf({ asset }: Price): CollateralAsset {
  if (asset === 'USDT') throw new RangeError('USDT is no collateral')
  return asset
}

/** What bounds the loans on each collateral, and what is owed on it. Nobody is member 0. */
const ceilingsFrom =
  (readPrices: typeof readObservedPrices) =>
  async (db: Database, settings: Settings, now: Date): Promise<ProjectCeilings> => {
    const prices = await readPrices(db, now)
    const of = async (asset: CollateralAsset) => ({
      depth: prices[asset].depth,
      ...ceilingOf(prices[asset], settings, now),
      owed: (await readOwedOn(db, asset, 0n)).all,
    })
    const [JU, HASH] = await Promise.all([of('JU'), of('HASH')])
    return { JU, HASH }
  }

/** What of lending has to agree with the ledger, for the hourly audit. */
export const lendingChecks = [
  auditLoansInSteps,
  async function* (db: Database) {
    yield await auditFund(db)
  },
] as const

export const readFundIdle = async (db: Database): Promise<bigint> => (await readFund(db)).idle

async function readFeePpm(db: Database, memberId: bigint): Promise<number> {
  const [{ exchangeFeePpm }, level] = await Promise.all([readSettings(db), readLevel(db, memberId)])
  return feeAt(exchangeFeePpm, level).feePpm
}

/** What the home screen takes of lending. */
export const overviewSources = (db: Database, readPrices: typeof readObservedPrices = readObservedPrices) => ({
  db,
  readPrices,
  readLevel,
  readFundWorth: async (reader: Database, { memberId, now }: { memberId: bigint; now: Date }) =>
    (await readHolding(reader, memberId, await readFund(reader), now)).worth,
  summarizeLoans,
  readOffers,
  readFundIdle,
  readCeilingsLeft: async (reader: Database, prices: Prices, { memberId, now }: { memberId: bigint; now: Date }) => {
    const settings = await readSettings(reader)
    const left = (asset: CollateralAsset) =>
      readCeilingLeft(reader, asset, memberId, ceilingOf(prices[asset], settings, now))
    const [JU, HASH] = await Promise.all([left('JU'), left('HASH')])
    return { JU, HASH }
  },
})
