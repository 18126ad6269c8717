import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WHOLE } from '@candela/server/modules/power/testing'
import { payOut } from '@candela/server/modules/withdraw/payout/pay-out'
import { PAYOUT_GAS } from '@candela/server/modules/withdraw/payout/payout-deps'
import { withMargin } from '@candela/server/modules/withdraw/payout/sign-payout'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { DEPTH, type PayoutScenario, refusingCode, startPayoutScenario } from './payouts-scenario.ts'
import { asked } from './payouts-steps.ts'

/** What is signed and not yet final counts: against the money of the contract, the payer's gas, and the member's turn. */

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())
afterEach(async () => {
  for (const address of chain.payers.slice(0, 3)) await chain.client.setCode({ address, bytecode: '0x' })
})

const GWEI = 10n ** 9n

/** Of both members, each with 100 JU: 40 of one of them, then 40 of the other. */
async function bothAsk(scenario: PayoutScenario): Promise<[string, string]> {
  await scenario.deposit(scenario.bob, 'JU', 100n * WHOLE)
  const first = await asked(scenario, 'JU')
  return [first, (await scenario.apply(scenario.bob, 'JU', 40n * WHOLE)).withdrawalNo]
}

const contractHolds = (scenario: PayoutScenario, value: bigint) =>
  chain.client.setBalance({ address: scenario.gateway, value })

test('a payment waits while the contract holds too little for it beside those under way', async () => {
  await using scenario = await startPayoutScenario(chain)
  const [first, second] = await bothAsk(scenario)
  await contractHolds(scenario, 60n * WHOLE)
  await scenario.payOut()
  expect(await scenario.state(first)).toBe('sending')
  expect(await scenario.withdrawal(second)).toMatchObject({
    lastFailure: expect.stringContaining('the contract holds'),
    withdrawal: { state: 'queued', reason: 'paused' },
  })
  await contractHolds(scenario, 200n * WHOLE)
  scenario.clock.advance(60_000)
  await scenario.payOut()
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  expect([await scenario.state(first), await scenario.state(second)]).toEqual(['done', 'done'])
  await scenario.expectSound()
})

test('a payment that has reverted is no more under way, before that is final', async () => {
  await using scenario = await startPayoutScenario(chain)
  const reverting = await asked(scenario, 'JU')
  await scenario.deposit(scenario.bob, 'JU', 100n * WHOLE)
  await scenario.payOut()
  await chain.client.setCode({ address: scenario.alice, bytecode: refusingCode })
  await scenario.mineAndFollow()
  const other = await scenario.apply(scenario.bob, 'JU', 40n * WHOLE)
  await contractHolds(scenario, 60n * WHOLE)
  await scenario.payOut()
  expect([await scenario.state(reverting), await scenario.state(other.withdrawalNo)]).toEqual(['sending', 'sending'])
  await contractHolds(scenario, 200n * WHOLE)
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  await scenario.payOut()
  expect([await scenario.state(reverting), await scenario.state(other.withdrawalNo)]).toEqual(['failed', 'done'])
  await scenario.expectSound()
})

test('a payment waits while the payer has gas only for those under way', async () => {
  await using scenario = await startPayoutScenario(chain)
  const [first, second] = await bothAsk(scenario)
  const price = withMargin(await scenario.payoutDeps().chain.gasPrice())
  await chain.client.setBalance({ address: scenario.payer, value: (PAYOUT_GAS * price * 3n) / 2n })
  await scenario.payOut()
  expect(await scenario.state(first)).toBe('sending')
  expect(await scenario.withdrawal(second)).toMatchObject({
    lastFailure: expect.stringContaining('left for gas'),
    withdrawal: { state: 'queued', reason: 'paused' },
  })
})

test('a worker that is late signs nothing for a member of whom others have signed as much as may be under way', async () => {
  await using scenario = await startPayoutScenario(chain)
  await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
  const numbers: string[] = []
  for (let at = 0; at < 3; at++) {
    numbers.push((await scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)).withdrawalNo)
  }
  const states = () => Promise.all(numbers.map((number) => scenario.state(number)))
  const deps = scenario.payoutDeps()
  const chosen = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const late = payOut({
    ...deps,
    chain: {
      ...deps.chain,
      simulatePayout: async (...args) => {
        const simulation = await deps.chain.simulatePayout(...args)
        chosen.resolve()
        await goOn.promise
        return simulation
      },
    },
  })
  await chosen.promise
  // Another worker's node names a high price for a moment, so that the first withdrawal waits and the next two are signed.
  await payOut({ ...deps, chain: { ...deps.chain, gasPrice: () => Promise.resolve(100_000n * GWEI) } })
  expect(await scenario.withdrawal(numbers[0] ?? '')).toMatchObject({ withdrawal: { state: 'queued' } })
  while (await payOut(deps));
  expect(await states()).toEqual(['queued', 'sending', 'sending'])
  goOn.resolve()
  await late
  expect(await states()).toEqual(['queued', 'sending', 'sending'])
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  scenario.clock.advance(60_000)
  await scenario.payOut()
  expect(await states()).toEqual(['sending', 'done', 'done'])
})
