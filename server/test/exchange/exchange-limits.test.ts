import { transaction } from '@candela/server/db/open'
import { lockWaits } from '@candela/testing/postgres/test-database'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { sweepQuotes } from '@candela/server/modules/exchange/sweep-quotes'
import { WHOLE } from '@candela/server/modules/power/testing'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startExchangeScenario } from './exchange-scenario.ts'

describe('a quote', () => {
  test('takes exactly the minimum', async () => {
    await using scenario = await startExchangeScenario()
    const { alice, quote } = scenario
    expect(await quote(alice, 'JU', 'USDT', WHOLE / 20n)).toMatchObject({ amountIn: '0.05' })
    await expect(quote(alice, 'JU', 'USDT', WHOLE / 20n - 1n)).rejects.toMatchObject({ code: 4202 })
  })

  test('of which nothing would come out is refused, although it is worth enough', async () => {
    await using scenario = await startExchangeScenario()
    const { alice, quote, rates } = scenario
    rates.JU = { average: 10n ** 18n * WHOLE, spot: 10n ** 18n * WHOLE }
    expect(await quote(alice, 'USDT', 'JU', 3n * WHOLE)).toMatchObject({ amountOut: '0.000000000000000002' })
    await expect(quote(alice, 'USDT', 'JU', WHOLE / 2n)).rejects.toMatchObject({ code: 4202 })
  })

  test('gives the whole stock of the asset that goes out, fee included, and not a unit more', async () => {
    await using scenario = await startExchangeScenario({ stock: 50n * WHOLE })
    const { alice, quote, put } = scenario
    // The desk's stock of the asset that comes in does not matter.
    await put(platformAccount('deskInventory', 'JU'), 'JU', 1_000n * WHOLE)
    expect(await quote(alice, 'JU', 'USDT', 25n * WHOLE)).toMatchObject({ amountOut: '49.85', fee: '0.15' })
    // 49.95 would come out, and 0.15 of fee are the desk's to give as well.
    const beyond = quote(alice, 'JU', 'USDT', (2_505n * WHOLE) / 100n)
    await expect(beyond).rejects.toMatchObject({ code: 4206, params: { limit: '50 USDT' } })
    await expect(quote(alice, 'JU', 'USDT', 25n * WHOLE + 1n)).rejects.toMatchObject({ code: 4206 })
  })

  test('is forgotten an hour after it ended, as many at a time as are asked for', async () => {
    await using scenario = await startExchangeScenario()
    const { alice, clock, db, quote } = scenario
    for (let nth = 0; nth < 3; nth++) {
      await quote(alice, 'JU', 'USDT', WHOLE)
      clock.advance(1)
    }
    const sweep = (limit: number) => transaction(db, (tx) => sweepQuotes(tx, clock.now(), limit))
    clock.advance(3_600_000 + 30_000 - 3)
    expect(await sweep(10)).toBe(0)
    clock.advance(3)
    expect([await sweep(2), await sweep(2), await sweep(2)]).toEqual([2, 1, 0])
  })
})

describe('an exchange', () => {
  test('that its member cannot pay says how much there is of the asset that it would pay with', async () => {
    await using scenario = await startExchangeScenario()
    const { join, put, quote, execute } = scenario
    const poor = await join(0n)
    await put(memberAccount(poor, 'memberAvailable', 'JU'), 'JU', WHOLE / 2n)
    await put(memberAccount(poor, 'memberAvailable', 'USDT'), 'USDT', 7n * WHOLE)
    const { quoteNo } = await quote(poor, 'JU', 'USDT', WHOLE)
    const params = { available: '0.5', asset: 'JU' }
    await expect(execute(poor, quoteNo)).rejects.toMatchObject({ code: 4201, params })
  })

  test('waits while another one has its quote', async () => {
    await using scenario = await startExchangeScenario()
    const { alice, db, quote, execute } = scenario
    const { quoteNo } = await quote(alice, 'JU', 'USDT', WHOLE)
    let isOver = false
    let exchanging: Promise<unknown> = Promise.resolve()
    await transaction(db, async (tx) => {
      await sql`select from exchange_quote where quote_no = ${quoteNo} for no key update`.execute(tx)
      exchanging = execute(alice, quoteNo).finally(() => (isOver = true))
      await expect.poll(async () => isOver || (await lockWaits(scenario.db)) > 0).toBe(true)
      expect(isOver).toBe(false)
    })
    expect(await exchanging).toMatchObject({ amountIn: '1' })
  })
})
