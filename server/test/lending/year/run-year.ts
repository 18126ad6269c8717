import { addDays } from '@candela/protocol/calendar'
import { transaction } from '@candela/server/db/open'
import { platformAccount, memberAccount } from '@candela/server/ledger/chart'
import { accountBalance } from '@candela/server/ledger/balances'
import { rollUp } from '@candela/server/ledger/upkeep/roll-up'
import { readFund } from '@candela/server/modules/fund/read-fund'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { seededRandom, type Random } from '../../../simulate/run/random.ts'
import { FIRST_DAY, type Scenario, startLending, WHOLE, type Rates } from '../lending-scenario.ts'
import { borrowersOf } from './borrowers.ts'
import { expectHistories, expectLossesExplained } from './expectations.ts'
import { fundModel } from './fund-model.ts'
import { termsWith } from './terms.ts'
import type { DayPrice } from './loan-history.ts'
import { postNew, type Posting } from '@candela/server/ledger/post'
import { addMember, addressOf } from '@candela/server/modules/power/testing'
import { testMemo } from '../../../src/ledger/testing/testing-memo.ts'

const BATCH = 500

/** Adds members who have so many whole units of each asset. */
async function addPeople(lending: Scenario, count: number, whole: bigint): Promise<bigint[]> {
  const { db, ids, clock } = lending
  const people: bigint[] = []
  for (let nth = 0; nth < count; nth += 1) {
    people.push(await addMember(db, addressOf(1_000_000 + Number(whole % 1_000n) * 100_000 + nth)))
  }
  const postings = people.map((id): Posting => ({
    id: ids.uuid(),
    kind: 'deposit',
    legs: (['JU', 'USDT', 'HASH'] as const).map((asset) => ({
      debit: platformAccount('custody', asset),
      credit: memberAccount(id, 'memberAvailable', asset),
      amount: whole * WHOLE,
    })),
    memo: testMemo(),
    occurredAt: clock.now(),
  }))
  for (let from = 0; from < postings.length; from += BATCH) {
    await transaction(db, (tx) => postNew(tx, postings.slice(from, from + BATCH)))
  }
  return people
}

/** Random prices: they wander, and now and then they fall by half within a day. */

type Asset = 'JU' | 'HASH'
type Market = Record<Asset, Map<string, Rates>>

/** In a hundred days. */
const CRASHES = 0.02

function randomMarket(random: Random, days: number): Market {
  return { JU: randomPrices(random, days, 2_000), HASH: randomPrices(random, days, 500) }
}

function randomPrices(random: Random, days: number, start: number): Map<string, Rates> {
  const prices = new Map<string, Rates>()
  let price = start
  for (let nth = 0; nth <= days; nth += 1) {
    const change = random.chance(CRASHES) ? 450 + random.below(200) : 955 + random.below(92)
    // A price near its bounds turns back.
    const pulled = price < start / 4 ? 1_020 : price > start * 4 ? 980 : 1_000
    price = Math.max(20, Math.round((price * change * pulled) / 1_000_000))
    const near = () => Math.max(20, Math.round((price * (985 + random.below(31))) / 1_000))
    prices.set(addDays(FIRST_DAY, nth), { spot: price, average5: near(), average: near() })
  }
  return prices
}

/** The median of five minutes decides about the lines; the lower of spot and 30-minute average is paid, which are close to it here. */
function dayPrice({ spot, average5, average }: Rates): DayPrice {
  return { watch: baseUnits(average5), sale: baseUnits(Math.min(spot, average)) }
}

const baseUnits = (thousandths: number): bigint => (BigInt(thousandths) * WHOLE) / 1_000n

export type Size = {
  borrowers: number
  fundMembers: number
  days: number
  /** New loans, and acts on loans beside what is due, each day. */
  deals: number
  defaultDays: number
}

/** Acts at the same time, each on a connection of its own. */
const AT_ONCE = 4
const FAYS = 100_000n

/**
 * Days of a fund and its borrowers with prices at random, each with a close, a look at the prices and then what people do.
 * Compares everything each day, and at the end each loan's history. @returns what happened, for people to read
 */
export async function runYear(seed: number, size: Size) {
  const random = seededRandom(seed)
  await using lending = await startLending({ poolSize: AT_ONCE + 1, fund: FAYS, desk: 100_000_000n })
  const { db, clock, rates } = lending
  const settings = { openLoans: 1_000, defaultDays: size.defaultDays }
  for (const [key, value] of Object.entries(settings)) {
    await db
      .insertInto('setting')
      .values({ key, value: String(value), updated_at: clock.now() })
      .execute()
  }
  await lending.put(platformAccount('deskInventory', 'JU'), 'JU', 100_000_000n * WHOLE)
  const market = randomMarket(random, size.days)
  const people = await addPeople(lending, size.borrowers, 1_000_001n)
  const members = await addPeople(lending, size.fundMembers, 10_002n)
  const fund = fundModel(lending, { memberId: lending.fay, amount: FAYS * WHOLE })
  for (const member of members) await fund.moveIn(member, BigInt(1 + random.below(2_000)))
  const borrowers = borrowersOf(lending, random, people, termsWith(size.defaultDays))
  const last = addDays(FIRST_DAY, size.days)
  for (let day = FIRST_DAY; day <= last; day = addDays(day, 1)) {
    if (day > FIRST_DAY) {
      const { pending } = await readFund(db)
      await lending.closeDay(addDays(day, -1))
      await fund.closed(addDays(day, -1), pending)
    }
    clock.set(`${day}T06:00:00.000Z`)
    for (const asset of ['JU', 'HASH'] as const) Object.assign(rates[asset], market[asset].get(day))
    await lending.watch()
    fund.comparePrice(await fund.countDeficits())
    clock.set(`${day}T12:00:00.000Z`)
    await fund.moveSome(random, members, 1 + Math.ceil(size.deals / 5))
    const loans = await db
      .selectFrom('loan_with_debt')
      .selectAll()
      .where('closed_at', 'is', null)
      .orderBy('id')
      .execute()
    await inTurns(borrowers.dealsOf(day, loans, size.deals))
    await expectBalanced(lending, day)
    await transaction(db, rollUp)
  }
  const priceOn = (asset: 'JU' | 'HASH', day: string) => {
    const found = market[asset].get(day)
    if (found === undefined) throw new Error(`no price on ${day}`)
    return dayPrice(found)
  }
  await expectHistories(lending, borrowers, priceOn, last)
  const losses = await expectLossesExplained(lending)
  await lending.expectSound()
  const { rows: late } = await sql`select from ledger_posting where kind = 'late-charge'`.execute(db)
  return {
    loans: borrowers.opened.size,
    lateCharges: late.length,
    ...losses,
    refusals: Object.fromEntries(borrowers.refusals),
    states: await statesOf(lending),
  }
}

async function inTurns(deals: readonly (() => Promise<void>)[]): Promise<void> {
  const left = deals.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const deal of left) await deal()
    }),
  )
}

/** All accounts of an asset sum to zero, and nothing is left on the account of deficits. */
async function expectBalanced({ db }: Scenario, day: string): Promise<void> {
  const { rows } = await sql`
    select account % 100 as asset, sum(balance) from ledger_balance group by 1 having sum(balance) <> 0`.execute(db)
  expect([day, rows]).toEqual([day, []])
  expect(await accountBalance(db, platformAccount('deficit', 'USDT'))).toBe(0n)
}

async function statesOf({ db }: Scenario): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; loans: bigint }>`
    select state, count(*) as loans from loan group by 1 order by 1`.execute(db)
  return Object.fromEntries(rows.map(({ state, loans }) => [state, Number(loans)]))
}
