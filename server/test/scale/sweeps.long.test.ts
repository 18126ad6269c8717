import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { sweepRequests } from '@candela/server/db/idempotency/sweep-requests'
import { transaction, type Tx } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import { sweepAnnouncements } from '@candela/server/modules/deposit/sweep-announcements'
import { sweepQuotes } from '@candela/server/modules/exchange/sweep-quotes'
import { sweepDeviceNotices } from '@candela/server/modules/notice/sweep-device-notices'
import { sweepUnpaidOrders } from '@candela/server/modules/power/orders/sweep-unpaid-orders'
import { addMember, addPlan, addressOf, followTo } from '@candela/server/modules/power/testing'
import { sweepRankings } from '@candela/server/modules/ranking/sweep-days'
import { sweepNonces, sweepSessions } from '@candela/server/modules/session/sweep'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeposits, addExchanges, addNotices, addSessions, type Owner } from '../history/add-records.ts'

/** Rows to sweep are found without reading those that stay, however many those are, and some rows at a time. */

const NOW = new Date('2026-06-01T12:00:00Z')
/** Longer ago than anything is kept for that is swept. */
const LONG_AGO = new Date('2025-06-01T12:00:00Z')
const STAY = 3_000
const GO = 30
const BATCH = 10
/**
 * Rows that one batch may read: each in its index, in the table and where it is deleted, and in the index also those that batches before
 * have deleted, until Postgres has cleared them away.
 */
const FEW = 5 * GO

let own: TestDatabase
let staying: Owner & { planId: bigint }
let going: Owner & { planId: bigint }
beforeAll(async () => {
  // One connection, so that what it has counted is there when it is asked for.
  own = await createTestDatabase({ poolSize: 1, asOwner: true })
  const { db } = own
  await followTo(db, 100n, NOW)
  const planId = await addPlan(db, { totalUnits: 1_000_000 })
  staying = { memberId: await addMember(db, addressOf(1)), address: addressOf(1), planId }
  going = { memberId: await addMember(db, addressOf(2)), address: addressOf(2), planId }
})
afterAll(() => own.drop())

const both = async (add: (owner: Owner & { planId: bigint }, rows: number, at: Date) => Promise<unknown>) => {
  await add(staying, STAY, NOW)
  await add(going, GO, LONG_AGO)
}

/** Rows that were read of a table, and of its indexes. */
async function rowsRead(table: string): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(own.db)
  const { rows } = await sql<{ rows: bigint }>`
    select (t.seq_tup_read + coalesce(t.idx_tup_fetch, 0) + coalesce(sum(i.idx_tup_read), 0))::bigint as rows
    from pg_stat_user_tables t left join pg_stat_user_indexes i on i.relid = t.relid
    where t.relname = ${table} group by t.seq_tup_read, t.idx_tup_fetch`.execute(own.db)
  return Number(must(rows[0], 'it is a table').rows)
}

type Sweep = {
  table: string
  fill: () => Promise<unknown>
  sweep: (tx: Tx) => Promise<number>
}

const sweeps: Sweep[] = [
  {
    table: 'exchange_quote',
    async fill() {
      // Used ones are over as well: they are looked at once.
      await addExchanges(own.db, staying, STAY, LONG_AGO)
      while ((await transaction(own.db, (tx) => sweepQuotes(tx, NOW, 1_000))) > 0);
      await sql`
        insert into exchange_quote (quote_no, member_id, from_asset, to_asset, amount_in, from_price, to_price, evidence, base_fee_ppm, discount,
          level, fee_ppm, amount_out, fee, created_at, expires_at)
        select 'N' || n, ${going.memberId}, 'USDT', 'JU', 1000, 1, 1, '{}', 0, 0, 0, 0, 1000, 0, ${LONG_AGO},
          ${LONG_AGO}::timestamptz + interval '2 seconds' + n * interval '1 second'
        from generate_series(1, ${GO}::integer) n`.execute(own.db)
    },
    sweep: (tx) => sweepQuotes(tx, NOW, BATCH),
  },
  {
    table: 'session',
    fill: () => both((owner, rows, at) => addSessions(own.db, owner, rows, at)),
    sweep: (tx) => sweepSessions(tx, NOW, BATCH),
  },
  {
    table: 'used_nonce',
    fill: () =>
      both(({ memberId }, rows, at) =>
        sql`insert into used_nonce (nonce, expires_at) select ${memberId}::bigint || 'n' || n, ${at}
          from generate_series(1, ${rows}::integer) n`.execute(own.db),
      ),
    sweep: (tx) => sweepNonces(tx, NOW, BATCH),
  },
  {
    table: 'performance_day',
    async fill() {
      await sql`
        insert into member (address, invitation_code, joined_at)
        select '0x' || lpad(to_hex(n + 65536), 40, '0'), 'R' || lpad(n::text, 7, '0'), ${LONG_AGO} from generate_series(1, ${STAY}::integer) n`.execute(
        own.db,
      )
      const add = (day: Date, rows: number) =>
        sql`insert into performance_day (day, member_id, own) select ${day}::timestamptz::date, id, 1 from member order by id limit ${rows}`.execute(
          own.db,
        )
      await add(NOW, STAY)
      await add(LONG_AGO, GO)
    },
    sweep: (tx) => sweepRankings(tx, NOW, BATCH),
  },
  {
    table: 'request_log',
    fill: () =>
      both(({ memberId }, rows, at) =>
        sql`insert into request_log (member_id, request_key, input_key, result, created_at)
          select ${memberId}, md5('r' || n)::uuid, md5('i')::uuid, '{}', ${at} from generate_series(1, ${rows}::integer) n`.execute(
          own.db,
        ),
      ),
    sweep: (tx) => sweepRequests(tx, NOW, BATCH),
  },
  {
    table: 'power_order',
    fill: () =>
      both(({ memberId, planId }, rows, at) =>
        sql`
        insert into power_order (order_no, member_id, plan_id, units, cost_usdt, asset, payable, price, state, created_at, pay_before,
          watch_until, term_days, settled_at)
        select 'P' || ${memberId}::bigint || 'X' || lpad(n::text, 8, '0'), ${memberId}, ${planId}, 1, 1, 'USDT', n, 1, 'cancelled', at,
          at + interval '15 minutes', at + interval '1 day', 1, at
        from (select n, ${at}::timestamptz - n * interval '1 minute' as at from generate_series(1, ${rows}::integer) n) made`.execute(
          own.db,
        ),
      ),
    sweep: (tx) => sweepUnpaidOrders(tx, BATCH),
  },
  {
    table: 'deposit',
    fill: () => both((owner, rows, at) => addDeposits(own.db, owner, rows, at)),
    sweep: (tx) => sweepAnnouncements(tx, BATCH),
  },
  {
    table: 'notice',
    async fill() {
      // The sessions have left notices of their own.
      await own.db.deleteFrom('notice').execute()
      await both((owner, rows, at) => addNotices(own.db, owner, rows, at))
    },
    sweep: (tx) => sweepDeviceNotices(tx, NOW, BATCH),
  },
]

test.each(sweeps)('$table', async ({ table, fill, sweep }) => {
  await fill()
  await sql`vacuum analyze ${sql.table(table)}`.execute(own.db)
  const batches: number[] = []
  for (let batch = 0; batch < GO / BATCH; batch++) {
    const before = await rowsRead(table)
    batches.push(await transaction(own.db, sweep))
    expect((await rowsRead(table)) - before, `batch ${batch}`).toBeLessThanOrEqual(FEW)
  }
  expect(batches).toEqual(Array(GO / BATCH).fill(BATCH))
  const before = await rowsRead(table)
  expect(await transaction(own.db, sweep)).toBe(0)
  expect((await rowsRead(table)) - before, 'when nothing is left').toBeLessThanOrEqual(FEW)
})
