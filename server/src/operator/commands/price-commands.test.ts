import { afterAll, beforeAll, expect, test } from 'vitest'
import { observedPair } from '../../chain/price/testing.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '../../kernel/clock.ts'
import { startOperators, type TestOperators } from '../testing-operators.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const clock = fakeClock('2026-03-01T00:00:00Z')

let operators: TestOperators
const candela = (...line: string[]): Promise<unknown> => operators.give('ada', ...line)

test('operators see which price is halted and why, and two of them resume it at what it is worth elsewhere', async () => {
  operators = await startOperators(database.url, clock)
  const pair = observedPair(database.db, { asset: 'HASH' })
  const observeFor = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) await pair.observeAfter(60)
    clock.set(pair.now())
  }
  await observeFor(40)
  expect(await candela('price')).toMatchObject([
    { asset: 'JU', state: 'noObservation', spot: null, observedAt: null },
    { asset: 'HASH', state: 'in use', spot: '1', fiveMinutes: '1', halfHour: '1', day: '1', pairUsdt: '1000000' },
  ])
  const resume = (...words: string[]) => candela('price', 'resume', ...words, '--note', 'two other exchanges')
  await expect(resume('HASH', '2')).rejects.toThrow('the price of HASH is not halted')
  await expect(resume('JU', '2')).rejects.toThrow('the price of JU is not halted')

  pair.trade(2_000)
  await observeFor(60)
  expect(await candela('price', 'list')).toMatchObject([
    {},
    { asset: 'HASH', state: 'halted', spot: '2', halfHour: '2' },
  ])
  await expect(resume('USDT', '1')).rejects.toThrow('"USDT" has no price of its own')
  await expect(resume('HASH', 'two')).rejects.toThrow('"two" is not a price')
  await expect(resume('HASH', '0')).rejects.toThrow('"0" is not a price')
  await expect(resume('HASH', '1')).rejects.toThrow('HASH is at 2 USDT on chain, 2 over half an hour: more than 10 %')
  clock.advance(301_000)
  await expect(resume('HASH', '2')).rejects.toThrow('the last block seen is of 2026-03-01T01:40:00.000Z')
  clock.set(pair.now())
  expect(await candela('price', 'list')).toMatchObject([{}, { state: 'halted' }])

  await resume('HASH', '1.95')
  expect(await candela('price', 'list')).toMatchObject([{}, { state: 'halted' }])
  const resumed = await operators.give('bob', 'price', 'resume', 'HASH', '1.95', '--note', 'two other exchanges')
  expect(resumed).toMatchObject({ asset: 'HASH', spot: '2', halfHour: '2', day: '1.95' })
  expect(await candela('price', 'list')).toMatchObject([{}, { state: 'in use', day: '1.95' }])
  const rows = await database.db
    .selectFrom('operator_audit')
    .select(['operator', 'command', 'input'])
    .where('command', '=', 'price resume')
    .execute()
  const input = { asset: 'HASH', price: '1.95', note: 'two other exchanges' }
  expect(rows).toEqual([
    { operator: 'ada', command: 'price resume', input },
    { operator: 'bob', command: 'price resume', input },
  ])
})
