import { DAY_MS, HOUR_MS, MINUTE_MS } from '@candela/protocol/units'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { createSolvency, summarizeSolvency } from './get-solvency.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

const start_ms = Date.parse('2026-03-01T10:00:00.000Z')
const WHOLE = 10n ** 18n
type Asset = 'JU' | 'USDT' | 'HASH'
/** Held, owed to members, owed to nobody yet; null for a comparison of before that was kept. */
type Line = [held: bigint, members: bigint | null, unassigned: bigint | null]

async function compare(at_ms: number, lines: Record<Asset, Line>, blockAge_ms = 0): Promise<void> {
  const { id } = await database.db
    .insertInto('reconciliation')
    .values({
      block_number: 7n,
      block_hash: `0x${'ab'.repeat(32)}`,
      block_at: new Date(at_ms - blockAge_ms),
      at: new Date(at_ms),
      paused: false,
      finding: null,
      agrees: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await database.db
    .insertInto('reconciliation_line')
    .values(
      (Object.keys(lines) as Asset[]).map((asset) => {
        const [found, owed_members, owed_unassigned] = lines[asset]
        return { reconciliation_id: id, asset, expected: found, found, owed_members, owed_unassigned }
      }),
    )
    .execute()
}

const usdt = (held: bigint, members: bigint): Record<Asset, Line> => ({
  JU: [0n, 0n, 0n],
  USDT: [held * WHOLE, members * WHOLE, 0n],
  HASH: [30n * WHOLE, 10n * WHOLE, 5n * WHOLE],
})

test('before the first comparison, and while none knows what was owed, there is nothing to say', async () => {
  const { db } = database
  const now = new Date(start_ms)
  expect(await createSolvency(db)(now)).toEqual({ now: null, history: [] })
  await compare(start_ms, { JU: [1n, null, null], USDT: [1n, null, null], HASH: [1n, null, null] })
  expect(await createSolvency(db)(now)).toEqual({ now: null, history: [] })
  expect(await summarizeSolvency(db, now)).toBeNull()
})

test('the last comparison with its parts, and as old as the older of its block and itself', async () => {
  const { db } = database
  await compare(start_ms, usdt(90n, 100n), 90_000)
  const now = new Date(start_ms + MINUTE_MS)
  const read = await createSolvency(db)(now)
  expect(read.now).toMatchObject({ ageSeconds: 150, maxAgeSeconds: 600, agrees: true, block: { number: 7 } })
  expect(read.now?.assets).toEqual([
    { asset: 'JU', held: '0', owed: '0', owedMembers: '0', owedUnassigned: '0', ratio: null },
    { asset: 'USDT', held: '90', owed: '100', owedMembers: '100', owedUnassigned: '0', ratio: '0.9' },
    { asset: 'HASH', held: '30', owed: '15', owedMembers: '10', owedUnassigned: '5', ratio: '2' },
  ])
  expect(await summarizeSolvency(db, now)).toEqual({
    ageSeconds: 150,
    maxAgeSeconds: 600,
    lowest: { asset: 'USDT', ratio: '0.9' },
    assets: [
      { asset: 'JU', held: '0', owed: '0' },
      { asset: 'USDT', held: '90', owed: '100' },
      { asset: 'HASH', held: '30', owed: '15' },
    ],
  })
})

test('the history has the lowest of each hour of seven days, and goes on with each comparison', async () => {
  const { db } = database
  await compare(start_ms - 8 * DAY_MS, usdt(1n, 100n))
  await compare(start_ms - 2 * HOUR_MS, usdt(150n, 100n))
  await compare(start_ms - 2 * HOUR_MS + MINUTE_MS, usdt(99n, 100n))
  await compare(start_ms - 2 * HOUR_MS + 2 * MINUTE_MS, usdt(150n, 100n))
  const solvency = createSolvency(db)
  const dip = { at: '2026-03-01T08:00:00.000Z', JU: null, USDT: '0.99', HASH: '2' }
  expect((await solvency(new Date(start_ms))).history).toEqual([dip])
  await compare(start_ms, usdt(200n, 100n))
  expect((await solvency(new Date(start_ms))).history).toEqual([
    dip,
    { at: '2026-03-01T10:00:00.000Z', JU: null, USDT: '2', HASH: '2' },
  ])
})
