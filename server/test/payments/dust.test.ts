import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import { dustSteps } from '@candela/protocol/money/dust'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { listDust } from '@candela/server/modules/deposit/dust/list-dust'
import { listDeposits } from '@candela/server/modules/deposit/list-deposits'
import { listSuspense } from '@candela/server/modules/deposit/list-suspense'
import { collectNotices } from '@candela/server/modules/notice/collect-notices'
import { addMember } from '@candela/server/modules/power/testing'
import { readStatement } from '@candela/server/modules/statement/read-statement'
import { startOperators } from '@candela/server/operator/testing-operators'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEPTH, type Scenario, startScenario } from './payments-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

const DAY_S = 86_400

async function settle(scenario: Scenario): Promise<void> {
  await scenario.mineAndFollow(DEPTH)
  while ((await scenario.credit()).credited > 0);
}
/** A further day begins on chain, and what its blocks had is confirmed. */
async function nextDay(scenario: Scenario): Promise<void> {
  await scenario.wait(DAY_S)
  await settle(scenario)
}
const linesOf = async ({ db, memberOf, alice }: Scenario) =>
  (await readStatement(db, memberOf(alice), {}, 50)).items.map(({ kind, amount, reference }) => ({
    kind,
    units: String(BigInt(Math.round(Number(amount) * 1e18))),
    no: reference?.no ?? null,
  }))

test('a crowd of dust for a member is one line a day; the first three are credited and told one by one', async () => {
  await using scenario = await startScenario(chain)
  const { db, alice, stranger, memberOf, payNatively } = scenario
  for (let nth = 0; nth < 8; nth += 1)
    await chain.pay({ key: 'deposit', asset: NATIVE_ASSET, amount: 5n, customer: alice, reference: '', from: stranger })
  // A payment of a whole step is no dust, nor is another asset the same.
  await payNatively(dustSteps.JU, alice)
  await chain.pay({ key: 'deposit', asset: chain.usdt, amount: 7n, customer: alice, reference: '', from: alice })
  await settle(scenario)
  expect(await scenario.available(alice, 'JU')).toBe(15n + dustSteps.JU)
  expect(await scenario.available(alice, 'USDT')).toBe(7n)
  // Nothing is booked of a day that goes on, however often it is tried.
  expect(await scenario.bookDust()).toBe(0)
  const list = () => listDeposits({ db, contracts: chain }, { limit: 50 }, memberOf(alice))
  expect((await list()).items).toHaveLength(5)

  await nextDay(scenario)
  expect(await scenario.bookDust()).toBe(1)
  expect(await scenario.bookDust()).toBe(0)
  expect(await scenario.available(alice, 'JU')).toBe(40n + dustSteps.JU)
  const lines = await linesOf(scenario)
  expect(lines).toHaveLength(6)
  expect(lines[0]).toMatchObject({
    kind: 'deposit',
    units: '25',
    no: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
  })
  await collectNotices(db, memberOf(alice))
  const told = await db.selectFrom('notice').select('kind').where('kind', '=', 'deposit').execute()
  expect(told).toHaveLength(5)
  // The payments in the line, page by page: each once, none of those that have a line of their own, and nobody else sees them.
  const day = lines[0]?.no ?? ''
  const page = (more: { cursor?: string; limit?: number; asset?: 'JU' | 'USDT'; day?: string }, owner = alice) =>
    listDust(db, { asset: 'JU', day, limit: 2, ...more }, memberOf(owner))
  const listed = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { items, nextCursor } = await page(cursor === undefined ? {} : { cursor })
    listed.push(...items)
    cursor = nextCursor
  }
  const paid = await db.selectFrom('chain_event').select('tx_hash').where('waits_for', 'is not', null).execute()
  expect(listed.map(({ txHash }) => txHash)).toEqual(paid.map((row) => row.tx_hash).toSorted())
  expect(listed[0]).toMatchObject({ payer: stranger, amount: '0.000000000000000005' })
  for (const other of [{ asset: 'USDT' as const }, { day: '2020-01-01' }])
    expect(await page(other)).toEqual({ items: [], nextCursor: null })
  expect((await page({}, scenario.bob)).items).toEqual([])
  await expect(page({ cursor: '1-2' })).rejects.toMatchObject({ code: 400 })
  const sums = await db.selectFrom('dust_sum').select(['payments', 'amount', 'member_id']).execute()
  expect(sums).toEqual([{ payments: 5, amount: 25n, member_id: memberOf(alice) }])
  await scenario.expectBooksToMatchTheChain()
})

test('the next day has three of its own', async () => {
  await using scenario = await startScenario(chain)
  const { alice, payNatively } = scenario
  for (let nth = 0; nth < 5; nth += 1) await payNatively(1n, alice)
  await settle(scenario)
  // The payments of one asset take no place of another.
  await chain.pay({ key: 'deposit', asset: chain.usdt, amount: 7n, customer: alice, reference: '', from: alice })
  await settle(scenario)
  expect(await scenario.available(alice, 'USDT')).toBe(7n)
  await nextDay(scenario)
  for (let nth = 0; nth < 4; nth += 1) await payNatively(10n, alice)
  await settle(scenario)
  expect(await scenario.available(alice, 'JU')).toBe(33n)
  expect(await scenario.bookDust()).toBe(1)
  expect(await scenario.available(alice, 'JU')).toBe(35n)
  await nextDay(scenario)
  expect(await scenario.bookDust()).toBe(1)
  expect(await scenario.available(alice, 'JU')).toBe(45n)
  const daysOf = await scenario.db.selectFrom('dust_sum').select('day').orderBy('day').execute()
  const amounts = async (nth: number) => {
    const day = String(daysOf[nth]?.day)
    const { items } = await listDust(scenario.db, { asset: 'JU', day, limit: 50 }, scenario.memberOf(alice))
    return items.map(({ amount }) => Number(amount) * 1e18)
  }
  expect([await amounts(0), await amounts(1)]).toEqual([[1, 1], [10]])
  await scenario.expectBooksToMatchTheChain()
})

test('a day is booked once all of it is confirmed; what is decided later gets a further sum', async () => {
  await using scenario = await startScenario(chain)
  const { db, alice, payNatively } = scenario
  for (let nth = 0; nth < 5; nth += 1) await payNatively(1n, alice)
  await settle(scenario)
  const failing = await payNatively(10n, alice)
  await scenario.mineAndFollow()
  const retry = (failures: number) =>
    db
      .updateTable('chain_event')
      .set(
        failures === 0
          ? { failures, retry_at: null, last_failure: null }
          : { failures, retry_at: new Date('2100-01-01'), last_failure: 'test' },
      )
      .where('tx_hash', '=', failing)
      .execute()
  await retry(1)
  await payNatively(100n, alice)
  await scenario.mineAndFollow()
  await scenario.wait(DAY_S)
  // The last payment of the day is in a block that may still change.
  expect(await scenario.bookDust()).toBe(0)
  await settle(scenario)
  expect(await scenario.bookDust()).toBe(1)
  expect(await scenario.available(alice, 'JU')).toBe(105n)
  await retry(0)
  await settle(scenario)
  expect(await scenario.bookDust()).toBe(1)
  expect(await scenario.available(alice, 'JU')).toBe(115n)
  const sums = await db.selectFrom('dust_sum').select(['amount', 'payments']).orderBy('amount').execute()
  expect(sums).toEqual([
    { amount: 10n, payments: 1 },
    { amount: 102n, payments: 3 },
  ])
  const [day] = (await linesOf(scenario)).map(({ no }) => no)
  const { items } = await listDust(db, { asset: 'JU', day: day ?? '', limit: 50 }, scenario.memberOf(alice))
  expect(items).toHaveLength(4)
  await scenario.expectBooksToMatchTheChain()
})

test('dust of all strangers is one item of suspense a day, and is given whole', async () => {
  await using scenario = await startScenario(chain)
  const { db, stranger, payNatively } = scenario
  for (let nth = 0; nth < 9; nth += 1) await payNatively(2n, stranger)
  await payNatively(3n * 10n ** 18n, stranger)
  await settle(scenario)
  await nextDay(scenario)
  expect(await scenario.bookDust()).toBe(1)
  const page = (skip: number, limit: number) => listSuspense(db, { skip, limit })
  const items = await page(0, 50)
  // The item that is worth most comes first; the sum of six before the three that came one by one.
  expect(items.map(({ amount, payments }) => [amount, payments])).toEqual([
    [3n * 10n ** 18n, 1],
    [12n, 6],
    [2n, 1],
    [2n, 1],
    [2n, 1],
  ])
  expect(await page(1, 1)).toEqual([items[1]])
  const operators = await startOperators(scenario.url, scenario.clock)
  const ids = [items[1]?.id ?? '', items[2]?.id ?? '', items[3]?.id ?? '']
  expect(await operators.both<unknown[]>('suspense', 'assign', ...ids, '--to', 'desk')).toHaveLength(3)
  expect(await scenario.platform('deskInventory', 'JU')).toBe(16n)
  expect((await page(0, 50)).map(({ amount }) => amount)).toEqual([3n * 10n ** 18n, 2n])
  await expect(operators.both('suspense', 'assign', ids[0] ?? '', '--to', 'desk')).rejects.toThrow(
    'given to somebody else',
  )
  await scenario.expectBooksToMatchTheChain()
})

test('an exact payment of an order is never dust, nor is revenue', async () => {
  await using scenario = await startScenario(chain)
  const { alice, clock } = scenario
  const day = clock.now().toISOString().slice(0, 10)
  for (let nth = 0; nth < 5; nth += 1)
    await chain.pay({ key: 'revenue', asset: chain.hash, amount: 1n, customer: alice, reference: day, from: alice })
  for (let nth = 0; nth < 2; nth += 1) await scenario.payExactly(await scenario.order('USDT'))
  await settle(scenario)
  expect(await scenario.platform('revenuePool', 'HASH')).toBe(5n)
  expect(await scenario.platform('salesRevenue', 'USDT')).toBe(200n * 10n ** 18n)
  await nextDay(scenario)
  expect(await scenario.bookDust()).toBe(0)
})

test('when our records of the chain are lost and read again, nothing is booked twice, whoever has become a member since', async () => {
  await using scenario = await startScenario(chain)
  const { db, ownerDb, alice, stranger, payNatively } = scenario
  for (let nth = 0; nth < 6; nth += 1) await payNatively(4n, alice)
  for (let nth = 0; nth < 5; nth += 1) await payNatively(1n, stranger)
  await payNatively(3n * dustSteps.JU, stranger)
  // Alice names somebody whom nobody knows yet, so it is hers.
  await chain.pay({
    key: 'deposit',
    asset: NATIVE_ASSET,
    amount: dustSteps.JU,
    customer: stranger,
    reference: '',
    from: alice,
  })
  await settle(scenario)
  await nextDay(scenario)
  expect(await scenario.bookDust()).toBe(2)
  expect(await scenario.available(alice, 'JU')).toBe(24n + dustSteps.JU)
  const suspense = () => listSuspense(db, { skip: 0, limit: 50 })
  const before = await suspense()
  expect(before.map(({ amount }) => amount)).toEqual([3n * dustSteps.JU, 2n, 1n, 1n, 1n])
  // As if they had never been settled, and the stranger has become a member since.
  await addMember(db, stranger)
  await ownerDb.deleteFrom('deposit_receipt').execute()
  await ownerDb
    .updateTable('chain_event')
    .set({ state: 'recorded', outcome: null, credited_at: null, waits_for: null })
    .execute()
  await settle(scenario)
  await nextDay(scenario)
  expect(await scenario.bookDust()).toBe(0)
  expect(await scenario.available(alice, 'JU')).toBe(24n + dustSteps.JU)
  expect(await scenario.platform('suspense', 'JU')).toBe(5n + 3n * dustSteps.JU)
  // Each ends where the books have it, nothing is left to be decided, and suspense has no payment beside its sum.
  const undecided = db.selectFrom('chain_event').select(['amount', 'last_failure']).where('state', '=', 'recorded')
  expect(await undecided.execute()).toEqual([])
  expect(await suspense()).toEqual(before)
  await scenario.expectBooksToMatchTheChain()
})
