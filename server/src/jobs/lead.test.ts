import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLease } from '../db/lease/lease.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { keptLog } from '@candela/testing/server/kept-log'
import { lead, type LeadOptions } from './lead.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
})
afterAll(() => own.drop())

/** A lease of a minute whose pauses pass 100 times as fast: no time limit of its questions is short on a busy machine. */
const DURATION_MS = 60_000
const pausesAt = (speed: number) => (duration_ms: number, signal: AbortSignal) =>
  setTimeout(duration_ms / speed, undefined, { signal })

/** Leads under a lease; what was begun and stopped, and the events of the log. */
function leadUnder(name: string, holder: string, options: Partial<LeadOptions> = {}, duration_ms = DURATION_MS) {
  const { log, lines } = keptLog('info')
  const lease = openLease({ url: own.url, name, holder, duration_ms, log })
  const done: string[] = []
  const begin = (number: bigint) => {
    done.push(`begin ${number}`)
    return Promise.resolve({ stop: () => Promise.resolve(void done.push(`stop ${number}`)) })
  }
  const leading = lead({ lease, begin, log, sleep: pausesAt(100), ...options })
  const end = async () => {
    await leading.stop()
    await lease.close()
  }
  const events = () => lines.map((line) => (JSON.parse(line) as { event: string }).event)
  return { leading, done, events, end, [Symbol.asyncDispose]: end }
}

const expiresAt = async (name: string): Promise<number> => {
  const lease = own.db.selectFrom('lease').select('expires_at').where('name', '=', name)
  return (await lease.executeTakeFirstOrThrow()).expires_at.getTime()
}

/** As if another server had taken the lease. */
const takeAway = (name: string) =>
  sql`
    update lease set holder = 'other', number = number + 1, expires_at = clock_timestamp() + interval '1 hour'
    where name = ${name}`.execute(own.db)

test('one works at a time, and when it stops the other begins at once under the next number', async () => {
  await using a = leadUnder('turns', 'a')
  await expect.poll(() => a.done).toEqual(['begin 1'])
  expect(a.leading.number()).toBe(1n)
  await using b = leadUnder('turns', 'b')
  await expect.poll(() => b.events()).toEqual(['lease.held-elsewhere'])
  expect(b.done).toEqual([])
  // It would have expired in a minute of the database's clock.
  await a.end()
  expect(a.done).toEqual(['begin 1', 'stop 1'])
  await expect.poll(() => b.done).toEqual(['begin 2'])
  expect([a.leading.number(), b.leading.number()]).toEqual([null, 2n])
})

test('work whose lease was taken is stopped, and begins again when the lease is free', async () => {
  await using a = leadUnder('taken', 'a')
  await expect.poll(() => a.done).toEqual(['begin 1'])
  await takeAway('taken')
  await expect.poll(() => a.done).toEqual(['begin 1', 'stop 1'])
  await expect.poll(() => a.events()).toEqual(['lease.taken', 'lease.lost', 'lease.held-elsewhere'])
  expect(a.leading.number()).toBeNull()
  await sql`update lease set expires_at = clock_timestamp() where name = 'taken'`.execute(own.db)
  await expect.poll(() => a.done).toEqual(['begin 1', 'stop 1', 'begin 3'])
})

test('work that does not begin gives the lease back and is tried again', async () => {
  let begun = 0
  const begin = () =>
    ++begun < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve({ stop: () => Promise.resolve() })
  await using a = leadUnder('broken', 'a', { begin })
  await expect.poll(() => begun).toBe(3)
  const expected = ['lease.taken', 'lease.work-failed', 'lease.taken', 'lease.work-failed', 'lease.taken']
  await expect.poll(() => a.events()).toEqual(expected)
})

test('work that goes on after its lease was lost is a failure of the server', async () => {
  const gate = Promise.withResolvers<void>()
  let begun = 0
  const begin = () => Promise.resolve({ stop: () => gate.promise, begun: ++begun })
  await using a = leadUnder('stuck', 'a', { begin, stopLimit_ms: 20 })
  await expect.poll(() => begun).toBe(1)
  await takeAway('stuck')
  await expect(a.leading.failed).rejects.toThrow('does not stop')
  gate.resolve()
})

test('a lease that is prolonged is not lost, however long work goes on', async () => {
  await using a = leadUnder('long', 'a', { sleep: pausesAt(1) }, 2_000)
  await expect.poll(() => a.done).toEqual(['begin 1'])
  const first = await expiresAt('long')
  // Three times as long as it lasts by itself.
  await expect.poll(() => expiresAt('long')).toBeGreaterThan(first + 6_000)
  expect(a.done).toEqual(['begin 1'])
  expect(a.events()).toEqual(['lease.taken'])
})

test('a server whose clock differs from the database’s does not begin, and stops when it differs later', async () => {
  const clock = { ahead_ms: 86_400_000, now: () => new Date(Date.now() + clock.ahead_ms) }
  await using a = leadUnder('clock', 'a', { clock })
  await expect.poll(() => a.events()).toEqual(['lease.clock-wrong'])
  expect(a.done).toEqual([])
  clock.ahead_ms = 0
  await expect.poll(() => a.done).toEqual(['begin 1'])
  expect(a.events()).toEqual(['lease.clock-wrong', 'lease.clock-right', 'lease.taken'])
  clock.ahead_ms = -86_400_000
  await expect.poll(() => a.done).toEqual(['begin 1', 'stop 1'])
  await using b = leadUnder('clock', 'b')
  // Given back, so that it need not expire first.
  await expect.poll(() => b.done).toEqual(['begin 2'])
})
