import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { transaction } from '../open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import type { IdempotentCall } from './request-keys.ts'
import { giveUpRequest, MAX_GIVEN_UP, readOutcome } from './request-outcome.ts'
import { runIdempotent } from './run-idempotent.ts'

const now = new Date('2026-03-01T00:00:00.000Z')
const later = new Date(now.getTime() + 60_000)
let database: TestDatabase
let members = 0

beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 20 })
})
afterAll(() => database.drop())

/** A command of a member of its own. */
async function newCall(): Promise<IdempotentCall> {
  members += 1
  const { rows } = await sql<{ id: bigint }>`
    insert into member (address, invitation_code, joined_at)
    values (${`0x${String(members).padStart(40, '0')}`}, ${`OUTCOME${members}`}, ${now}) returning id`.execute(
    database.db,
  )
  return { memberId: rows[0]?.id ?? 0n, requestId: requestIdNamed('a wish', now), endpoint: 'POST a/b', input: {}, now }
}
const run = (call: IdempotentCall, work: () => Promise<object> = async () => ({ number: 'A1' })) =>
  transaction(database.db, (tx) => runIdempotent(tx, call, work))
const outcome = (call: IdempotentCall) => readOutcome(database.db, { ...call, now: later })
const giveUp = (call: IdempotentCall) => giveUpRequest(database.db, { ...call, now: later })

/** A command that is being done until it is told how it ends. */
async function underWay(call: IdempotentCall) {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<object>()]
  const done = run(call, () => {
    begun.resolve()
    return end.promise
  })
  done.catch(() => undefined)
  await begun.promise
  return { done, succeed: () => end.resolve({ number: 'A1' }), fail: () => end.reject(new Error('not now')) }
}

describe('what became of a command', () => {
  test('that nobody has sent, or whose work has failed, is unknown, and leaves nothing behind', async () => {
    const call = await newCall()
    expect(await outcome(call)).toEqual({ state: 'unknown' })
    await expect(run(call, () => Promise.reject(new Error('not now')))).rejects.toThrow('not now')
    expect(await outcome(call)).toEqual({ state: 'unknown' })
    expect(await run(call)).toEqual({ number: 'A1' })
  })

  test('that was done is told with its first result; only its own member sees it', async () => {
    const [call, other] = [await newCall(), await newCall()]
    await run(call)
    expect(await outcome(call)).toEqual({ state: 'done', at: now, result: { number: 'A1' } })
    expect(await giveUp(call)).toEqual({ state: 'done', at: now, result: { number: 'A1' } })
    expect(await outcome(other)).toEqual({ state: 'unknown' })
  })

  test('that is being done is told as under way, and then as it ends', async () => {
    for (const end of ['succeed', 'fail'] as const) {
      const call = await newCall()
      const running = await underWay(call)
      expect(await outcome(call)).toEqual({ state: 'underWay' })
      const asked = outcome(call)
      running[end]()
      expect(['underWay', end === 'fail' ? 'unknown' : 'done']).toContain((await asked).state)
      await running.done.catch(() => undefined)
      expect((await outcome(call)).state).toBe(end === 'fail' ? 'unknown' : 'done')
    }
  })

  test('asking for it while it arrives does not have it refused', async () => {
    const call = await newCall()
    const asked = await Promise.all([...Array.from({ length: 10 }, () => outcome(call)), run(call)])
    expect(asked.at(-1)).toEqual({ number: 'A1' })
    expect((await outcome(call)).state).toBe('done')
  })
})

describe('a command that is given up', () => {
  test('is refused when it arrives, whatever it asks for; to give it up again changes nothing', async () => {
    const call = await newCall()
    const given = { state: 'givenUp', at: later }
    expect(await giveUp(call)).toEqual(given)
    for (const late of [call, { ...call, input: { other: 1 } }, { ...call, endpoint: 'POST c/d' }])
      await expect(run(late)).rejects.toMatchObject({ code: 4092 })
    expect(await giveUpRequest(database.db, call)).toEqual(given)
    expect(await outcome(call)).toEqual(given)
  })

  test('while it is being done stays under way, and counts when it succeeds', async () => {
    const call = await newCall()
    const running = await underWay(call)
    expect(await giveUp(call)).toEqual({ state: 'underWay' })
    running.succeed()
    expect(await running.done).toEqual({ number: 'A1' })
    expect(await giveUp(call)).toMatchObject({ state: 'done' })
  })

  test('while it is being done and then fails is given up', async () => {
    const call = await newCall()
    const running = await underWay(call)
    const given = giveUp(call)
    running.fail()
    const state = (await given).state
    expect(['givenUp', 'underWay']).toContain(state)
    if (state === 'underWay') expect(await giveUp(call)).toMatchObject({ state: 'givenUp' })
    await expect(run(call)).rejects.toMatchObject({ code: 4092 })
  })

  test('by twenty at the same time as it is sent twenty times was done once, or never', async () => {
    const ends = new Set<string>()
    for (let turn = 0; turn < 30; turn += 1) {
      const call = await newCall()
      let runs = 0
      const send = () => run(call, async () => ({ run: ++runs }))
      const given = Array.from({ length: 10 }, () => giveUp(call))
      // In every other turn they meet; else one of them is certain to come first.
      if (turn % 4 === 0) await Promise.race(given)
      const outcomes = await Promise.allSettled([...Array.from({ length: 10 }, send), ...given])
      const final = await outcome(call)
      ends.add(final.state)
      expect(runs).toBe(final.state === 'done' ? 1 : 0)
      for (const { status, ...rest } of outcomes)
        if (status === 'rejected')
          expect({ final, rest }).toMatchObject({ final: { state: 'givenUp' }, rest: { reason: { code: 4092 } } })
    }
    expect(ends).toEqual(new Set(['done', 'givenUp']))
  })

  test('many on one day are refused, because each leaves a row; those of others and of other days are not', async () => {
    const call = await newCall()
    const at = (name: string, time: Date) =>
      giveUpRequest(database.db, { ...call, requestId: requestIdNamed(name, time), now: time })
    for (let nth = 0; nth < MAX_GIVEN_UP; nth += 1) await at(`wish ${nth}`, now)
    await expect(at('one more', now)).rejects.toMatchObject({ code: 429 })
    expect(await outcome({ ...call, requestId: requestIdNamed('one more', now) })).toEqual({ state: 'unknown' })
    expect(await at('wish 0', now)).toMatchObject({ state: 'givenUp' })
    expect(await giveUp(await newCall())).toMatchObject({ state: 'givenUp' })
    expect(await at('one more', new Date(now.getTime() + 86_400_000))).toMatchObject({ state: 'givenUp' })
  })
})

test.each([
  [-31, { code: 4091 }],
  [1, { code: 400, params: { field: 'requestId', reason: 'dateAhead' } }],
])('an id %d days from now is neither asked about nor given up', async (days, refusal) => {
  const call = {
    ...(await newCall()),
    requestId: requestIdNamed('a wish', new Date(later.getTime() + days * 86_400_000)),
  }
  await expect(outcome(call)).rejects.toMatchObject(refusal)
  await expect(giveUp(call)).rejects.toMatchObject(refusal)
})
