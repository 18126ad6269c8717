import { addDays } from '@candela/protocol/calendar'
import type { AssetCode } from '@candela/protocol/money/assets'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { DEFAULT_PAGE_LIMIT } from '@candela/protocol/page'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { type FixedPrice, withFixedPrices } from '@candela/server/chain/price/testing/fixed-prices'
import { transaction, type Tx } from '@candela/server/db/open'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { auditLedger } from '@candela/server/ledger/audit'
import { accountBalance, memberBalances } from '@candela/server/ledger/balances'
import { memberAccount, platformAccount, type PlatformAccountName } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { fundHandlers } from '@candela/server/modules/fund/endpoints'
import { lendingHandlers } from '@candela/server/modules/lending/endpoints'
import { isCharged } from '@candela/server/modules/lending/loan/daily/is-charged'
import { auditFund } from '@candela/server/modules/fund/audit-fund'
import { auditLoans } from '@candela/server/modules/lending/loan/audit-loans'
import { closeLending } from '@candela/server/modules/lending/loan/daily/close-lending'
import { watchLoans } from '@candela/server/modules/lending/loan/watch/watch-loans'
import { addMember, addressOf, followTo } from '@candela/server/modules/power/testing'
import { createProject, type NewProject } from '@candela/server/modules/lending/project/manage-projects'
import { expect } from 'vitest'
import { expectOwedToBeCounted } from './owed.ts'
import { testMemo } from '../../src/ledger/testing/testing-memo.ts'

export const WHOLE = WHOLE_UNIT
export const FIRST_DAY = '2026-03-01'
const text = { zh: '借款', tw: '借款', en: 'Loan' }

/** USDT in thousandths for a whole unit. It is also paused while spot is too far from the averages. `liquidity` is the pair's USDT. */
export type Rates = {
  spot: number
  /** And the median of the same time. */
  average5: number
  average: number
  /** The average of a day; without it the average of half an hour. */
  day?: number
  week?: number
  pauseReason?: 'stale' | 'halted'
  liquidity?: bigint
}

const thousandths = (rate: number): bigint => (BigInt(rate) * WHOLE) / 1_000n

function fixedOf({ spot, average5, average, day = average, week = day, pauseReason, liquidity }: Rates): FixedPrice {
  return {
    spot: thousandths(spot),
    average5: thousandths(average5),
    average: thousandths(average),
    day: thousandths(day),
    week: thousandths(week),
    ...(liquidity === undefined ? {} : { liquidity }),
    ...(pauseReason === undefined ? {} : { is: pauseReason }),
  }
}

export type Scenario = Awaited<ReturnType<typeof startLending>>

/**
 * A fund with money of Fay's, a project on each asset, and Alice and Bob, who have JU and HASH. JU is at 2 USDT, HASH at
 * 0.5. Endpoints are bound as the server binds them, but for the prices.
 */
export async function startLending(
  options: {
    poolSize?: number
    asOwner?: boolean
    fund?: bigint
    desk?: bigint
    project?: Partial<NewProject>
    /** Prices are those of the pairs that the test observes, and not `rates`. */
    observed?: boolean
  } = {},
) {
  const database = await createTestDatabase({ poolSize: options.poolSize ?? 8, asOwner: options.asOwner === true })
  const clock = fakeClock(`${FIRST_DAY}T12:00:00.000Z`)
  const ids = systemIds(clock)
  const rates: Record<'JU' | 'HASH', Rates> = {
    JU: { spot: 2_000, average5: 2_000, average: 2_000 },
    HASH: { spot: 500, average5: 500, average: 500 },
  }
  const fixed = () => ({ JU: fixedOf(rates.JU), HASH: fixedOf(rates.HASH) })
  const db = options.observed === true ? database.db : withFixedPrices(database.db, fixed, clock)
  const contracts = { gateway: addressOf(901), usdt: addressOf(902) }
  const loanDeps = { db, ids, contracts }
  const handlers = { ...fundHandlers({ db, isCharged }), ...lendingHandlers(loanDeps) }
  const contextOf = (memberId: bigint) =>
    ({ memberId, now: clock.now(), lang: 'en' }) as Parameters<(typeof handlers)['POST lending/borrow']>[1]

  const putWithin = (tx: Tx, account: bigint, asset: AssetCode, amount: bigint) => {
    const leg = { debit: platformAccount('custody', asset), credit: account, amount }
    const posting = { id: ids.uuid(), kind: 'deposit' as const, legs: [leg], memo: testMemo(), occurredAt: clock.now() }
    return post(tx, posting)
  }
  const put = (account: bigint, asset: AssetCode, amount: bigint) =>
    transaction(db, (tx) => putWithin(tx, account, asset, amount))
  /** Pays it out. */
  const take = (account: bigint, asset: AssetCode, amount: bigint) =>
    transaction(db, (tx) => {
      const leg = { debit: account, credit: platformAccount('custody', asset), amount }
      const posting = { id: ids.uuid(), kind: 'deposit' as const, legs: [leg], memo: testMemo() }
      return post(tx, { ...posting, occurredAt: clock.now() })
    })
  /** The chain, where there is one, has a block now. */
  const goOn = async () => {
    const cursor = await db.selectFrom('chain_cursor').select('followed').executeTakeFirst()
    if (cursor !== undefined) await followTo(db, cursor.followed + 1n, clock.now())
  }
  let joined = 0
  const join = async (funds: Partial<Record<AssetCode, bigint>> = {}) => {
    joined += 1
    const id = await addMember(db, addressOf(joined))
    for (const [asset, amount] of Object.entries(funds) as [AssetCode, bigint][]) {
      await put(memberAccount(id, 'memberAvailable', asset), asset, amount * WHOLE)
    }
    return id
  }
  const openProject = (changed: Partial<NewProject> = {}) => {
    const projectNo = ids.orderNumber()
    const terms = { rate: 365_000 / 4, initialRate: 500_000, safetyLine: 700_000, clearingLine: 800_000 }
    const project = { name: text, information: text, collateral: 'JU' as const, total: 1_000_000n * WHOLE }
    return transaction(db, async (tx) => {
      await createProject(tx, projectNo, { ...project, ...terms, ...options.project, ...changed }, clock.now())
      return projectNo
    })
  }
  const [alice, bob, fay] = [
    await join({ JU: 10_000n, HASH: 10_000n, USDT: 1_000n }),
    await join({ JU: 10_000n, HASH: 10_000n, USDT: 1_000n }),
    await join({ USDT: options.fund ?? 100_000n }),
  ]
  const [projectNo, hashProjectNo] = [
    await openProject(),
    await openProject({ collateral: 'HASH', initialRate: 400_000, safetyLine: 600_000, clearingLine: 750_000 }),
  ]
  const desk = options.desk ?? 1_000_000n
  if (desk > 0n) await put(platformAccount('deskInventory', 'USDT'), 'USDT', desk * WHOLE)
  await put(platformAccount('deskInventory', 'JU'), 'JU', 1_000_000n * WHOLE)
  const requestId = () => ids.uuid()
  const fund = options.fund ?? 100_000n
  await handlers['POST finance/transferIn']({ amount: fund * WHOLE, requestId: requestId() }, contextOf(fay))

  type Borrowing = { project?: string; days?: number; requestId?: string }
  return {
    database,
    db,
    clock,
    ids,
    rates,
    loanDeps,
    handlers,
    contextOf,
    alice,
    bob,
    fay,
    projectNo,
    hashProjectNo,
    join,
    put,
    take,
    putWithin,
    openProject,
    requestId,
    goOn,
    /** Noon of a day. */
    goTo: (day: string) => clock.set(`${day}T12:00:00.000Z`),
    watch: () => watchLoans({ ...loanDeps, clock }),
    /** Sets all prices of an asset, in thousandths. */
    price(asset: 'JU' | 'HASH', spot: number, average5 = spot, average = spot) {
      rates[asset] = { spot, average5, average }
    },
    /** Closes the day, ten minutes after it. @param chunk loans charged in one transaction */
    async closeDay(day: string, chunk?: number) {
      clock.set(`${addDays(day, 1)}T00:10:00.000Z`)
      await goOn()
      return closeLending({ ...loanDeps, clock, ...(chunk === undefined ? {} : { chunk }) }, day)
    },
    /** Amounts in whole USDT and whole units of the collateral. */
    borrow: async (memberId: bigint, amount: bigint, collateral: bigint, borrowing: Borrowing = {}) => {
      const input = {
        projectNo: borrowing.project ?? projectNo,
        amount: amount * WHOLE,
        collateral: collateral * WHOLE,
        days: borrowing.days ?? 30,
        requestId: borrowing.requestId ?? requestId(),
      }
      return (await handlers['POST lending/borrow'](input, contextOf(memberId))).loan
    },
    repay: (memberId: bigint, loanNo: string, mode: 'next' | 'full' | 'amount', amount: string, id = requestId()) =>
      handlers['POST lending/repay']({ loanNo, mode, amount: toBaseUnits(amount), requestId: id }, contextOf(memberId)),
    detail: (memberId: bigint, loanNo: string) => handlers['GET lending/detail']({ loanNo }, contextOf(memberId)),
    payoff: (memberId: bigint, loanNo: string) => handlers['GET lending/payoff']({ loanNo }, contextOf(memberId)),
    orders: (memberId: bigint, open?: '0' | '1') =>
      handlers['GET lending/orders']({ open, limit: DEFAULT_PAGE_LIMIT }, contextOf(memberId)),
    async available(memberId: bigint, asset: AssetCode) {
      return fromBaseUnits((await memberBalances(db, memberId))[asset].available)
    },
    async platform(name: PlatformAccountName, asset: AssetCode = 'USDT') {
      return fromBaseUnits(await accountBalance(db, platformAccount(name, asset)))
    },
    notices: (memberId: bigint) =>
      db.selectFrom('notice').select(['kind', 'params']).where('member_id', '=', memberId).orderBy('id').execute(),
    async expectSound() {
      expect(await auditLedger(db)).toEqual([])
      expect(await auditLoans(db)).toEqual([])
      expect(await auditFund(db)).toEqual([])
      await expectOwedToBeCounted(db, clock.now())
    },
    [Symbol.asyncDispose]: () => database.drop(),
  }
}
