import { toBaseUnits } from '@candela/protocol/money/money'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transaction } from '../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { maskAddress } from '../../kernel/mask-address.ts'
import { countPurchases } from './count-purchases.ts'
import { foldPerformance } from './fold-performance.ts'
import { readTeamRank, readTodayRank } from './read-rank.ts'
import { sweepRankings } from './sweep-days.ts'

const MICRO = 10n ** 12n
const NOON = new Date('2026-03-02T12:00:00Z')
const LATER = new Date('2026-03-02T13:00:00Z')
const YESTERDAY = new Date('2026-03-01T23:59:59.999Z')

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

let made = 0
let orders = 0n

/** Members of a tree of their own: `inviters[n]` is the place of who invited the n-th, or null. */
async function addTree(inviters: readonly (number | null)[]): Promise<bigint[]> {
  const ids: bigint[] = []
  for (const inviter of inviters) {
    made += 1
    const { id } = await database.db
      .insertInto('member')
      .values({
        address: `0x${made.toString(16).padStart(40, '0')}`,
        inviter_id: inviter === null ? null : (ids[inviter] ?? null),
        invitation_code: `RANK${String(made).padStart(6, '0')}`,
        joined_at: YESTERDAY,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.push(id)
  }
  return ids
}

type Bought = { memberId: bigint; amount: bigint; at: Date }

const buy = ({ memberId, amount, at }: Bought) =>
  transaction(database.db, (tx) => countPurchases(tx, [{ orderId: (orders += 1n), memberId, amount }], at))

async function clear(): Promise<void> {
  for (const table of [
    'performance_due',
    'performance_rising',
    'performance',
    'performance_day',
    'performance_count',
  ]) {
    await sql`delete from ${sql.table(table)}`.execute(database.db)
  }
}

const rankOf = (score: bigint, all: readonly bigint[]) => 1 + all.filter((other) => other > score).length

/** Works out what the lists should say, from nothing but the purchases and who invited whom. */
function truth(inviters: readonly (number | null)[], ids: readonly bigint[], bought: readonly Bought[], day: string) {
  const zero = () => ids.map(() => 0n)
  const [own, team, dayOwn, dayDirect] = [zero(), zero(), zero(), zero()]
  for (const { memberId, amount, at } of bought) {
    const buyer = ids.indexOf(memberId)
    own[buyer] = (own[buyer] ?? 0n) + amount
    for (let above = inviters[buyer] ?? null; above !== null; above = inviters[above] ?? null) {
      team[above] = (team[above] ?? 0n) + amount
    }
    if (at.toISOString().slice(0, 10) !== day) continue
    dayOwn[buyer] = (dayOwn[buyer] ?? 0n) + amount
    const inviter = inviters[buyer] ?? null
    if (inviter !== null) dayDirect[inviter] = (dayDirect[inviter] ?? 0n) + amount
  }
  const branch = ids.map((_id, at) => (own[at] ?? 0n) + (team[at] ?? 0n))
  const largest = ids.map((_id, at) =>
    branch.filter((_size, child) => inviters[child] === at).reduce((max, size) => (size > max ? size : max), 0n),
  )
  const small = ids.map((_id, at) => (team[at] ?? 0n) - (largest[at] ?? 0n))
  const today = ids.map((_id, at) => (dayOwn[at] ?? 0n) + (dayDirect[at] ?? 0n))
  return ids.map((_id, at) => ({
    today: { amount: today[at] ?? 0n, rank: today[at] === 0n ? null : rankOf(today[at] ?? 0n, today) },
    small: { amount: small[at] ?? 0n, rank: small[at] === 0n ? null : rankOf(small[at] ?? 0n, small) },
    parts: { own: dayOwn[at], direct: dayDirect[at], team: team[at], largest: largest[at] },
  }))
}

const tree = fc
  .array(fc.nat(), { minLength: 3, maxLength: 14 })
  .map((picks) => picks.map((pick, at) => (at === 0 || pick % 5 === 0 ? null : pick % at)))
/** Few different amounts, so that there are ties; some next to each other, some far apart. */
const amounts = fc.oneof(
  fc.constantFrom(20n, 38n, 40n).map((usdt) => usdt * 10n ** 18n),
  fc.bigInt(1n, 10n ** 24n),
  fc.bigInt(1n, 3n).map((units) => 999n * MICRO + units),
)
const history = tree.chain((inviters) =>
  fc.record({
    inviters: fc.constant(inviters),
    purchases: fc.array(
      fc.record({ by: fc.nat(inviters.length - 1), amount: amounts, late: fc.boolean(), foldAfter: fc.nat(6) }),
      { maxLength: 30 },
    ),
  }),
)

describe('ranks and figures', () => {
  test('are those of a full count over everything, however purchases and folding interleave', async () => {
    const { db } = database
    await fc.assert(
      fc.asyncProperty(history, async ({ inviters, purchases }) => {
        await clear()
        const ids = await addTree(inviters)
        const bought: Bought[] = []
        for (const { by, amount, late, foldAfter } of purchases) {
          const one = { memberId: ids[by] as bigint, amount, at: late ? NOON : YESTERDAY }
          bought.push(one)
          await buy(one)
          if (foldAfter < 3) await foldPerformance(db, foldAfter + 1)
        }
        while ((await foldPerformance(db)) > 0);
        const expected = truth(inviters, ids, bought, '2026-03-02')
        for (const [at, id] of ids.entries()) {
          const [today, small] = [await readTodayRank(db, id, NOON), await readTeamRank(db, id, NOON)]
          expect({
            today: { amount: toBaseUnits(today.amount), rank: today.rank },
            small: { amount: toBaseUnits(small.amount), rank: small.rank },
            parts: {
              own: toBaseUnits(today.own),
              direct: toBaseUnits(today.direct),
              team: toBaseUnits(small.team),
              largest: toBaseUnits(small.largestBranch),
            },
          }).toEqual(expected[at])
        }
        await expectCountsToMatch()
      }),
      { numRuns: 40 },
    )
  })

  test('are the same when several fold and several buy at once', async () => {
    const { db } = database
    await clear()
    const inviters = [null, 0, 0, 1, 1, 2, 3]
    const ids = await addTree(inviters)
    const bought = Array.from({ length: 120 }, (_none, nth) => ({
      memberId: ids[nth % ids.length] as bigint,
      amount: BigInt(nth + 1) * 10n ** 18n,
      at: nth % 3 === 0 ? YESTERDAY : NOON,
    }))
    const folding = Array.from({ length: 3 }, async () => {
      for (let round = 0; round < 25; round++) await foldPerformance(db, 7)
    })
    await Promise.all([...folding, ...bought.map(buy)])
    while ((await foldPerformance(db)) > 0);
    const expected = truth(inviters, ids, bought, '2026-03-02')
    for (const [at, id] of ids.entries()) {
      expect(toBaseUnits((await readTeamRank(db, id, NOON)).amount)).toBe(expected[at]?.small.amount)
      expect((await readTodayRank(db, id, NOON)).rank).toBe(expected[at]?.today.rank)
    }
    await expectCountsToMatch()
  })

  test('a chain of a thousand is climbed in bounded steps, each member told once', async () => {
    const { db } = database
    await clear()
    const DEPTH = 1_000
    const { rows } = await sql<{ id: bigint }>`
      with recursive base as (select coalesce(max(id), 0) as last from member)
      insert into member (address, inviter_id, invitation_code, joined_at)
      select '0x' || lpad(to_hex(900000 + n), 40, '0'), null, 'DEEP' || n, now() from base, generate_series(1, ${DEPTH}::integer) n
      returning id`.execute(db)
    const ids = rows.map(({ id }) => id)
    await sql`
      update member m set inviter_id = chain.above
      from (select id, lag(id) over (order by id) as above from unnest(${ids}::bigint[]) id) chain
      where m.id = chain.id and chain.above is not null`.execute(db)
    const [top, middle, last] = [ids[0], ids[DEPTH / 2], ids[DEPTH - 1]] as [bigint, bigint, bigint]
    const usdt = 10n ** 18n
    // A ranking states its age: its day has what was added up, the teams also what has climbed to the top.
    const until = async () => [
      (await readTodayRank(db, top, LATER)).countedUntil,
      (await readTeamRank(db, top, LATER)).countedUntil,
    ]
    const [old, noon, later] = [YESTERDAY.toISOString(), NOON.toISOString(), LATER.toISOString()]
    expect(await until()).toEqual([later, later])
    await buy({ memberId: last, amount: 3n * usdt, at: YESTERDAY })
    await buy({ memberId: middle, amount: 5n * usdt, at: NOON })
    expect(await until()).toEqual([old, old])
    const climbed = async () =>
      Number((await sql<{ n: bigint }>`select count(*) as n from performance`.execute(db)).rows[0]?.n)
    // Two purchases in one transaction climb to twenty others; what is left waits at two members.
    expect(await foldPerformance(db, 2)).toBe(2)
    expect(await climbed()).toBe(22)
    expect(await until()).toEqual([later, old])
    for (let fold = 0; fold < 10; fold++) await foldPerformance(db, 2)
    // A purchase in between is not mixed up with what waits above it.
    await buy({ memberId: last, amount: usdt, at: NOON })
    expect(await until()).toEqual([noon, old])
    // It arrives after the older ones.
    const seen = new Set<string>()
    while ((await foldPerformance(db, 2)) > 0) seen.add((await readTeamRank(db, top, LATER)).countedUntil)
    expect([...seen]).toEqual([old, noon, later])
    expect(await climbed()).toBe(DEPTH)
    expect(await until()).toEqual([later, later])
    expect(await readTeamRank(db, top, NOON)).toMatchObject({ team: '9', largestBranch: '9', amount: '0' })
    expect(await readTeamRank(db, middle, NOON)).toMatchObject({ team: '4', largestBranch: '4', amount: '0' })
    await expectCountsToMatch()
  })

  test('the list shows the first hundred, masked, with shared places', async () => {
    const { db } = database
    await clear()
    const ids = await addTree(Array.from({ length: 105 }, () => null))
    for (const [at, memberId] of ids.entries()) {
      await buy({ memberId, amount: BigInt(at < 3 ? 500 : 200 - at) * 10n ** 18n, at: NOON })
    }
    await foldPerformance(db)
    const { items, rank } = await readTodayRank(db, ids[104] as bigint, NOON)
    expect(items).toHaveLength(100)
    expect(items.slice(0, 4).map((item) => item.rank)).toEqual([1, 1, 1, 4])
    expect(rank).toBe(105)
    expect(items[3]).toEqual({ rank: 4, maskedAddress: expect.stringMatching(/^0x0000…[0-9a-f]{4}$/), amount: '197' })
    expect(maskAddress(`0x${'ab'.repeat(20)}`)).toBe('0xabab…abab')
  })

  test('a new day begins with nobody on its list, and old ones are forgotten', async () => {
    const { db } = database
    await clear()
    const [id] = await addTree([null])
    await buy({ memberId: id as bigint, amount: 10n ** 18n, at: NOON })
    await foldPerformance(db)
    expect((await readTodayRank(db, id as bigint, NOON)).rank).toBe(1)
    const midnight = new Date('2026-03-03T00:00:00Z')
    expect(await readTodayRank(db, id as bigint, midnight)).toMatchObject({ day: '2026-03-03', rank: null, items: [] })
    const sweep = (now: Date) => transaction(db, (tx) => sweepRankings(tx, now, 10))
    expect(await sweep(midnight)).toBe(0)
    expect(await sweep(new Date('2026-03-12T00:00:00Z'))).toBe(1)
  })
})

test('an order counts once', async () => {
  const { db } = database
  await clear()
  const [memberId] = await addTree([null])
  const purchase = { orderId: 900_000n, memberId: memberId as bigint, amount: 1n }
  await transaction(db, (tx) => countPurchases(tx, [purchase], NOON))
  await expect(transaction(db, (tx) => countPurchases(tx, [purchase], NOON))).rejects.toThrow(/performance_due_pkey/)
})

test('nothing is paid for a rank: counting and reading write no posting', async () => {
  const { db } = database
  const before = await db.selectFrom('ledger_posting').select('id').execute()
  const [memberId] = await addTree([null])
  await buy({ memberId: memberId as bigint, amount: 10n ** 20n, at: NOON })
  await foldPerformance(db)
  await readTodayRank(db, memberId as bigint, NOON)
  await readTeamRank(db, memberId as bigint, NOON)
  expect(await db.selectFrom('ledger_posting').select('id').execute()).toEqual(before)
})

/** The counts that ranks are summed from are what stands on the boards. */
async function expectCountsToMatch(): Promise<void> {
  const { rows } = await sql<{ board: string }>`
    select board, bucket, sum(members) as members from (
      select board, bucket, members from performance_count where members <> 0
      union all select 'all', bucket, -count(*) from performance where score > 0 group by bucket
      union all select day::text, bucket, -count(*) from performance_day group by day, bucket
    ) both_ways group by board, bucket having sum(members) <> 0`.execute(database.db)
  expect(rows).toEqual([])
}
