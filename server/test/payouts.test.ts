import { startTestChain, type TestChain } from '@candela/server/chain/testing-chain'
import { WHOLE } from '@candela/server/modules/power/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEPTH, startPayoutScenario } from './payouts-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.stop())

test.each(['USDT', 'HASH', 'JU'] as const)('%s: from asking to having it in the wallet', async (asset) => {
  await using scenario = await startPayoutScenario(chain)
  const { alice, balanceOn } = scenario
  await scenario.deposit(alice, asset, 100n * WHOLE)
  const before = await balanceOn(asset, alice)
  const asked = await scenario.apply(alice, asset, 40n * WHOLE)
  expect(asked).toMatchObject({ state: 'queued', amount: '40', to: alice, txHash: null, confirmations: 0 })
  expect(await scenario.balances(alice, asset)).toEqual({ available: 60n * WHOLE, held: 40n * WHOLE })
  await scenario.payOut()
  expect(await scenario.state(asked.withdrawalNo)).toBe('sending')
  await scenario.mineAndFollow()
  const { withdrawal } = await scenario.withdrawal(asked.withdrawalNo)
  expect(withdrawal).toMatchObject({ state: 'confirming', confirmations: 1, confirmationsNeeded: DEPTH })
  await scenario.mineAndFollow(DEPTH - 1)
  expect(await scenario.credit()).toEqual({ credited: 1, failed: 0 })
  const { withdrawal: done } = await scenario.withdrawal(asked.withdrawalNo)
  expect(done.state).toBe('done')
  expect(done.timeline.map(({ state }) => state)).toEqual(['queued', 'sending', 'confirming', 'done'])
  const fee = asset === 'JU' ? WHOLE / 100n : WHOLE
  expect((await balanceOn(asset, alice)) - before).toBe(40n * WHOLE - fee)
  expect(await scenario.balances(alice, asset)).toEqual({ available: 60n * WHOLE, held: 0n })
  expect(await scenario.platform('fees', asset)).toBe(fee)
  expect(await scenario.reconcile()).toMatchObject({ paused: false, finding: null })
  await scenario.expectSound()
})
