import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { creditPayments } from '@candela/server/chain/crediting/credit-payments'
import { uncreditedEvents } from '@candela/server/chain/follow/uncredited'
import { listTroubledPayments, readFollowerStatus } from '@candela/server/chain/follow/status'
import { type Database, transaction, type Tx } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import { fakeClock } from '@candela/server/kernel/clock'
import { silentLog } from '@candela/server/kernel/log'
import { bookDust } from '@candela/server/modules/deposit/dust/book-dust'
import { readDeposits } from '@candela/server/modules/deposit/read-deposits'
import { whyWait } from '@candela/server/modules/income/why-wait'
import { interestInDoubt } from '@candela/server/modules/lending/loan/daily/close-lending'
import { addMember, addressOf, followTo, NOW, recordPayment } from '@candela/server/modules/power/testing'
import { lastSettledBlock } from '@candela/server/modules/proof/snapshot/followed-payments'
import { hasForeignPayout } from '@candela/server/modules/reconcile/foreign-payouts'
import { readBooks } from '@candela/server/modules/reconcile/read-books'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** The queries for the payments that are recorded and not credited read those, and none of the many that are credited. */

const CREDITED = 20_000
const WAITING = 5
/** Rows of the table of all payments that one question may read: a few for each that waits. */
const FEW = 10 * WAITING

let own: TestDatabase
let memberId: bigint
beforeAll(async () => {
  // One connection, so that what it has counted is there when it is asked for.
  own = await createTestDatabase({ poolSize: 1, asOwner: true })
  const { db } = own
  memberId = await addMember(db, addressOf(1))
  await followTo(db, 40_000n, NOW)
  await sql`
    insert into chain_event (tx_hash, log_index, tx_position, block_number, block_hash, block_at, action, reference, asset, amount, payer,
      customer, confirmations_needed, state, outcome, credited_at)
    select '0x' || lpad(to_hex(n), 64, '0'), 0, 0, n, '0x', ${NOW}, 'deposit', 'D' || n, 'USDT', 1, ${addressOf(1)}, ${addressOf(1)}, 12,
      'credited', 'balance', ${NOW}
    from generate_series(1, ${CREDITED}::integer) n`.execute(db)
  for (const nth of Array(WAITING).keys()) {
    const reference = `W${nth}`
    const to = { payer: addressOf(1), customer: addressOf(1) }
    const place = { tx_hash: `0x${'f'.repeat(63)}${nth}`, block_number: 39_999n }
    await recordPayment(db, { reference, asset: 'USDT', amount: 10n ** 18n, action: 'deposit', ...to, ...place })
  }
  await sql`vacuum analyze chain_event`.execute(db)
})
afterAll(() => own.drop())

const rowsRead = async (): Promise<number> => {
  await sql`select pg_stat_force_next_flush()`.execute(own.db)
  const { rows } = await sql<{ rows: bigint }>`
    select seq_tup_read + coalesce(idx_tup_fetch, 0) as rows from pg_stat_user_tables where relname = 'chain_event'`.execute(
    own.db,
  )
  return Number(must(rows[0], 'it is a table').rows)
}

const read = async (ask: (db: Database) => Promise<unknown>): Promise<number> => {
  const before = await rowsRead()
  await ask(own.db)
  return (await rowsRead()) - before
}
const within = (ask: (tx: Tx) => Promise<unknown>) => (db: Database) => transaction(db, ask)

const rule = { depth: 30, maxWait_ms: 0 }
const questions: Record<string, (db: Database) => Promise<unknown>> = {
  'how far the chain is followed': (db) => readFollowerStatus(db, NOW),
  'payments that need a person': (db) => listTroubledPayments(db),
  'the deposits of a member': (db) => readDeposits(db, { memberId, limit: 2 }),
  'whether a day can be closed': within((tx) =>
    whyWait(tx, { followed: 40_000n, halted_reason: null }, '2026-02-28', rule),
  ),
  'dust of a day that is over': within((tx) => bookDust(tx, NOW, 10)),
  'the last block of which all is settled': within((tx) => lastSettledBlock(tx, 40_000n)),
  'interest that a payment may take back': within((tx) => interestInDoubt(tx, '2026-02-28')),
  'what the books expect on chain': (db) => readBooks(db, () => Promise.resolve(null)),
  'payouts that are not ours': (db) => hasForeignPayout(db),
  'what the nodes are asked about': (db) => uncreditedEvents(db).orderBy('u.id').execute(),
  'what is to be credited': (db) =>
    creditPayments({ db, clock: fakeClock(NOW.toISOString()), log: silentLog(), batchSize: 100 }, () =>
      Promise.reject(new Error('nothing is deep enough')),
    ),
}

test.each(Object.entries(questions))('%s', async (_name, ask) => {
  expect(await read(ask)).toBeLessThanOrEqual(FEW)
})

test('what reads all payments is found', async () => {
  await own.owner.transaction().execute(async (tx) => {
    await sql`set local enable_indexscan = off`.execute(tx)
    await sql`set local enable_bitmapscan = off`.execute(tx)
    await sql`select count(*) from chain_event where state = 'recorded' and log_index = 0`.execute(tx)
  })
  expect(await rowsRead()).toBeGreaterThan(CREDITED)
})
