import { minReceivedFor } from '@candela/protocol/money/exchange'
import { toBaseUnits } from '@candela/protocol/money/money'
import { WHOLE } from '@candela/server/modules/power/testing'
import { MINUTE_MS } from '@candela/protocol/units'
import { expect, test } from 'vitest'
import { startExchangeScenario } from './exchange-scenario.ts'

/** JU at 2 USDT with 10,000 USDT in its pair, HASH at 0.5 with 4,000: 1 % of each is 100 and 40 USDT an hour. */
async function startThin(poolSize?: number) {
  const scenario = await startExchangeScenario(poolSize === undefined ? {} : { poolSize })
  scenario.rates.JU = { ...scenario.rates.JU, liquidity: 10_000n * WHOLE }
  scenario.rates.HASH = { ...scenario.rates.HASH, liquidity: 4_000n * WHOLE }
  return scenario
}
type Scenario = Awaited<ReturnType<typeof startThin>>

const exchange = async ({ alice, quote, execute }: Scenario, ...[from, to, amount]: [...Ways, bigint]) =>
  execute(alice, (await quote(alice, from, to, amount)).quoteNo)
type Ways = [from: 'JU' | 'USDT' | 'HASH', to: 'JU' | 'USDT' | 'HASH']
const leftOf = async ({ alice, quote }: Scenario, ...[from, to]: Ways) => (await quote(alice, from, to, WHOLE)).hourLeft

test('what the desk takes of an asset in an hour is limited by its pair, said before, and what it gives makes room', async () => {
  await using scenario = await startThin()
  const { alice, quote, clock } = scenario
  expect(await leftOf(scenario, 'JU', 'USDT')).toBe('50')
  expect(await leftOf(scenario, 'USDT', 'JU')).toBe('100')
  await expect(quote(alice, 'JU', 'USDT', 50n * WHOLE + 1n)).rejects.toMatchObject({
    code: 4203,
    params: { limit: '50 JU' },
  })
  await exchange(scenario, 'JU', 'USDT', 30n * WHOLE)
  expect(await leftOf(scenario, 'JU', 'USDT')).toBe('20')
  expect(await leftOf(scenario, 'USDT', 'JU')).toBe('160')
  // To the last unit, and not one more.
  await exchange(scenario, 'JU', 'USDT', 20n * WHOLE)
  await expect(quote(alice, 'JU', 'USDT', WHOLE)).rejects.toMatchObject({ code: 4203, params: { limit: '0 JU' } })
  // Another asset is not concerned; the other direction makes room.
  expect(await leftOf(scenario, 'HASH', 'USDT')).toBe('80')
  await exchange(scenario, 'USDT', 'JU', 60n * WHOLE)
  expect(await leftOf(scenario, 'JU', 'USDT')).toBe('30')
  clock.advance(30 * MINUTE_MS)
  expect(await leftOf(scenario, 'JU', 'USDT')).toBe('30')
  clock.advance(31 * MINUTE_MS)
  expect(await leftOf(scenario, 'JU', 'USDT')).toBe('50')
  await exchange(scenario, 'JU', 'USDT', WHOLE)
  expect(await scenario.db.selectFrom('desk_flow').select('asset').execute()).toHaveLength(1)
  await scenario.expectSound()
})

test('an hour’s room comes back when the hour is over, not before', async () => {
  await using scenario = await startThin()
  await exchange(scenario, 'JU', 'USDT', 50n * WHOLE)
  scenario.clock.advance(60 * MINUTE_MS)
  await expect(scenario.quote(scenario.alice, 'JU', 'USDT', WHOLE)).rejects.toMatchObject({ code: 4203 })
  scenario.clock.advance(MINUTE_MS)
  expect(await leftOf(scenario, 'JU', 'USDT')).toBe('50')
})

test('from one asset to another both limits count, each in its direction', async () => {
  await using scenario = await startThin()
  // 40 USDT of HASH are less than 100 of JU.
  expect(await leftOf(scenario, 'JU', 'HASH')).toBe('20')
  expect(await leftOf(scenario, 'HASH', 'JU')).toBe('80')
  await exchange(scenario, 'JU', 'HASH', 15n * WHOLE)
  expect(await leftOf(scenario, 'JU', 'HASH')).toBe('5')
  expect(await leftOf(scenario, 'JU', 'USDT')).toBe('35')
  expect(await leftOf(scenario, 'USDT', 'HASH')).toBe('10')
  expect(await leftOf(scenario, 'HASH', 'USDT')).toBe('140')
})

test('quotes reserve nothing: many at once exchange no more than the hour has', async () => {
  await using scenario = await startThin(20)
  const { alice, bob, quote, execute } = scenario
  const quotes = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const member = index % 2 === 0 ? alice : bob
      return { member, quoted: await quote(member, index < 10 ? 'JU' : 'HASH', index < 10 ? 'HASH' : 'JU', 4n * WHOLE) }
    }),
  )
  // Both ways at once, which needs the same locks; then one way only.
  const both = await Promise.allSettled(quotes.map(({ member, quoted }) => execute(member, quoted.quoteNo)))
  for (const call of both) if (call.status === 'rejected') expect(call).toMatchObject({ reason: { code: 4203 } })
  const spent = await quote(alice, 'JU', 'USDT', WHOLE)
  const each = toBaseUnits(spent.hourLeft) / 3n
  const sales = await Promise.all(Array.from({ length: 12 }, () => quote(alice, 'JU', 'USDT', each)))
  const before = await scenario.desk('JU')
  const outcomes = await Promise.allSettled(
    sales.map(({ quoteNo, amountOut }) =>
      execute(alice, quoteNo, { minReceived: minReceivedFor(toBaseUnits(amountOut)) }),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect((await scenario.desk('JU')) - before).toBe(3n * each)
  for (const call of outcomes) if (call.status === 'rejected') expect(call).toMatchObject({ reason: { code: 4203 } })
  await scenario.expectSound()
})

test('the operator changes the part, also to none', async () => {
  await using scenario = await startThin()
  const set = (value: number) =>
    scenario.db
      .insertInto('setting')
      .values({ key: 'deskHourBps', value: JSON.stringify(value), updated_at: scenario.clock.now() })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify(value) }))
      .execute()
  await set(500)
  expect(await leftOf(scenario, 'JU', 'USDT')).toBe('250')
  await set(0)
  await expect(leftOf(scenario, 'JU', 'USDT')).rejects.toMatchObject({ code: 4203 })
})
