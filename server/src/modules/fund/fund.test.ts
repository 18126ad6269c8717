import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { priceFell, sharePrice, worthOf } from '@candela/protocol/fund/fund'
import { addDays } from '@candela/protocol/calendar'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { WHOLE_UNIT } from '@candela/protocol/units'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { transaction } from '../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { uuidFromName } from '../../kernel/ids.ts'
import { refused } from '@candela/testing/server/refused'
import { auditLedger } from '../../ledger/audit.ts'
import { accountBalance, trialBalance } from '../../ledger/balances.ts'
import { loanAccount, memberAccount, platformAccount } from '../../ledger/chart.ts'
import { post } from '../../ledger/post.ts'
import { bearDeficit } from './bear-deficit.ts'
import { closeFundDay } from './close-day.ts'
import { fundHandlers } from './endpoints.ts'
import { readFund } from './read-fund.ts'

let database: TestDatabase
let requests = 0
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

const FIRST_DAY = '2026-03-01'
const noonOf = (day: string) => new Date(`${day}T12:00:00Z`)

async function addMember(usdt: bigint): Promise<bigint> {
  const { db } = database
  requests += 1
  const address = `0x${requests.toString(16).padStart(40, '0')}`
  const { id } = await db
    .insertInto('member')
    .values({
      address,
      inviter_id: null,
      invitation_code: `FUND${String(requests).padStart(6, '0')}`,
      joined_at: noonOf(FIRST_DAY),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (usdt > 0n) await give(memberAccount(id, 'memberAvailable', 'USDT'), usdt)
  return id
}

/** Money from outside. */
async function give(account: bigint, amount: bigint): Promise<void> {
  requests += 1
  const legs = [{ debit: platformAccount('equity', 'USDT'), credit: account, amount }]
  const posting = { id: uuidFromName(`give:${requests}`), kind: 'fund-capital', legs, memo: { note: 'test' } } as const
  await transaction(database.db, (tx) => post(tx, { ...posting, occurredAt: noonOf(FIRST_DAY) }))
}

const requestIdOn = (day: string) => requestIdNamed(`request-${(requests += 1)}`, noonOf(day))

function callsOf(memberId: bigint, day: string) {
  const handlers = fundHandlers({ db: database.db, isCharged: () => Promise.resolve(true) })
  const context = {
    lang: 'en' as const,
    callId: 'test',
    now: noonOf(day),
    clientAddress: '127.0.0.1',
    userAgent: 'test',
    memberId,
    sessionId: '00000000-0000-4000-8000-000000000000',
  }
  return {
    in: (whole: bigint, id = requestIdOn(day)) =>
      handlers['POST finance/transferIn']({ amount: whole * WHOLE_UNIT, requestId: id }, context),
    out: (whole: bigint, id = requestIdOn(day)) =>
      handlers['POST finance/transferOut']({ amount: whole * WHOLE_UNIT, requestId: id }, context),
    outOf: (fields: { amount?: bigint }) =>
      handlers['POST finance/transferOut']({ ...fields, requestId: requestIdOn(day) }, context),
    outAll: () => handlers['POST finance/transferOut']({ all: '1', requestId: requestIdOn(day) }, context),
    info: () => handlers['GET finance/info']({}, context),
    bills: (limit = 100, cursor?: string) => handlers['GET finance/bills']({ period: 'all', limit, cursor }, context),
  }
}

/** A loan is charged interest: a part for the fund, which no close has counted yet, and a part for the reserve. */
async function charge(fund: bigint, reserve: bigint): Promise<void> {
  const debit = loanAccount(1n, 'loanInterest', 'USDT')
  const legs = [
    { debit, credit: platformAccount('fundPending', 'USDT'), amount: fund },
    { debit, credit: platformAccount('reserveClaims', 'USDT'), amount: reserve },
  ].filter(({ amount }) => amount > 0n)
  const posting = {
    id: uuidFromName(`posting-${(requests += 1)}`),
    kind: 'interest',
    legs,
    memo: { day: FIRST_DAY },
  } as const
  await transaction(database.db, (tx) => post(tx, { ...posting, occurredAt: noonOf(FIRST_DAY) }))
}

/** A borrower pays interest that was charged. */
async function payInterest(from: bigint, amount: bigint): Promise<void> {
  const legs = [
    {
      debit: memberAccount(from, 'memberAvailable', 'USDT'),
      credit: loanAccount(1n, 'loanInterest', 'USDT'),
      amount,
    },
    { debit: platformAccount('fundClaims', 'USDT'), credit: platformAccount('fundIdle', 'USDT'), amount },
  ]
  const posting = {
    id: uuidFromName(`posting-${(requests += 1)}`),
    kind: 'repayment',
    legs,
    memo: { loanNo: 'L1' },
  } as const
  await transaction(database.db, (tx) => post(tx, { ...posting, occurredAt: noonOf(FIRST_DAY) }))
}

/** Lends money of the fund to somebody. */
async function lend(amount: bigint, to: bigint): Promise<void> {
  const legs = [
    { debit: platformAccount('fundIdle', 'USDT'), credit: memberAccount(to, 'memberAvailable', 'USDT'), amount },
    { debit: loanAccount(1n, 'loanPrincipal', 'USDT'), credit: platformAccount('fundClaims', 'USDT'), amount },
  ]
  const posting = {
    id: uuidFromName(`posting-${(requests += 1)}`),
    kind: 'loan',
    legs,
    memo: { loanNo: 'L1' },
  } as const
  await transaction(database.db, (tx) => post(tx, { ...posting, occurredAt: noonOf(FIRST_DAY) }))
}

const close = (day: string) => transaction(database.db, (tx) => closeFundDay(tx, day, 0n, noonOf(addDays(day, 1))))

/** A loan's debt that nothing is left to pay for, taken by reserve and fund. */
async function fail(loanNo: string, amount: bigint): Promise<void> {
  await transaction(database.db, async (tx) => {
    const legs = [
      { debit: platformAccount('deficit', 'USDT'), credit: loanAccount(1n, 'loanPrincipal', 'USDT'), amount },
    ]
    const posting = { id: uuidFromName(`posting-${(requests += 1)}`), kind: 'deficit', legs, memo: { loanNo } } as const
    await post(tx, { ...posting, occurredAt: noonOf(FIRST_DAY) })
    await bearDeficit(tx, { loanNo, fundPart: amount, reservePart: 0n }, noonOf(FIRST_DAY))
  })
}

describe('moving in and out', () => {
  test('the first share costs one USDT, and what was moved in can be moved out to the last unit', async () => {
    const member = await addMember(100n * WHOLE_UNIT)
    const calls = callsOf(member, FIRST_DAY)
    expect(await calls.in(40n)).toMatchObject({ amount: '40', shares: '40', holding: { total: '40', cumulative: '0' } })
    expect(await calls.out(15n)).toMatchObject({ amount: '15', shares: '15', holding: { total: '25' } })
    expect(await calls.outAll()).toMatchObject({ amount: '25', holding: { shares: '0', total: '0' } })
    expect(await accountBalance(database.db, memberAccount(member, 'memberAvailable', 'USDT'))).toBe(100n * WHOLE_UNIT)
  })

  test('the same request moves once, also fifty at the same time', async () => {
    const member = await addMember(100n * WHOLE_UNIT)
    const calls = callsOf(member, FIRST_DAY)
    const id = requestIdOn(FIRST_DAY)
    const answers = await Promise.all(Array.from({ length: 50 }, () => calls.in(30n, id)))
    expect(new Set(answers.map(({ shares }) => shares))).toEqual(new Set(['30']))
    expect(await calls.info()).toMatchObject({ total: '30', available: '70', idle: '30' })
    expect(await refused(calls.in(31n, id))).toBe(4090)
  })

  test('nobody takes more than they have, and nobody takes money that is lent', async () => {
    const [member, borrower] = [await addMember(100n * WHOLE_UNIT), await addMember(0n)]
    const calls = callsOf(member, FIRST_DAY)
    expect(await refused(calls.in(101n))).toBe(4201)
    await calls.in(100n)
    await lend(80n * WHOLE_UNIT, borrower)
    expect(await refused(calls.out(101n))).toBe(4201)
    await expect(calls.outOf({})).rejects.toMatchObject({ code: 400, params: { field: 'amount', reason: 'missing' } })
    expect(await refused(calls.out(21n))).toBe(4302)
    expect(await refused(calls.outAll())).toBe(4302)
    expect(await calls.info()).toMatchObject({ total: '100', transferableOut: '20', lent: '80' })
    // As many of fifty members get the last idle money as it is enough for.
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => refused(calls.out(1n))))
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(20)
    expect(outcomes.filter((outcome) => outcome === 4302)).toHaveLength(30)
    expect(await auditLedger(database.db)).toEqual([])
  })
})

describe('the share price', () => {
  test('is not raised by interest of a time when nobody had shares: what is paid of it is the reserve’s', async () => {
    const [member, borrower, next] = [
      await addMember(WHOLE_UNIT * 100n),
      await addMember(10n * WHOLE_UNIT),
      await addMember(WHOLE_UNIT * 100n),
    ]
    await callsOf(member, FIRST_DAY).in(100n)
    await charge(2n * WHOLE_UNIT, 0n)
    await callsOf(member, FIRST_DAY).outAll()
    // Nothing of it is paid yet: there is nothing to give away.
    expect(await close(FIRST_DAY)).toBe(true)
    expect(await readFund(database.db)).toMatchObject({ shares: 0n, pending: 2n * WHOLE_UNIT, reserve: 0n })
    await payInterest(borrower, 2n * WHOLE_UNIT)
    const second = addDays(FIRST_DAY, 1)
    await close(second)
    expect(await readFund(database.db)).toMatchObject({ assets: 0n, pending: 0n, reserve: 2n * WHOLE_UNIT })
    expect(await callsOf(next, addDays(second, 1)).in(100n)).toMatchObject({ shares: '100', holding: { total: '100' } })
    expect(await auditLedger(database.db)).toEqual([])
  })

  test('rises at the close by the interest of the day, for those who were there before', async () => {
    const [early, late, borrower] = [
      await addMember(WHOLE_UNIT * 100n),
      await addMember(WHOLE_UNIT * 100n),
      await addMember(0n),
    ]
    await callsOf(early, FIRST_DAY).in(100n)
    await lend(100n * WHOLE_UNIT, borrower)
    await charge(9n * WHOLE_UNIT, WHOLE_UNIT)
    // Comes in for the last minute of the day, and pays for the interest that the close will count.
    const entered = await callsOf(late, FIRST_DAY).in(100n)
    expect(toBaseUnits(entered.holding.total)).toBeLessThan(100n * WHOLE_UNIT)
    // Below zero by what the close gives back, and by nothing else.
    const [before, waiting] = [await callsOf(early, FIRST_DAY).info(), await callsOf(late, FIRST_DAY).info()]
    expect([before.cumulative, before.paidAhead]).toEqual(['0', '0'])
    expect(toBaseUnits(waiting.paidAhead)).toBeGreaterThan(WHOLE_UNIT)
    expect(toBaseUnits(waiting.cumulative) + toBaseUnits(waiting.paidAhead)).toBeGreaterThan(-3n)
    expect(await close(FIRST_DAY)).toBe(true)
    expect(await close(FIRST_DAY)).toBe(false)
    const next = addDays(FIRST_DAY, 1)
    const [gained, nothing] = [await callsOf(early, next).info(), await callsOf(late, next).info()]
    expect(nothing.paidAhead).toBe('0')
    expect(100n * WHOLE_UNIT - toBaseUnits(nothing.total)).toBeLessThan(3n)
    expect(toBaseUnits(nothing.cumulative)).toBeLessThanOrEqual(0n)
    // The virtual shares have their part of it: a billionth of a USDT to the 100 of the members.
    expect(9n * WHOLE_UNIT - toBaseUnits(gained.cumulative)).toBeLessThan(10n ** 8n)
    expect(gained.yesterday).toBe(gained.cumulative)
    // The close gives something back to the member who came late, and that is counted in it as well.
    const paid = 100n * WHOLE_UNIT - toBaseUnits(entered.holding.total)
    const [counted] = gained.history
    expect(counted).toMatchObject({ day: FIRST_DAY, deficit: '0' })
    expect(9n * WHOLE_UNIT + paid - toBaseUnits(counted?.earned ?? '0')).toBeLessThan(3n)
  })

  test('who moves out a part before the close leaves that part of what was paid ahead to the others', async () => {
    const [early, late] = [await addMember(WHOLE_UNIT * 100n), await addMember(WHOLE_UNIT * 100n)]
    await callsOf(early, FIRST_DAY).in(100n)
    await charge(9n * WHOLE_UNIT, 0n)
    await callsOf(late, FIRST_DAY).in(100n)
    const before = await callsOf(late, FIRST_DAY).info()
    await callsOf(late, FIRST_DAY).out(45n)
    const after = await callsOf(late, FIRST_DAY).info()
    const kept = Number(after.paidAhead) / Number(before.paidAhead)
    expect(kept).toBeCloseTo(Number(after.shares) / Number(before.shares), 9)
    expect(kept).toBeLessThan(0.6)
    await callsOf(late, FIRST_DAY).outAll()
    expect((await callsOf(late, FIRST_DAY).info()).paidAhead).toBe('0')
  })

  test('falls by a deficit, as far as the reserve does not pay', async () => {
    const [member, borrower] = [await addMember(WHOLE_UNIT * 100n), await addMember(0n)]
    await callsOf(member, FIRST_DAY).in(100n)
    await lend(60n * WHOLE_UNIT, borrower)
    await give(platformAccount('reserve', 'USDT'), 4n * WHOLE_UNIT)
    await fail('L1', 3n * WHOLE_UNIT)
    expect(await readFund(database.db)).toMatchObject({ assets: 100n * WHOLE_UNIT, reserve: WHOLE_UNIT })
    await fail('L2', 6n * WHOLE_UNIT)
    expect(await readFund(database.db)).toMatchObject({ assets: 95n * WHOLE_UNIT, reserve: 0n })
    expect(await accountBalance(database.db, platformAccount('deficit', 'USDT'))).toBe(0n)
    const bills = await callsOf(member, FIRST_DAY).bills()
    expect(bills.items.map(({ type, profit }) => [type, profit])).toEqual([
      ['deficit', '-5'],
      ['in', '0'],
    ])
  })
})

test('right after a loss the rate is the loss, not what the closed days earned a year', async () => {
  const [member, borrower] = [await addMember(WHOLE_UNIT * 100n), await addMember(0n)]
  await callsOf(member, FIRST_DAY).in(100n)
  await lend(60n * WHOLE_UNIT, borrower)
  for (const day of [FIRST_DAY, addDays(FIRST_DAY, 1)]) {
    await charge(WHOLE_UNIT / 100n, 0n)
    expect(await close(day)).toBe(true)
  }
  const today = addDays(FIRST_DAY, 2)
  const earning = await callsOf(member, today).info()
  expect(Number(earning.rate)).toBeGreaterThan(0)
  await fail('L1', 8n * WHOLE_UNIT)
  const lost = await callsOf(member, today).info()
  const { assets, shares } = await readFund(database.db)
  const [before, after] = [earning.rateCloses?.first, lost.rateCloses?.last]
  expect(lost.rateCloses?.first).toEqual(before)
  expect(after).toEqual({ day: addDays(FIRST_DAY, 1), assets: fromBaseUnits(assets), shares: fromBaseUnits(shares) })
  // 100.01 USDT to 92.02 USDT: a loss of 7.98 %, whatever the number of days.
  expect(lost.rate).toMatch(/^-0\.0798/)
})

type Step = { who: number; what: 'in' | 'out' | 'all' | 'charge' | 'close' | 'fail'; size: bigint }
const step: fc.Arbitrary<Step> = fc.record({
  who: fc.nat({ max: 3 }),
  what: fc.constantFrom('in', 'in', 'out', 'all', 'charge', 'charge', 'close', 'fail'),
  size: fc.bigInt({ min: 1n, max: 50n }),
})

test('property: assets are shares × price to the unit, the price falls by recorded deficits only, and bills add up to what each member gained', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      await using own = await createTestDatabase()
      database = own
      const members = await Promise.all([1, 2, 3, 4].map(() => addMember(1_000n * WHOLE_UNIT)))
      const borrower = await addMember(0n)
      let day = FIRST_DAY
      let failed = 0
      await callsOf(members[0] ?? 0n, day).in(100n)
      await lend(60n * WHOLE_UNIT, borrower)
      for (const { who, what, size } of steps) {
        const before = await readFund(own.db)
        const calls = callsOf(members[who] ?? 0n, day)
        if (what === 'in') await calls.in(size)
        if (what === 'out') await refused(calls.out(size))
        if (what === 'all') await refused(calls.outAll())
        if (what === 'charge') await charge(size * 1_000_000_007n, size)
        if (what === 'close') {
          await close(day)
          day = addDays(day, 1)
        }
        if (what === 'fail') await fail(`L${(failed += 1)}`, size)
        const after = await readFund(own.db)
        expect(priceFell(before, after)).toBe(what === 'fail')
        // Between closes it rises by rounding only.
        const risen = sharePrice(after) - sharePrice(before)
        if (what !== 'close' && before.shares > WHOLE_UNIT) expect(risen).toBeLessThan(3n)
        const held = await Promise.all(
          members.map((member) => accountBalance(own.db, memberAccount(member, 'memberShares', 'SHARE'))),
        )
        expect(held.reduce((sum, shares) => sum + shares, 0n)).toBe(after.shares)
        // The sum that all members would get is never more than there is, and less by rounding only.
        const worth = held.reduce((sum, shares) => sum + worthOf(shares, after), 0n)
        expect(worth).toBeLessThanOrEqual(after.assets + 1n)
        if (after.shares > WHOLE_UNIT) {
          expect(after.assets - worth).toBeLessThan(6n + sharePrice(after) / WHOLE_UNIT)
        }
      }
      for (const member of members) {
        const { items } = await callsOf(member, day).bills()
        const gained = items.reduce((sum, { profit }) => sum + toBaseUnits(profit), 0n)
        const { cumulative } = await callsOf(member, day).info()
        // Moves in and out cost less than a base unit each by rounding, and who comes in pays the interest of that day.
        expect(toBaseUnits(cumulative)).toBeLessThanOrEqual(gained + BigInt(items.length))
      }
      expect(await auditLedger(own.db)).toEqual([])
      const usdt = (await trialBalance(own.db)).filter(({ asset }) => asset === 'SHARE')
      expect(usdt.reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n)
    }),
    { numRuns: 4, endOnFailure: true },
  )
})

test('bills come in pages without a gap or a repetition', async () => {
  const member = await addMember(WHOLE_UNIT * 100n)
  let day = FIRST_DAY
  for (let round = 0; round < 4; round += 1) {
    await callsOf(member, day).in(3n)
    await charge(WHOLE_UNIT / 100n, 0n)
    await close(day)
    day = addDays(day, 1)
    await callsOf(member, day).out(1n)
  }
  const all = (await callsOf(member, day).bills()).items.map(({ id }) => id)
  expect(all).toHaveLength(12)
  const paged: string[] = []
  let cursor: string | undefined
  do {
    const page = await callsOf(member, day).bills(5, cursor)
    paged.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  expect(paged).toEqual(all)
  expect(fromBaseUnits(await accountBalance(database.db, memberAccount(member, 'memberAvailable', 'USDT')))).toBe('92')
})
