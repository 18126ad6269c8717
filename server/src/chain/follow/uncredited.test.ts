import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addressOf, NOW, recordPayment } from '../../modules/power/testing.ts'

/** The table of what is recorded and not credited, whoever writes the events: the version before writes them too. */

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
})
afterAll(() => own.drop())
beforeEach(() => own.db.deleteFrom('chain_event').execute())

const uncredited = () => own.db.selectFrom('chain_uncredited').selectAll().orderBy('id').execute()

/** Reads the rows that the table is to have. */
const recorded = async () => {
  const events = await own.db
    .selectFrom('chain_event')
    .select(['id', 'block_number', 'log_index', 'payer', 'customer', 'waits_for', 'failures'])
    .where('state', '=', 'recorded')
    .orderBy('id')
    .execute()
  return events.map(({ failures, ...event }) => ({ ...event, is_failing: failures > 0 }))
}

const pay = (nth: bigint) =>
  recordPayment(own.db, {
    reference: `D${nth}`,
    asset: 'USDT',
    amount: nth,
    payer: addressOf(Number(nth)),
    customer: addressOf(9),
    block_number: nth,
  })
const change = (set: string) => sql.raw(`update chain_event set ${set}`).execute(own.db)

test('it has what is recorded, until it is credited or leaves the chain', async () => {
  const [first, second, third] = [await pay(1n), await pay(2n), await pay(3n)]
  expect(await uncredited()).toEqual(await recorded())
  expect((await uncredited()).map(({ id }) => id)).toEqual([first, second, third])

  await change(`failures = 1, last_failure = 'for a test', retry_at = now() where id = ${first}`)
  await change(`waits_for = '2026-03-01' where id = ${second}`)
  await change(`agreed_hash = block_hash where id = ${third}`)
  const changed = await uncredited()
  expect(changed).toEqual(await recorded())
  expect(changed.map((row) => [row.is_failing, row.waits_for])).toEqual([
    [true, null],
    [false, '2026-03-01'],
    [false, null],
  ])

  await change(
    `state = 'credited', outcome = 'balance', credited_at = now(), failures = 0, last_failure = null, retry_at = null
     where id in (${first}, ${second})`,
  )
  expect((await uncredited()).map(({ id }) => id)).toEqual([third])
  // Off the chain after it was credited, and again on it: it does not wait.
  await change(`orphaned_at = now() where id = ${first}`)
  await change(`orphaned_at = null, block_number = 7 where id = ${first}`)
  expect((await uncredited()).map(({ id }) => id)).toEqual([third])

  // The service never does this: it is true all the same.
  await change(`state = 'recorded', outcome = null, credited_at = null, block_number = 8 where id = ${second}`)
  expect(await uncredited()).toEqual(await recorded())
  expect(await uncredited()).toHaveLength(2)
  await own.db.deleteFrom('chain_event').where('id', '=', second).execute()

  await own.db.deleteFrom('chain_event').where('id', '=', third).execute()
  expect(await uncredited()).toEqual([])
})

test('crediting a payment leaves it on its page, and writes to no index', async () => {
  // One connection, so that what it has counted is there when it is asked for.
  await using database = await createTestDatabase({ poolSize: 1, asOwner: true })
  const { db } = database
  await sql`
    insert into chain_event (tx_hash, log_index, tx_position, block_number, block_hash, block_at, action, reference, asset, amount, payer,
      customer, confirmations_needed)
    select '0x' || lpad(to_hex(n), 64, '0'), n, 0, n / 100, '0x' || repeat('b', 64), now(), 'deposit', 'D2603011234' || n, 'USDT', 10::numeric ^ 20,
      ${addressOf(1)}, ${addressOf(2)}, 12
    from generate_series(1, 500) n`.execute(db)
  // All of a page in one transaction, as much as one batch has of it.
  await sql`
    update chain_event set state = 'credited', outcome = 'suspense', credited_at = now(), failures = 0, last_failure = null, retry_at = null`.execute(
    db,
  )
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql`
    select n_tup_upd as credited, n_tup_hot_upd as "onTheirPage" from pg_stat_user_tables where relname = 'chain_event'`.execute(
    db,
  )
  expect(rows).toEqual([{ credited: 500n, onTheirPage: 500n }])
})

test('a payment that is recorded again is there once', async () => {
  await pay(1n)
  await sql`
    insert into chain_event (tx_hash, log_index, tx_position, block_number, block_hash, block_at, action, reference, asset, amount, payer,
      customer, confirmations_needed)
    select tx_hash, log_index, tx_position, block_number, block_hash, block_at, action, reference, asset, amount, payer, customer, 12
    from chain_event on conflict (tx_hash, tx_position) where orphaned_at is null do nothing`.execute(own.db)
  expect(await uncredited()).toHaveLength(1)
  await recordPayment(own.db, {
    reference: 'D2',
    asset: 'USDT',
    amount: 2n,
    payer: addressOf(2),
    state: 'credited',
    outcome: 'balance',
    credited_at: NOW,
  })
  expect(await uncredited()).toHaveLength(1)
})

test('the view has of such a payment what the view of all payments has of it', async () => {
  await pay(1n)
  await pay(2n)
  await change(
    `failures = 1, last_failure = 'for a test', retry_at = now(), waits_for = '2026-03-01' where reference = 'D1'`,
  )
  const rows = await own.db.selectFrom('uncredited_payment').selectAll().orderBy('id').execute()
  const wider = await own.db.selectFrom('chain_payment').selectAll().orderBy('id').execute()
  expect(rows).toHaveLength(2)
  expect(wider).toMatchObject(rows)
})

test('the servers do not write it themselves', async () => {
  await pay(1n)
  for (const statement of ['delete from chain_uncredited', 'update chain_uncredited set is_failing = true'])
    await expect(sql.raw(statement).execute(own.db)).rejects.toThrow('permission denied for table chain_uncredited')
})
