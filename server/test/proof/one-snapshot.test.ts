import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '@candela/server/kernel/clock'
import { snapshotDeps } from '@candela/server/jobs/compose-attest'
import { followTo } from '@candela/server/modules/power/testing'
import { takeSnapshot } from '@candela/server/modules/proof/snapshot/take-snapshot'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { oneConfirmation, someHoldings } from './attested.ts'

const DAY = '2026-03-02'

async function start() {
  const own = await createTestDatabase()
  const clock = fakeClock(`${DAY}T02:00:00Z`)
  await followTo(own.db, 100n, clock.now())
  const config = oneConfirmation()
  /** Has one worker take the snapshot; `before` runs when all is read and nothing is stored. */
  const take = (before: () => Promise<void>) => {
    const holdings = async () => {
      await before()
      return someHoldings()
    }
    return takeSnapshot(snapshotDeps({ db: own.db, clock, config, payouts: { holdings } }), DAY)
  }
  const count = async () => (await own.db.selectFrom('proof_snapshot').select('day').execute()).length
  return { take, count, [Symbol.asyncDispose]: () => own.drop() }
}

test('a day that has its snapshot is not read again', async () => {
  await using own = await start()
  let reads = 0
  const counted = () => {
    reads += 1
    return Promise.resolve()
  }
  expect([await own.take(counted), await own.take(counted), reads]).toEqual([true, false, 1])
})

test('of two workers that take it at once one stores it, and the other goes on', async () => {
  await using own = await start()
  let there = 0
  const both = Promise.withResolvers<void>()
  const meet = () => {
    there += 1
    if (there === 2) both.resolve()
    return both.promise
  }
  expect((await Promise.all([own.take(meet), own.take(meet)])).toSorted()).toEqual([false, true])
  expect(await own.count()).toBe(1)
})

test('however long the work on what was read takes, Postgres does not end the transaction that reads', async () => {
  await using own = await createTestDatabase()
  const clock = fakeClock(`${DAY}T02:00:00Z`)
  await followTo(own.db, 100n, clock.now())
  const deps = snapshotDeps({ db: own.db, clock, config: oneConfirmation(), payouts: { holdings: someHoldings } })
  const limits: unknown[] = []
  const listOpenDebts: typeof deps.sources.listOpenDebts = async (tx) => {
    const { rows } = await sql`select current_setting('idle_in_transaction_session_timeout') as idle`.execute(tx)
    limits.push(...rows)
    return deps.sources.listOpenDebts(tx)
  }
  expect(await takeSnapshot({ ...deps, sources: { ...deps.sources, listOpenDebts } }, DAY)).toBe(true)
  expect(limits).toEqual([{ idle: '0' }])
})
