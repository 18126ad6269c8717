import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCuttableProxy } from '../../../test/faults/cuttable-proxy.ts'
import { silentLog } from '../../kernel/log.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { type Lease, openLease, readLease } from './lease.ts'

const FOREVER_MS = 2 ** 31
let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
})
afterAll(() => own.drop())

const open = (name: string, holder: string, duration_ms = FOREVER_MS): Lease & AsyncDisposable => {
  const lease = openLease({ url: own.url, name, holder, duration_ms, log: silentLog() })
  return { ...lease, [Symbol.asyncDispose]: () => lease.close() }
}
const expire = (name: string, by = '0 s') =>
  sql`update lease set expires_at = clock_timestamp() - ${by}::interval where name = ${name}`.execute(own.db)

test('one has it at a time, and the number grows by one at each taking', async () => {
  await using a = open('alone', 'a')
  await using b = open('alone', 'b')
  expect(await a.take()).toEqual({ isTaken: true, holder: 'a', number: 1n })
  expect(await b.take()).toEqual({ isTaken: false, holder: 'a', number: 1n })
  await expire('alone')
  expect(await b.take()).toEqual({ isTaken: true, holder: 'b', number: 2n })
  expect(await a.take()).toEqual({ isTaken: false, holder: 'b', number: 2n })
  expect(await a.prolong(1n)).toBe(false)
  expect(await b.prolong(2n)).toBe(true)
  await b.release(2n)
  expect(await a.take()).toEqual({ isTaken: true, holder: 'a', number: 3n })
})

test('of many at the same moment one gets it', async () => {
  const all = Array.from({ length: 8 }, (_, nth) => open('race', `holder ${nth}`))
  const taken = (await Promise.all(all.map((lease) => lease.take()))).filter(({ isTaken }) => isTaken)
  expect(taken).toHaveLength(1)
  await expire('race')
  const again = (await Promise.all(all.map((lease) => lease.take()))).filter(({ isTaken }) => isTaken)
  expect(again.map(({ number }) => number)).toEqual([2n])
  await Promise.all(all.map((lease) => lease.close()))
})

test('one that has expired and that nobody has taken is prolonged, and is not free any more', async () => {
  await using a = open('late', 'a')
  await using b = open('late', 'b')
  await a.take()
  await expire('late', '1 hour')
  expect(await readLease(own.db, 'late')).toMatchObject({ is_over: true })
  expect(await a.prolong(1n)).toBe(true)
  expect(await readLease(own.db, 'late')).toMatchObject({ holder: 'a', is_over: false })
  expect((await b.take()).isTaken).toBe(false)
})

test('who gives back a lease that another has taken meanwhile takes nothing away', async () => {
  await using a = open('returned', 'a')
  await using b = open('returned', 'b')
  await a.take()
  await expire('returned')
  await b.take()
  await a.release(1n)
  expect(await readLease(own.db, 'returned')).toMatchObject({ holder: 'b', number: 2n, is_over: false })
})

test('it asks on new connections when its own never answer again', async () => {
  await using proxy = await startCuttableProxy(own.url)
  const lease = openLease({ url: proxy.url, name: 'silent', holder: 'a', duration_ms: 1_000, log: silentLog() })
  const { number } = await lease.take()
  expect(await lease.prolong(number)).toBe(true)
  proxy.lose('silent')
  await expect(lease.prolong(number)).rejects.toThrow(/timeout/i)
  proxy.mend('silent')
  await expect.poll(() => lease.prolong(number).catch(() => null)).toBe(true)
  await lease.close()
})
