import { endpoints } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { DAY_MS } from '@candela/protocol/units'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { transaction } from '@candela/server/db/open'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { collectBacklog, collectNotices } from '@candela/server/modules/notice/collect-notices'
import { listNotices } from '@candela/server/modules/notice/list-notices'
import { readNotices } from '@candela/server/modules/notice/read-notices'
import { WHOLE } from '@candela/server/modules/power/testing'
import { rejectWithdrawal } from '@candela/server/modules/withdraw/review'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEPTH, type PayoutScenario, startPayoutScenario } from '../payouts/payouts-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

async function list(scenario: PayoutScenario, page: { cursor?: string; limit?: number } = {}) {
  const found = await listNotices(scenario.db, scenario.memberOf(scenario.alice), {
    cursor: page.cursor,
    limit: page.limit ?? 100,
  })
  endpoints['GET notice/list'].data.parse(found)
  return found
}

const kinds = async (scenario: PayoutScenario) => (await list(scenario)).items.map(({ kind }) => kind)

/** Income of a day as the close posts it. */
const addIncome = (scenario: PayoutScenario, day: string, amount = 3n * WHOLE) =>
  transaction(scenario.db, (tx) =>
    post(tx, {
      id: randomUUID(),
      kind: 'income',
      legs: [
        {
          debit: platformAccount('custody', 'HASH'),
          credit: memberAccount(scenario.memberOf(scenario.alice), 'memberAvailable', 'HASH'),
          amount,
        },
      ],
      memo: { day },
      occurredAt: new Date(`${day}T00:10:00Z`),
    }),
  )

test('a withdrawal tells how it ended, once, with the money and the reason', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { alice, clock } = scenario
  await scenario.deposit(alice, 'USDT', 100n * WHOLE)
  const paid = await scenario.apply(alice, 'USDT', 40n * WHOLE)
  await scenario.payOut()
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  await scenario.credit()
  const refused = await scenario.apply(alice, 'USDT', 20n * WHOLE)
  const reject = () =>
    transaction(scenario.db, (tx) => rejectWithdrawal(tx, refused.withdrawalNo, 'wallet lost', clock.now()))
  expect(await reject()).toBe(true)
  expect(await reject()).toBe(false)
  const { items, unread } = await list(scenario)
  expect(unread).toBe(3)
  expect(items).toMatchObject([
    {
      kind: 'withdrawalRejected',
      read: false,
      params: {
        withdrawalNo: refused.withdrawalNo,
        asset: 'USDT',
        amount: '20',
        reason: 'operator',
        note: 'wallet lost',
      },
    },
    { kind: 'withdrawalDone', params: { withdrawalNo: paid.withdrawalNo, amount: '39' } },
    { kind: 'deposit', params: { asset: 'USDT', amount: '100' } },
  ])
  await scenario.expectSound()
})

test('what is rolled back tells nothing', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { alice, clock } = scenario
  await scenario.deposit(alice, 'USDT', 100n * WHOLE)
  const { withdrawalNo } = await scenario.apply(alice, 'USDT', 40n * WHOLE)
  const rolledBack = transaction(scenario.db, async (tx) => {
    await rejectWithdrawal(tx, withdrawalNo, 'no', clock.now())
    throw new Error('stopped')
  })
  await expect(rolledBack).rejects.toThrow('stopped')
  expect(await kinds(scenario)).toEqual(['deposit'])
})

test('what the ledger tells is gathered exactly once, however many look at the same time', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { db, alice } = scenario
  const memberId = scenario.memberOf(alice)
  await scenario.deposit(alice, 'USDT', 5n * WHOLE)
  // A payment of one's own is no news.
  await scenario.apply(alice, 'USDT', 5n * WHOLE)
  for (let day = 1; day <= 9; day++) await addIncome(scenario, `2020-01-0${day}`)
  await Promise.all(Array.from({ length: 6 }, () => collectNotices(db, memberId)))
  await Promise.all([collectNotices(db, memberId), addIncome(scenario, '2020-01-10'), collectNotices(db, memberId)])
  const { items, unread } = await list(scenario)
  expect(items.filter(({ kind }) => kind === 'income').map(({ params }) => 'day' in params && params.day)).toEqual(
    Array.from({ length: 10 }, (_, nth) => `2020-01-${String(10 - nth).padStart(2, '0')}`),
  )
  expect(unread).toBe(11)
})

test('notices are read one by one or all, only by their owner, and pages neither repeat nor miss one', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { db, clock, alice, bob } = scenario
  for (let day = 1; day <= 7; day++) await addIncome(scenario, `2020-02-0${day}`, BigInt(day) * WHOLE)
  const [memberId, other] = [scenario.memberOf(alice), scenario.memberOf(bob)]
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await list(scenario, { limit: 3, ...(cursor === undefined ? {} : { cursor }) })
    seen.push(...page.items.map(({ params }) => ('amount' in params ? params.amount : '')))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  expect(seen).toEqual(['7', '6', '5', '4', '3', '2', '1'])
  const now = clock.now()
  const [newest] = (await list(scenario)).items
  const id = newest?.id ?? ''
  await expect(readNotices(db, { id, memberId: other, now })).rejects.toMatchObject({ code: 404 })
  expect(await readNotices(db, { id, memberId, now })).toBe(6)
  expect(await readNotices(db, { id, memberId, now })).toBe(6)
  expect((await list(scenario)).items.map(({ read }) => read)).toEqual([true, ...Array<boolean>(6).fill(false)])
  expect(await readNotices(db, { id: undefined, memberId, now })).toBe(0)
  await expect(list(scenario, { cursor: 'x' })).rejects.toMatchObject({ code: 400 })
})

const dayOf = (nth: number) => new Date(Date.UTC(2010, 0, nth + 1)).toISOString().slice(0, 10)

test('of many gains the newest are told at once, the others by the worker, each once and read as it was marked', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { db, clock, alice } = scenario
  const memberId = scenario.memberOf(alice)
  const GAINS = 620
  for (let nth = 0; nth < GAINS; nth++) await addIncome(scenario, dayOf(nth))
  const told = async () => (await sql<{ n: bigint }>`select count(*) as n from notice`.execute(db)).rows[0]?.n
  const first = await list(scenario)
  expect(first.items.map(({ params }) => 'day' in params && params.day)).toEqual(
    Array.from({ length: 20 }, (_, nth) => dayOf(GAINS - 1 - nth)),
  )
  expect(await told()).toBe(20n)
  // Looking again goes no further, and tries to write none of them once more: an attempt would take an id.
  const lastId = async () =>
    (await sql<{ id: bigint }>`select last_value as id from notice_id_seq`.execute(db)).rows[0]?.id
  const before = await lastId()
  await list(scenario)
  expect([await told(), await lastId()]).toEqual([20n, before])
  expect(await transaction(db, collectBacklog)).toBe(true)
  expect(await told()).toBe(520n)
  // Capped, because counting further would cost more for who has more.
  expect((await list(scenario)).unread).toBe(100)
  expect(await readNotices(db, { id: undefined, memberId, now: clock.now() })).toBe(0)
  await addIncome(scenario, dayOf(GAINS))
  while (await transaction(db, collectBacklog));
  expect(await told()).toBe(BigInt(GAINS + 1))
  expect((await list(scenario, { limit: 3 })).items.map(({ read }) => read)).toEqual([false, true, true])
  expect((await list(scenario)).unread).toBe(1)
})

test('a device that signs in is told of, except for the very first', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { db, alice } = scenario
  const memberId = scenario.memberOf(alice)
  const { joined_at } = await db
    .selectFrom('member')
    .select('joined_at')
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  const signIn = (userAgent: string, at: Date) => {
    const end = new Date(at.getTime() + DAY_MS)
    return sql`insert into session (token_hash, id, member_id, created_at, seen_at, expires_at, user_agent)
      values (${Buffer.from(randomUUID())}, ${randomUUID()}, ${memberId}, ${at}, ${at}, ${end}, ${userAgent})`.execute(
      db,
    )
  }
  await signIn('first', joined_at)
  await signIn('second', new Date(joined_at.getTime() + 1))
  expect((await list(scenario)).items).toMatchObject([{ kind: 'newDevice', params: { userAgent: 'second' } }])
})

test('amounts are told to the last unit', async () => {
  await using scenario = await startPayoutScenario(chain)
  await addIncome(scenario, '2020-03-01', 1n)
  expect((await list(scenario)).items).toMatchObject([{ params: { amount: fromBaseUnits(1n) } }])
})
