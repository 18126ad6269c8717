import type { Key } from '@candela/protocol/endpoints'
import { readPrices as readObservedPrices } from '../../chain/price/price.ts'
import type { Database } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'
import type { Handlers } from '../../kernel/handler.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { takeFromHour } from '../../modules/exchange/desk-limit.ts'
import { feeAt } from '../../modules/exchange/fee.ts'
import { auditFund } from '../../modules/fund/audit-fund.ts'
import { fundHandlers } from '../../modules/fund/endpoints.ts'
import { readHolding } from '../../modules/fund/holding.ts'
import { readFund } from '../../modules/fund/read-fund.ts'
import { auditLoansInSteps } from '../../modules/loan/audit-loans.ts'
import { isCharged } from '../../modules/loan/daily/is-charged.ts'
import { loanHandlers } from '../../modules/loan/endpoints.ts'
import { addMargin, closePart } from '../../modules/loan/lever/lever-loan.ts'
import { openLever } from '../../modules/loan/lever/open-lever.ts'
import { showLoan } from '../../modules/loan/orders/get-loan.ts'
import { summarizeLoans } from '../../modules/loan/orders/summarize-loans.ts'
import { leverHandlers } from '../../modules/lever/endpoints.ts'
import { readLevel } from '../../modules/member/read-level.ts'
import { notify } from '../../modules/notice/notify.ts'
import { projectHandlers } from '../../modules/project/endpoints.ts'
import { addLent, lockProject, readOffers, readProject } from '../../modules/project/lend.ts'

export type CreditParts = {
  db: Database
  ids: IdSource
  contracts: { gateway: `0x${string}`; usdt: `0x${string}` }
  /** The observed prices of the database; a test may fix them. */
  readPrices?: typeof readObservedPrices
}

type CreditKey = Extract<Key, `${string} ${'finance' | 'project' | 'lending' | 'lever'}/${string}`>

/** Every endpoint of the money fund, of projects, of loans and of leveraged loans. */
export function creditHandlers({
  db,
  ids,
  contracts,
  readPrices = readObservedPrices,
}: CreditParts): Handlers<CreditKey> {
  const changes = { notify, addLent }
  const loanDeps = { ...changes, db, ids, readPrices, readProject, lockProject, readFundIdle, contracts }
  return {
    ...fundHandlers({ db, isCharged }),
    ...projectHandlers({ db, readFundIdle }),
    ...loanHandlers(loanDeps),
    ...leverHandlers({
      db,
      ids,
      readPrices,
      readFeePpm,
      takeFromHour,
      readFundIdle,
      openLever: (tx, loan, settings, now) => openLever(tx, changes, loan, settings, now),
      addMargin: (tx, act, amount) => addMargin(tx, changes, act, amount),
      closePart: (tx, act, sell) => closePart(tx, changes, act, sell),
      showLoan: (loanNo, caller) => showLoan(db, readPrices, loanNo, caller),
    }),
  }
}

/** What of credit has to agree with the ledger, for the hourly audit. */
export const creditChecks = [
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

/** What the home screen takes of credit. */
export const overviewSources = (db: Database, readPrices: typeof readObservedPrices = readObservedPrices) => ({
  db,
  readPrices,
  readLevel,
  readFundWorth: async (reader: Database, { memberId, now }: { memberId: bigint; now: Date }) =>
    (await readHolding(reader, memberId, await readFund(reader), now)).worth,
  summarizeLoans,
  readOffers,
  readFundIdle,
})
