import { REQUEST_ID_AHEAD_MS, REQUEST_ID_LIFE_MS } from '@candela/protocol/request-id'
import { giveUpRequest } from '@candela/server/db/idempotency/request-outcome'
import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { KEEP_REQUEST_MS, sweepRequests } from '@candela/server/db/idempotency/sweep-requests'
import { transaction } from '@candela/server/db/open'
import { WHOLE } from '@candela/server/modules/power/testing'
import { dailyBudget } from '@candela/server/modules/transfer/daily-budget'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startTransferScenario } from './transfers-scenario.ts'

describe('the same request', () => {
  test('twenty times at once has one effect and one answer; with other terms it is 4090', async () => {
    await using scenario = await startTransferScenario()
    const { alice, bob, send, sign, termsOf } = scenario
    const terms = termsOf(alice, {})
    const signature = await sign(alice, terms)
    // Every other one by UID: the same terms.
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        send(alice, { ...terms, signature, ...(place % 2 === 0 ? { toText: bob.uid } : {}) }),
      ),
    )
    for (const transfer of made) expect(transfer).toEqual(made[0])
    await expect(send(alice, { ...terms, amount: 11n * WHOLE })).rejects.toMatchObject({ code: 4090 })
    expect(await scenario.available(bob)).toBe('1010')
    expect((await scenario.list(bob)).items).toHaveLength(1)
    await scenario.expectSound()
  })

  test('gets its first answer after the deadline, and when the price is gone; nothing else does', async () => {
    await using scenario = await startTransferScenario()
    const { alice, send, sign, termsOf, clock, prices } = scenario
    const terms = termsOf(alice, { asset: 'JU' })
    const signature = await sign(alice, terms)
    const made = await send(alice, { ...terms, signature })
    prices.JU = null
    expect(await send(alice, { ...terms, signature })).toEqual(made)
    clock.set(new Date(terms.deadline.getTime() + 86_400_000))
    expect(await send(alice, { ...terms, signature })).toEqual(made)
    await expect(send(alice, { ...terms, amount: terms.amount + 1n })).rejects.toMatchObject({ code: 4090 })
    await expect(send(alice, { ...terms, signature: '0x1234' })).rejects.toMatchObject({ code: 4005 })
  })

  test('30 days later it is too old, swept or not, and nothing moves again under its id', async () => {
    await using scenario = await startTransferScenario()
    const { alice, bob, send, sign, termsOf, clock, db } = scenario
    const terms = termsOf(alice, {})
    const signature = await sign(alice, terms)
    const first = await send(alice, { ...terms, signature })
    clock.advance(REQUEST_ID_LIFE_MS)
    expect(await send(alice, { ...terms, signature })).toEqual(first)
    clock.advance(1)
    await expect(send(alice, { ...terms, signature })).rejects.toMatchObject({ code: 4091 })
    clock.advance(KEEP_REQUEST_MS - REQUEST_ID_LIFE_MS)
    expect(await transaction(db, (tx) => sweepRequests(tx, clock.now(), 10))).toBe(1)
    await expect(send(alice, { ...terms, signature })).rejects.toMatchObject({ code: 4091 })
    const { requestId } = terms
    await expect(send(alice, { requestId })).rejects.toMatchObject({ code: 4091 })
    expect(await scenario.available(bob)).toBe('1010')
    // The same terms under an id of their own do move.
    await send(alice, {})
    expect(await scenario.available(bob)).toBe('1020')
    await scenario.expectSound()
  })

  test('of an id that is ahead of the server’s time moves nothing', async () => {
    await using scenario = await startTransferScenario()
    const { alice, bob, send, clock } = scenario
    const ahead = (ms: number) => ({ requestId: requestIdNamed('ahead', new Date(clock.now().getTime() + ms)) })
    await expect(send(alice, ahead(REQUEST_ID_AHEAD_MS + 1))).rejects.toMatchObject({
      code: 400,
      params: { field: 'requestId', reason: 'dateAhead' },
    })
    expect(await scenario.available(bob)).toBe('1000')
    await send(alice, ahead(REQUEST_ID_AHEAD_MS))
    expect(await scenario.available(bob)).toBe('1010')
  })

  test('that was given up is refused whenever it arrives, before and after its deadline', async () => {
    await using scenario = await startTransferScenario()
    const { alice, bob, send, sign, termsOf, clock, db } = scenario
    const terms = termsOf(alice, {})
    const signature = await sign(alice, terms)
    const request = { memberId: alice.id, requestId: terms.requestId, now: clock.now() }
    expect(await giveUpRequest(db, request)).toMatchObject({ state: 'givenUp' })
    await expect(send(alice, { ...terms, signature })).rejects.toMatchObject({ code: 4092 })
    clock.set(new Date(terms.deadline.getTime() + 1))
    await expect(send(alice, { ...terms, signature })).rejects.toMatchObject({ code: 4092 })
    expect(await scenario.available(bob)).toBe('1000')
  })

  test('that failed may succeed later: a failure is not remembered', async () => {
    await using scenario = await startTransferScenario()
    const { alice, bob, send, sign, termsOf } = scenario
    const terms = termsOf(alice, { amount: 1_500n * WHOLE })
    const signature = await sign(alice, terms)
    await expect(send(alice, { ...terms, signature })).rejects.toMatchObject({ code: 4201 })
    await send(bob, { to: alice.address, amount: 500n * WHOLE })
    await send(alice, { ...terms, signature })
    expect(await scenario.available(bob)).toBe('2000')
  })
})

test('a member makes so many a day, also at once and after a restart; a repetition is answered, and failures do not count', async () => {
  await using scenario = await startTransferScenario()
  const { db, clock, alice, bob, send } = scenario
  await sql`insert into setting (key, value, updated_at) values ('transfersPerDay', '4', now())`.execute(db)
  const requestId = requestIdNamed('the first one of this day', clock.now())
  const first = await send(alice, { requestId, amount: WHOLE })
  await expect(send(alice, { amount: 10n ** 30n })).rejects.toMatchObject({ code: 4201 })
  const more = await Promise.allSettled(Array.from({ length: 6 }, () => send(alice, { amount: WHOLE })))
  expect(more.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  for (const one of more) {
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 4209, params: { limit: 4 } })
  }
  expect(await send(alice, { requestId, amount: WHOLE })).toEqual(first)
  await expect(dailyBudget(db).take(alice.id, clock.now())).resolves.toMatchObject({ code: 4209 })
  // The transfers that one receives are not one's own doing.
  await send(bob, { to: alice.address, amount: WHOLE })
  expect(await dailyBudget(db).take(bob.id, clock.now())).toBeNull()
  clock.advance(86_400_000)
  await send(alice, { amount: WHOLE })
})

test('what a member makes by another server counts a minute later at the latest', async () => {
  await using scenario = await startTransferScenario()
  const { db, clock, alice, send } = scenario
  await sql`insert into setting (key, value, updated_at) values ('transfersPerDay', '3', now())`.execute(db)
  const other = dailyBudget(db)
  const take = () => other.take(alice.id, clock.now())
  expect(await take()).toBeNull()
  for (let nth = 0; nth < 3; nth++) await send(alice, { amount: WHOLE })
  expect(await take()).toBeNull()
  clock.advance(60_000)
  expect(await take()).toMatchObject({ code: 4209 })
})

test('fifty at once on the same accounts end in exact balances', async () => {
  await using scenario = await startTransferScenario({ funds: 30n * WHOLE })
  const { alice, bob, carol, send } = scenario
  const people = [alice, bob, carol] as const
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, (_, place) => {
      const [from, to] = [people[place % 3]!, people[(place + 1 + (place % 2)) % 3]!]
      return send(from, {
        to: to.address,
        amount: BigInt(place + 1) * WHOLE,
        requestId: requestIdNamed(`parallel-${place}`, scenario.clock.now()),
      })
    }),
  )
  const expected = new Map(people.map(({ address }) => [address, 30n]))
  for (const [place, outcome] of outcomes.entries()) {
    if (outcome.status === 'rejected') {
      expect(outcome.reason).toMatchObject({ code: 4201 })
      continue
    }
    const [from, to] = [people[place % 3]!, people[(place + 1 + (place % 2)) % 3]!]
    expected.set(from.address, expected.get(from.address)! - BigInt(place + 1))
    expected.set(to.address, expected.get(to.address)! + BigInt(place + 1))
  }
  const done = outcomes.filter(({ status }) => status === 'fulfilled')
  // Some are refused because there is not enough, and the rest goes on.
  expect(done.length).toBeGreaterThan(10)
  expect(done.length).toBeLessThan(50)
  for (const person of people) expect(await scenario.available(person)).toBe(String(expected.get(person.address)))
  await scenario.expectSound()
})
