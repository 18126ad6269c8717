import { openStandby, type Standby } from '@candela/server/db/standby/standby'
import { readPrimaryPosition } from '@candela/server/db/standby/position'
import { type Database, openDatabase, transaction } from '@candela/server/db/open'
import { patientPool } from '@candela/testing/postgres/test-database'
import { AppError } from '@candela/server/kernel/errors'
import { type Log, silentLog } from '@candela/server/kernel/log'
import { stopwatch } from '@candela/server/kernel/clock'
import { must } from '@candela/server/kernel/assert'
import { HANGS_AFTER_MS } from '@candela/testing/limits'
import { codes } from '@candela/protocol/codes/codes'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startCuttableProxy } from '../faults/cuttable-proxy.ts'
import { type Replicated, startReplicated } from './replicated.ts'

/** Reads of a server that has a standby: which of the two answers them, and what they may see. */

let pair: Replicated
beforeAll(async () => {
  pair = await startReplicated()
  await sql`create table counted (value bigint not null)`.execute(pair.primary)
  await sql`insert into counted values (0)`.execute(pair.primary)
})
afterAll(async () => {
  await pair?.[Symbol.asyncDispose]()
})
beforeEach(() => pair.delayBy(0))

type From = 'standby' | 'primary'

async function open(url: string = pair.standbyUrl, primary: Database = pair.primary) {
  const from: From[] = []
  const events: string[] = []
  const reasons: unknown[] = []
  const note = ({ event, reason }: { event: string; reason?: unknown }) => {
    if (!event.startsWith('standby.')) return
    events.push(event)
    if (reason !== undefined) reasons.push(reason)
  }
  const log: Log = { ...silentLog(), warn: note, info: note }
  const standby = openStandby({
    primary,
    url,
    poolSize: 4,
    isPrepared: true,
    log,
    onRead: (answered) => from.push(answered),
  })
  return { standby, from, events, reasons, [Symbol.asyncDispose]: () => standby.stop() }
}

const used = (standby: Standby) => expect.poll(() => standby.isUsed(), { interval: 20 }).toBe(true)
const unused = (standby: Standby) => expect.poll(() => standby.isUsed(), { interval: 20 }).toBe(false)

const read = async (db: Database): Promise<bigint> => {
  const { rows } = await sql<{ value: bigint }>`select value from counted`.execute(db)
  return must(rows[0], 'there is one row').value
}

const writeSame = (db: Database) => sql`update counted set value = value`.execute(db)

/** Commits one more on the primary. @returns the new value, and where the log ended after it could be seen */
async function commitOne(): Promise<{ value: bigint; position: bigint }> {
  await transaction(pair.primary, (tx) => sql`update counted set value = value + 1`.execute(tx))
  const position = must(await readPrimaryPosition(pair.primary), 'it is the primary')
  return { value: await read(pair.primary), position }
}

const onStandby = () => pair.onStandby(read)

/** Ends when the standby has answered a read. On a busy machine it may be too late for some, which the primary answers as well. */
async function untilStandbyAnswers({ standby, from }: Awaited<ReturnType<typeof open>>): Promise<void> {
  await used(standby)
  do {
    const { value, position } = await commitOne()
    expect(await standby.at(position, read)).toBe(value)
  } while (from.at(-1) !== 'standby')
}

test('a read sees what was committed before its position, by a standby that shows each commit a tenth of a second late', async () => {
  await using opened = await open()
  const { standby, from } = opened
  await used(standby)
  await pair.delayBy(100)
  await pair.onStandby(async (direct) => {
    let late = 0
    // On a busy machine some reads come after the commit is shown, and some are answered by the primary.
    while (late < 10 || from.filter((one) => one === 'standby').length < 10) {
      const { value, position } = await commitOne()
      // Without waiting it would have seen an older one.
      if ((await read(direct)) < value) late += 1
      expect(await standby.at(position, read)).toBe(value)
    }
  })
})

test('what was seen once on the primary is never missing in a later read, whoever commits meanwhile', async () => {
  await using opened = await open()
  const { standby, from } = opened
  await used(standby)
  await pair.delayBy(20)
  const over = new AbortController()
  const others = (async () => {
    while (!over.signal.aborted) await commitOne()
  })()
  let seen = 0n
  for (let round = 0; round < 60; round++) {
    const position = must(await readPrimaryPosition(pair.primary), 'it is the primary')
    const now = round % 3 === 0 ? await read(pair.primary) : await standby.at(position, read)
    expect(now).toBeGreaterThanOrEqual(seen)
    seen = now
  }
  over.abort()
  await others
  expect(seen).toBeGreaterThan(20n)
  expect(from).toContain('standby')
})

test('a paused standby answers nothing that is older, and is used again when it goes on', async () => {
  await using opened = await open()
  const { standby, from, events, reasons } = opened
  await used(standby)
  await pair.pause()
  try {
    const { value, position } = await commitOne()
    expect(await onStandby()).toBeLessThan(value)
    expect(await standby.at(position, read)).toBe(value)
    expect(from).toEqual(['primary'])
    await unused(standby)
    expect(events).toEqual(['standby.used', 'standby.unused'])
    expect(reasons[0]).toMatch(/^it is \d+ bytes behind$/)
    // No caller waits for it any more.
    const since_ms = performance.now()
    for (let round = 0; round < 20; round++) expect(await standby.at(position, read)).toBe(value)
    expect(performance.now() - since_ms).toBeLessThan(20 * 100)
  } finally {
    await pair.resume()
  }
  await untilStandbyAnswers(opened)
  // On a busy machine it may have been given up and used once more.
  expect(events.length).toBeGreaterThanOrEqual(3)
  expect(events).toEqual(events.map((_, nth) => (nth % 2 === 0 ? 'standby.used' : 'standby.unused')))
})

test('a public read is at most a second old: by the standby, and by the primary when the standby is further behind', async () => {
  await using opened = await open()
  const { standby, from } = opened
  await used(standby)
  const { value } = await commitOne()
  const recent = async () => [await standby.recent(read), from.at(-1)]
  await expect.poll(recent, { interval: 20 }).toEqual([value, 'standby'])
  // For longer than the test can last, so that only the primary can have it.
  await pair.delayBy(3 * HANGS_AFTER_MS)
  const later = await commitOne()
  const age_ms = stopwatch()
  await expect.poll(age_ms).toBeGreaterThan(1_000)
  expect(await standby.recent(read)).toBe(later.value)
  expect(from.at(-1)).toBe('primary')
  expect(await onStandby()).toBeLessThan(later.value)
})

test('what is known of the primary is used for a second, and then public reads are its own', async () => {
  const primary = openDatabase({ url: pair.url, log: silentLog(), poolSize: 1, ...patientPool })
  {
    await using opened = await open(pair.standbyUrl, primary)
    const { standby, from } = opened
    await used(standby)
    await expect.poll(async () => [await standby.recent(read), from.at(-1)]).toEqual([await onStandby(), 'standby'])
    from.length = 0
    const reads: Promise<bigint>[] = []
    await primary.connection().execute(async () => {
      // Its one connection is taken: nobody can look any more how far it is.
      const ask = () => {
        reads.push(standby.recent(read))
        return from.includes('primary')
      }
      await expect.poll(ask, { interval: 50 }).toBe(true)
      expect(standby.isUsed()).toBe(true)
    })
    await Promise.all(reads)
  }
  await primary.destroy()
})

test('without a position a read is of the primary', async () => {
  await using opened = await open()
  await used(opened.standby)
  await opened.standby.at(undefined, read)
  expect(opened.from).toEqual(['primary'])
})

test('a standby that is killed costs no read, and is used again when it is back', async () => {
  await using opened = await open()
  const { standby, from } = opened
  await used(standby)
  await pair.kill()
  try {
    const { value, position } = await commitOne()
    expect(await Promise.all([1, 2, 3].map(() => standby.at(position, read)))).toEqual([value, value, value])
    expect(await standby.recent(read)).toBe(value)
    expect(new Set(from)).toEqual(new Set(['primary']))
    await unused(standby)
  } finally {
    await pair.restart()
  }
  await untilStandbyAnswers(opened)
})

test('one that falls silent is not waited for for long', async () => {
  await using proxy = await startCuttableProxy(pair.standbyUrl)
  await using opened = await open(proxy.url)
  const { standby, from } = opened
  await untilStandbyAnswers(opened)
  proxy.lose('silent')
  const { value, position } = await commitOne()
  const since_ms = performance.now()
  expect(await standby.at(position, read)).toBe(value)
  expect(performance.now() - since_ms).toBeLessThan(2_000)
  expect(from.at(-1)).toBe('primary')
  proxy.mend()
  await untilStandbyAnswers(opened)
})

test('a refusal of the standby is asked again of the primary, and is no reason to give the standby up', async () => {
  await using opened = await open()
  const { standby, from } = opened
  await used(standby)
  const { position } = await commitOne()
  const refused = standby.at(position, () => Promise.reject(new AppError(codes.notFound)))
  await expect(refused).rejects.toThrow('code 404')
  // A read that writes by mistake fails there.
  await standby.at(position, writeSame)
  expect(from).toEqual(['primary', 'primary'])
  expect(standby.isUsed()).toBe(true)
})

test('a primary, or a standby of another database, is never used', async () => {
  await using primary = await open(pair.url)
  await sql`create database elsewhere`.execute(pair.primary)
  const other = new URL(pair.standbyUrl)
  other.pathname = '/elsewhere'
  await using elsewhere = await open(other.href)
  await expect.poll(() => primary.reasons).toEqual(['it is not a standby'])
  await expect.poll(() => elsewhere.reasons.at(-1)).toBe('it is of another database')
  // In the time in which a good one is used.
  await using good = await open()
  await used(good.standby)
  expect([primary.standby.isUsed(), elsewhere.standby.isUsed()]).toEqual([false, false])
  expect([primary.events, elsewhere.events]).toEqual([['standby.unused'], ['standby.unused']])
})
