import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { endpoints } from '@candela/protocol/endpoints'
import { assetCodes } from '@candela/protocol/money/assets'
import { minReceivedFor } from '@candela/protocol/money/exchange'
import { toBaseUnits } from '@candela/protocol/money/money'
import { transaction } from '@candela/server/db/open'
import { uuidFromName } from '@candela/server/kernel/ids'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { sweepQuotes } from '@candela/server/modules/exchange/sweep-quotes'
import { WHOLE } from '@candela/server/modules/power/testing'
import { describe, expect, test } from 'vitest'
import { startExchangeScenario } from './exchange-scenario.ts'
import { testMemo } from '../../src/ledger/testing/testing-memo.ts'

describe('a quote', () => {
  test('carries everything that it was computed from, and is executed exactly as it said', async () => {
    await using scenario = await startExchangeScenario()
    const { alice, quote, execute } = scenario
    scenario.rates.JU = { average: 2n * WHOLE, spot: (21n * WHOLE) / 10n }
    await scenario.db.insertInto('member_power').values({ member_id: alice, active_units: 100n }).execute()
    const quoted = await quote(alice, 'JU', 'HASH', 10n * WHOLE)
    expect(quoted).toMatchObject({
      from: 'JU',
      to: 'HASH',
      amountIn: '10',
      rate: '4',
      fee: '0.108',
      amountOut: '39.892',
      feePpm: 2_700,
      baseFeePpm: 3_000,
      level: 2,
      discountPercent: 10,
      createdAt: '2026-03-01T12:00:00.000Z',
      expiresAt: '2026-03-01T12:00:30.000Z',
    })
    expect(quoted.prices.from).toMatchObject({ asset: 'JU', used: '2', side: 'average', average: '2', spot: '2.1' })
    expect(quoted.prices.from).toMatchObject({ blockNumber: 77, observedAt: '2026-03-01T12:00:00.000Z' })
    expect(await scenario.balances(alice)).toEqual({ JU: '1000', USDT: '1000', HASH: '1000' })

    const made = await execute(alice, quoted.quoteNo, { minReceived: toBaseUnits('39.892') })
    const { quoteNo, expiresAt: _expiry, hourLeft: _left, ...terms } = quoted
    expect(made).toMatchObject({ ...terms, quotedOut: '39.892', minReceived: '39.892', pricedBy: 'quote' })
    expect(quoteNo).not.toBe(made.exchangeNo)
    expect(await scenario.balances(alice)).toEqual({ JU: '990', USDT: '1000', HASH: '1039.892' })
    expect(await scenario.desk('JU')).toBe(1_000_010n * WHOLE)
    expect(await scenario.desk('HASH')).toBe(999_960n * WHOLE)
    expect(await scenario.fees('HASH')).toBe(toBaseUnits('0.108'))
    expect((await scenario.list(alice)).items).toEqual([made])
    expect((await scenario.list(scenario.bob)).items).toEqual([])

    // A caller that wants no minimum says so with 0.
    const { minReceived } = endpoints['POST exchange/index'].input.shape
    const again = await quote(alice, 'JU', 'HASH', 10n * WHOLE)
    expect(await execute(alice, again.quoteNo, { minReceived: minReceived.parse('0') })).toMatchObject({
      minReceived: '0',
    })
    await scenario.expectSound()
  })

  test('uses the price that is worse for whoever exchanges, whichever way the spot was pushed', async () => {
    await using scenario = await startExchangeScenario()
    const { alice, quote, rates } = scenario
    const out = async (from: 'JU' | 'USDT', to: 'JU' | 'USDT') =>
      toBaseUnits((await quote(alice, from, to, 100n * WHOLE)).amountOut)
    const [sold, bought] = [await out('JU', 'USDT'), await out('USDT', 'JU')]
    for (const spot of [(19n * WHOLE) / 10n, (21n * WHOLE) / 10n]) {
      rates.JU = { average: 2n * WHOLE, spot }
      const [soldNow, boughtNow] = [await out('JU', 'USDT'), await out('USDT', 'JU')]
      expect(soldNow).toBeLessThanOrEqual(sold)
      expect(boughtNow).toBeLessThanOrEqual(bought)
      expect(soldNow < sold || boughtNow < bought).toBe(true)
    }
  })

  test('is refused with its code: one asset, too little, more than the desk has, a paused price', async () => {
    await using scenario = await startExchangeScenario({ stock: 50n * WHOLE })
    const { alice, quote, rates } = scenario
    await expect(quote(alice, 'JU', 'JU', WHOLE)).rejects.toMatchObject({ code: 400, params: { field: 'to' } })
    await expect(quote(alice, 'JU', 'USDT', WHOLE / 20n - 1n)).rejects.toMatchObject({ code: 4202 })
    await expect(quote(alice, 'JU', 'USDT', 26n * WHOLE)).rejects.toMatchObject({
      code: 4206,
      params: { limit: '50 USDT' },
    })
    rates.HASH = { ...rates.HASH, paused: true }
    for (const [from, to] of [
      ['HASH', 'USDT'],
      ['USDT', 'HASH'],
    ] as const) {
      await expect(quote(alice, from, to, WHOLE)).rejects.toMatchObject({ code: 5031, params: { asset: 'HASH' } })
    }
    // The others go on, and it resumes by itself.
    await quote(alice, 'JU', 'USDT', WHOLE)
    rates.HASH = { ...rates.HASH, paused: false }
    await quote(alice, 'HASH', 'USDT', WHOLE)
  })

  test('nobody used is forgotten after an hour; a used one stays', async () => {
    await using scenario = await startExchangeScenario()
    const used = await scenario.quote(scenario.alice, 'JU', 'USDT', WHOLE)
    await scenario.execute(scenario.alice, used.quoteNo)
    await scenario.quote(scenario.alice, 'JU', 'USDT', WHOLE)
    const sweep = () => transaction(scenario.db, (tx) => sweepQuotes(tx, scenario.clock.now(), 100))
    expect(await sweep()).toBe(0)
    scenario.clock.advance(3_600_000 + 31_000)
    // Both are looked at once; the one that was used stays, and is not looked at again.
    expect([await sweep(), await sweep()]).toEqual([2, 0])
    const left = await scenario.db.selectFrom('exchange_quote').select('quote_no').execute()
    expect(left).toEqual([{ quote_no: used.quoteNo }])
    expect((await scenario.list(scenario.alice)).items).toHaveLength(1)
  })
})

describe('an exchange', () => {
  test('after the price moved against it gives what now comes out, and not below what was agreed', async () => {
    await using scenario = await startExchangeScenario()
    const { alice, rates, quote, execute } = scenario
    const first = await quote(alice, 'JU', 'USDT', 100n * WHOLE)
    expect(first.amountOut).toBe('199.4')
    rates.JU = { average: 2n * WHOLE, spot: toBaseUnits('1.995') }
    const made = await execute(alice, first.quoteNo, { minReceived: minReceivedFor(toBaseUnits('199.4')) })
    expect(made).toMatchObject({ amountOut: '198.9015', quotedOut: '199.4', pricedBy: 'execution' })
    expect(made.prices.from).toMatchObject({ used: '1.995', side: 'spot' })

    const second = await quote(alice, 'JU', 'USDT', 100n * WHOLE)
    rates.JU = { average: toBaseUnits('1.9'), spot: toBaseUnits('1.95') }
    const before = await scenario.balances(alice)
    const refused = execute(alice, second.quoteNo, { minReceived: minReceivedFor(toBaseUnits(second.amountOut)) })
    await expect(refused).rejects.toMatchObject({ code: 4204 })
    expect(await scenario.balances(alice)).toEqual(before)

    // In its owner's favour it gives what was quoted: a quote is not a bet.
    rates.JU = { average: 3n * WHOLE, spot: 3n * WHOLE }
    expect(await execute(alice, second.quoteNo)).toMatchObject({ amountOut: second.amountOut, pricedBy: 'quote' })
    await scenario.expectSound()
  })

  test('is refused with its code, and nothing happens: expired, used, a stranger’s, unpaid, short, paused', async () => {
    await using scenario = await startExchangeScenario({ stock: 300n * WHOLE })
    const { alice, bob, quote, execute, clock, rates } = scenario
    const expired = await quote(alice, 'JU', 'USDT', WHOLE)
    clock.advance(30_000)
    await expect(execute(alice, expired.quoteNo)).rejects.toMatchObject({ code: 4204 })
    const used = await quote(alice, 'JU', 'USDT', WHOLE)
    await expect(execute(bob, used.quoteNo)).rejects.toMatchObject({ code: 404 })
    await expect(execute(bob, '20260301ZZZZZZZZZZ')).rejects.toMatchObject({ code: 404 })
    await execute(alice, used.quoteNo)
    await expect(execute(alice, used.quoteNo)).rejects.toMatchObject({ code: 4204 })
    const poor = await scenario.join(0n)
    const unpaid = await quote(poor, 'JU', 'USDT', WHOLE)
    const params = { available: '0', asset: 'JU' }
    await expect(execute(poor, unpaid.quoteNo)).rejects.toMatchObject({ code: 4201, params })
    const [one, two] = [await quote(alice, 'JU', 'USDT', 100n * WHOLE), await quote(bob, 'JU', 'USDT', 100n * WHOLE)]
    await execute(alice, one.quoteNo)
    await expect(execute(bob, two.quoteNo)).rejects.toMatchObject({ code: 4206, params: { limit: '98 USDT' } })
    rates.JU = { ...rates.JU, paused: true }
    await expect(execute(bob, two.quoteNo)).rejects.toMatchObject({ code: 5031 })
    expect(await scenario.balances(bob)).toEqual({ JU: '1000', USDT: '1000', HASH: '1000' })
    // The failed call left the quote and the request id free.
    rates.JU = { ...rates.JU, paused: false }
    await scenario.put(platformAccount('deskInventory', 'USDT'), 'USDT', 200n * WHOLE)
    await execute(bob, two.quoteNo)
    await scenario.expectSound()
  })

  test('the same request 20 times at once: one effect, one answer; other input 4090', async () => {
    await using scenario = await startExchangeScenario()
    const { alice, quote, execute } = scenario
    const { quoteNo } = await quote(alice, 'JU', 'USDT', 10n * WHOLE)
    const again = { requestId: requestIdNamed('the same request', scenario.clock.now()), minReceived: WHOLE }
    const answers = await Promise.all(Array.from({ length: 20 }, () => execute(alice, quoteNo, again)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect((await scenario.balances(alice))['JU']).toBe('990')
    scenario.clock.advance(60_000)
    expect(await execute(alice, quoteNo, again)).toEqual(answers[0])
    await expect(execute(alice, quoteNo, { ...again, minReceived: 2n })).rejects.toMatchObject({ code: 4090 })
    await scenario.expectSound()
  })

  test('one quote under 20 request ids at once is exchanged once', async () => {
    await using scenario = await startExchangeScenario()
    const { quoteNo } = await scenario.quote(scenario.alice, 'USDT', 'HASH', 10n * WHOLE)
    const calls = Array.from({ length: 20 }, () => scenario.execute(scenario.alice, quoteNo))
    const refused = (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(19)
    for (const call of refused) expect(call).toMatchObject({ reason: { code: 4204 } })
    expect((await scenario.balances(scenario.alice))['USDT']).toBe('990')
    await scenario.expectSound()
  })

  test('the list comes in pages without gaps', async () => {
    await using scenario = await startExchangeScenario()
    const made: string[] = []
    for (let i = 1n; i <= 5n; i++) {
      const { quoteNo } = await scenario.quote(scenario.alice, 'USDT', 'JU', i * WHOLE)
      made.unshift((await scenario.execute(scenario.alice, quoteNo)).exchangeNo)
    }
    const first = await scenario.list(scenario.alice, { limit: 3 })
    const second = await scenario.list(scenario.alice, { limit: 3, cursor: first.nextCursor ?? '' })
    expect([...first.items, ...second.items].map(({ exchangeNo }) => exchangeNo)).toEqual(made)
    expect(second.nextCursor).toBeNull()
  })
})

test('50 exchanges and 50 movements at once over the same accounts: exact balances, and nobody sees a deadlock', async () => {
  await using scenario = await startExchangeScenario({ poolSize: 20 })
  const { alice, bob, db, clock } = scenario
  const ways = assetCodes.flatMap((from) => assetCodes.filter((to) => to !== from).map((to) => [from, to] as const))
  const expected = new Map<string, bigint>()
  const add = (member: bigint, asset: string, amount: bigint) =>
    expected.set(`${member} ${asset}`, (expected.get(`${member} ${asset}`) ?? 1_000n * WHOLE) + amount)
  const quotes = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const member = index % 2 === 0 ? alice : bob
      const [from, to] = ways[index % ways.length] ?? ['JU', 'USDT']
      const quoted = await scenario.quote(member, from, to, BigInt(index + 1) * (WHOLE / 7n))
      add(member, from, -toBaseUnits(quoted.amountIn))
      add(member, to, toBaseUnits(quoted.amountOut))
      return { member, quoteNo: quoted.quoteNo }
    }),
  )
  const moves = Array.from({ length: 50 }, (_, index) => {
    const [from, to] = index % 3 === 0 ? [bob, alice] : [alice, bob]
    const asset = assetCodes[index % 3] ?? 'JU'
    const amount = BigInt(index + 1) * 1_000_003n
    add(from, asset, -amount)
    add(to, asset, amount)
    const legs = [
      {
        debit: memberAccount(from, 'memberAvailable', asset),
        credit: memberAccount(to, 'memberAvailable', asset),
        amount,
      },
    ]
    const id = uuidFromName(`move ${index}`)
    return () =>
      transaction(db, (tx) => post(tx, { id, kind: 'deposit', legs, memo: testMemo(), occurredAt: clock.now() }))
  })
  await Promise.all([
    ...quotes.map(({ member, quoteNo }) => scenario.execute(member, quoteNo)),
    ...moves.map((move) => move()),
  ])
  for (const member of [alice, bob]) {
    const balances = await scenario.balances(member)
    for (const asset of assetCodes) {
      expect(toBaseUnits(balances[asset] ?? ''), `${member} ${asset}`).toBe(expected.get(`${member} ${asset}`))
    }
  }
  await scenario.expectSound()
})

test('many that want more than the desk has: it gives what it has and is never below zero', async () => {
  await using scenario = await startExchangeScenario({ stock: 100n * WHOLE })
  const quotes = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      scenario.quote(index % 2 === 0 ? scenario.alice : scenario.bob, 'USDT', 'JU', 20n * WHOLE),
    ),
  )
  const outcomes = await Promise.allSettled(
    quotes.map(({ quoteNo }, index) => scenario.execute(index % 2 === 0 ? scenario.alice : scenario.bob, quoteNo)),
  )
  const short = outcomes.filter(({ status }) => status === 'rejected')
  // Each takes 10 JU, fee included.
  expect(short).toHaveLength(20)
  for (const call of short) expect(call).toMatchObject({ reason: { code: 4206 } })
  expect(await scenario.desk('JU')).toBe(0n)
  await scenario.expectSound()
})
