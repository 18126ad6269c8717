import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { poolOf, shareOf } from '@candela/protocol/money/income'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '@candela/server/kernel/clock'
import { auditLedger } from '@candela/server/ledger/audit'
import { accountBalance, memberBalances } from '@candela/server/ledger/balances'
import { platformAccount } from '@candela/server/ledger/chart'
import { closeDays } from '@candela/server/modules/income/close-days'
import { addMembers, addPlans, addPower, addRevenue, DEPTH, finalAt } from '@candela/server/modules/income/testing'
import { expect, test } from 'vitest'

const MEMBERS = 3_000
const KILLS = 12
/** Few members a transaction, so that there are many instants to die at. */
const CHUNK = 7
/** Transactions of one life at most: all lives together must not finish the day. */
const MAX_TRANSACTIONS = Math.floor(MEMBERS / CHUNK / KILLS)
const DAY = '2026-03-01'
const REVENUE = 987_654_321_987_654_321n
const closer = join(import.meta.dirname, '../../src/modules/income/testing-closer.ts')

const units = (nth: number) => BigInt(1 + ((nth * 7_919) % 997))

test('12 kills with SIGKILL at random instants: every account is paid exactly once, to the base unit', async () => {
  await using database = await createTestDatabase()
  const { db, url } = database
  const [low, high] = (await addPlans(db, [50_000, 80_000])) as [bigint, bigint]
  const { first } = await addMembers(db, MEMBERS)
  await addPower(
    db,
    Array.from({ length: MEMBERS }, (_, nth) => ({
      memberId: first + BigInt(nth),
      planId: nth % 3 === 0 ? low : high,
      units: units(nth),
      startsOn: DAY,
      endsOn: DAY,
    })),
  )
  await finalAt(db, new Date('2026-12-01T00:00:00Z'))
  await addRevenue(db, DAY, REVENUE)
  const clock = fakeClock('2026-03-02T00:10:00Z')
  const paidTo = async () => (await db.selectFrom('income_day').selectAll().executeTakeFirst())?.paid_to_member ?? 0n

  const positions: bigint[] = []
  // Few members per transaction, so that there are many instants at which a kill can interrupt it.
  for (let kill = 0; kill < KILLS; kill++) {
    const child = spawn(
      process.execPath,
      [closer, url, DAY, String(CHUNK), clock.now().toISOString(), String(MAX_TRANSACTIONS)],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    const ended = once(child, 'exit')
    // Every fourth kill hits the process while it starts, the others while it works.
    const from = await paidTo()
    if (kill % 4 !== 0) while (child.exitCode === null && (await paidTo()) === from) await sleep(5)
    await sleep(Math.random() * 40)
    child.kill('SIGKILL')
    await ended
    positions.push(await paidTo())
  }
  // The test proves something only if kills interrupt the work at different positions.
  expect(new Set(positions).size).toBeGreaterThan(KILLS / 2)
  expect(positions.at(-1)).toBeLessThan(first + BigInt(MEMBERS))
  await closeDays({ db, clock, depth: DEPTH }, DAY)

  const day = await db.selectFrom('income_day').selectAll().executeTakeFirstOrThrow()
  const sharing = { pool: poolOf({ revenue: REVENUE, carriedIn: 0n }), totalUnits: day.total_units }
  let paid = 0n
  for (const nth of [0, 1, 2, 500, 1_234, MEMBERS - 1]) {
    const due = shareOf(sharing, nth % 3 === 0 ? 50_000n : 80_000n, units(nth))
    expect((await memberBalances(db, first + BigInt(nth))).HASH.available).toBe(due)
  }
  for (let nth = 0; nth < MEMBERS; nth++) paid += shareOf(sharing, nth % 3 === 0 ? 50_000n : 80_000n, units(nth))
  expect(day).toMatchObject({ paid, accounts: BigInt(MEMBERS), revenue: REVENUE })
  expect(await accountBalance(db, platformAccount('revenuePool', 'HASH'))).toBe(REVENUE - paid - day.fee)
  const lines = await db
    .selectFrom('ledger_entry as e')
    .innerJoin('ledger_posting as p', 'p.seq', 'e.posting')
    .select(({ fn }) => [fn.countAll<bigint>().as('lines'), fn.count<bigint>('e.account').distinct().as('accounts')])
    .where('p.kind', '=', 'income')
    .where('e.amount', '>', 0n)
    .executeTakeFirstOrThrow()
  expect(lines).toEqual({ lines: BigInt(MEMBERS), accounts: BigInt(MEMBERS) })
  expect(await auditLedger(db)).toEqual([])
})
