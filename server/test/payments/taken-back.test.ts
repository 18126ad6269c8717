import { listTroubledPayments } from '@candela/server/chain/follow/status'
import { must } from '@candela/server/kernel/assert'
import { WHOLE } from '@candela/server/modules/power/testing'
import { startOperators } from '@candela/server/operator/testing-operators'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { DEPTH, startPayoutScenario } from '../payouts/payouts-scenario.ts'

/** A deposit that was credited and has left the chain with a reorganisation deeper than its confirmations. */

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

/** Alice's deposit of 100 USDT is off the chain, after she has asked for a withdrawal of some of it; crediting is resumed. */
async function startVanished(asked = 0n) {
  const scenario = await startPayoutScenario(chain)
  await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
  const { tx_hash } = await scenario.db.selectFrom('chain_event').select('tx_hash').executeTakeFirstOrThrow()
  const raw = await chain.rawOf(tx_hash as Hex)
  if (asked > 0n) await scenario.apply(scenario.alice, 'USDT', asked)
  await chain.reorganise(DEPTH + 1)
  await scenario.follow()
  const operators = await startOperators(scenario.url, scenario.clock)
  await operators.give('ada', 'chain', 'resume')
  const event = String(must((await listTroubledPayments(scenario.db))[0], 'it is listed').eventId)
  const words = (member: string, platform: string) =>
    ['deposit', 'take-back', event, '--member', member, '--platform', platform, '--note', 'it left the chain'] as const
  return { ...scenario, operators, event, raw, words }
}

test('two operators take it back, from its member and the platform as they say, once, and books and chain are equal', async () => {
  await using scenario = await startVanished()
  const { operators, words, alice, db } = scenario
  expect(await scenario.reconcile()).toMatchObject({ finding: expect.stringContaining('difference -100') })

  const both = (...parts: Parameters<typeof words>) => operators.both<{ uid: string }>(...words(...parts))
  await expect(both('60', '39')).rejects.toThrow('is of another amount')
  await expect(both('100.000000000000000001', '0')).rejects.toThrow('is of another amount')
  await operators.give('ada', ...words('60', '40'))
  expect((await scenario.balances(alice, 'USDT')).available).toBe(100n * WHOLE)
  await operators.give('bob', ...words('60', '40'))
  expect((await scenario.balances(alice, 'USDT')).available).toBe(40n * WHOLE)
  expect(await scenario.platform('equity', 'USDT')).toBe(-40n * WHOLE)
  expect(await scenario.reconcile()).toMatchObject({ paused: false, finding: null })
  expect(await listTroubledPayments(db)).toEqual([])
  await expect(both('60', '40')).rejects.toThrow('is no credited payment that has left the chain')
  await scenario.expectSound()
})

test('what its member has spent is said, and the platform bears it', async () => {
  await using scenario = await startVanished(30n * WHOLE)
  const { operators, words, alice } = scenario
  expect(await scenario.balances(alice, 'USDT')).toEqual({ available: 70n * WHOLE, held: 30n * WHOLE })
  await expect(operators.both(...words('100', '0'))).rejects.toThrow('the member has 70 left')
  await operators.both(...words('70', '30'))
  expect(await scenario.balances(alice, 'USDT')).toEqual({ available: 0n, held: 30n * WHOLE })
  expect(await scenario.platform('equity', 'USDT')).toBe(-30n * WHOLE)
  expect(await scenario.reconcile()).toMatchObject({ finding: null })
})

test('the same payment that comes again after it was taken back is credited again, once', async () => {
  await using scenario = await startVanished()
  const { operators, words, alice, raw } = scenario
  await operators.both(...words('100', '0'))
  expect((await scenario.balances(alice, 'USDT')).available).toBe(0n)
  await chain.client.sendRawTransaction({ serializedTransaction: raw })
  await scenario.mineAndFollow(DEPTH)
  expect(await scenario.credit()).toEqual({ credited: 1, failed: 0 })
  expect((await scenario.balances(alice, 'USDT')).available).toBe(100n * WHOLE)
  scenario.clock.advance(3_600_000)
  expect(await scenario.credit()).toEqual({ credited: 0, failed: 0 })
  expect(await scenario.reconcile()).toMatchObject({ finding: null })
  await scenario.expectSound()

  // And once more, from the beginning.
  await chain.reorganise(DEPTH + 1)
  await scenario.follow()
  await operators.give('ada', 'chain', 'resume')
  const again = String(must((await listTroubledPayments(scenario.db))[0], 'it is listed').eventId)
  await operators.both('deposit', 'take-back', again, '--member', '100', '--note', 'again')
  await chain.client.sendRawTransaction({ serializedTransaction: raw })
  await scenario.mineAndFollow(DEPTH)
  expect(await scenario.credit()).toEqual({ credited: 1, failed: 0 })
  expect((await scenario.balances(alice, 'USDT')).available).toBe(100n * WHOLE)
  await scenario.expectSound()
})
