import { WHOLE } from '@candela/server/modules/power/testing'
import { payOut } from '@candela/server/modules/withdraw/payout/pay-out'
import { DAY_MS } from '@candela/protocol/units'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEPTH, type PayoutScenario, startPayoutScenario } from '../payouts-scenario.ts'
import { pass } from '../payouts-steps.ts'

/** The contract of these tests pays at most 1,000 of an asset in 24 hours, and the fee is not a part of that. */

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

const fee = { JU: WHOLE / 100n, USDT: WHOLE, HASH: WHOLE } as const
const HOUR_S = 3_600

/** Asks for what the contract then pays that much of. */
const ask = async (scenario: PayoutScenario, owner: Hex, asset: 'JU' | 'USDT', received: bigint) =>
  (await scenario.apply(owner, asset, received * WHOLE + fee[asset])).withdrawalNo

const states = (scenario: PayoutScenario, numbers: readonly string[]) =>
  Promise.all(numbers.map((number) => scenario.state(number)))

/** Pays out what may go now, and lets the chain confirm it. */
async function settle(scenario: PayoutScenario): Promise<void> {
  await scenario.payOut()
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
}

test('who has waited for the cap is paid before who asks in the second in which it has come back', async () => {
  await using scenario = await startPayoutScenario(chain)
  await scenario.deposit(scenario.alice, 'USDT', 3_000n * WHOLE)
  const [first, late] = [
    await scenario.addGuest({ USDT: WHOLE * 700n }),
    await scenario.addGuest({ USDT: WHOLE * 700n }),
  ]
  await ask(scenario, scenario.alice, 'USDT', 600n)
  await settle(scenario)
  const waiting = await ask(scenario, first, 'USDT', 500n)
  // A tenth of a day brings all of the 100 that are missing; half a minute before there is not enough.
  await pass(chain, scenario, DAY_MS / 10_000 - 50)
  await scenario.payOut()
  expect((await scenario.withdrawal(waiting)).withdrawal).toMatchObject({ state: 'queued', reason: 'dailyCap' })
  await pass(chain, scenario, 50)
  const newcomer = await ask(scenario, late, 'USDT', 500n)
  await scenario.payOut()
  expect(await states(scenario, [waiting, newcomer])).toEqual(['sending', 'queued'])
})

test('small withdrawals go past one that does not fit, and no more once it has waited for a day', async () => {
  await using scenario = await startPayoutScenario(chain)
  await scenario.deposit(scenario.alice, 'USDT', 5_000n * WHOLE)
  const [big, other] = [
    await scenario.addGuest({ USDT: 1_000n * WHOLE }),
    await scenario.addGuest({ USDT: 2_000n * WHOLE }),
  ]
  await ask(scenario, scenario.alice, 'USDT', 600n)
  await settle(scenario)
  const large = await ask(scenario, big, 'USDT', 990n)
  for (let hours = 0; hours < 22; hours += 11) {
    await pass(chain, scenario, 11 * HOUR_S)
    const small = await ask(scenario, other, 'USDT', 500n)
    await settle(scenario)
    expect(await states(scenario, [large, small])).toEqual(['queued', 'done'])
  }
  await pass(chain, scenario, 3 * HOUR_S)
  const waits = await ask(scenario, other, 'USDT', 50n)
  await settle(scenario)
  // There is room for 50, but what has waited for a day comes first.
  expect(await states(scenario, [large, waits])).toEqual(['queued', 'queued'])
  expect((await scenario.withdrawal(waits)).withdrawal.reason).toBe('dailyCap')
  await pass(chain, scenario, DAY_MS / 1_000)
  await settle(scenario)
  expect(await states(scenario, [large, waits])).toEqual(['done', 'queued'])
  await pass(chain, scenario, 2 * HOUR_S)
  await settle(scenario)
  expect(await states(scenario, [large, waits])).toEqual(['done', 'done'])
  await scenario.expectSound()
})

test('who lets one wait for a day and takes it back keeps others from half of the cap at most', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { alice } = scenario
  await scenario.deposit(alice, 'USDT', 9_000n * WHOLE)
  const [big, other] = [
    await scenario.addGuest({ USDT: 1_000n * WHOLE }),
    await scenario.addGuest({ USDT: 6_000n * WHOLE }),
  ]
  const asked = async (owner: Hex, received: bigint) => {
    const number = await ask(scenario, owner, 'USDT', received)
    await settle(scenario)
    return { number, state: await scenario.state(number) }
  }
  await asked(alice, 999n)
  /** The cap is used up again and again, until the large one has waited for a day and an hour. */
  const waitForADay = async () => {
    const { number, state } = await asked(big, 990n)
    expect(state).toBe('queued')
    for (const hours of [11, 11]) {
      await pass(chain, scenario, hours * HOUR_S)
      expect((await asked(other, 450n)).state).toBe('done')
    }
    await pass(chain, scenario, 3 * HOUR_S)
    return number
  }
  const first = await waitForADay()
  // It keeps all of it, once and for nothing.
  const { number: held, state } = await asked(other, 100n)
  expect(state).toBe('queued')
  await scenario.takeBack(big, first)
  await settle(scenario)
  expect(await scenario.state(held)).toBe('done')

  const second = await waitForADay()
  for (const received of [400n, 200n]) {
    await pass(chain, scenario, 12 * HOUR_S)
    // Half of what comes back is for all others, and half is kept.
    expect((await asked(other, received)).state).toBe('done')
    expect((await asked(other, 50n)).state).toBe('queued')
  }
  expect(await scenario.state(second)).toBe('queued')
  await pass(chain, scenario, 24 * HOUR_S)
  await settle(scenario)
  expect(await scenario.state(second)).toBe('done')
  await scenario.expectSound()
})

test('one asset whose cap is used up hides no other asset, however many wait for it', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { alice, bob } = scenario
  await scenario.deposit(alice, 'JU', 4_000n * WHOLE)
  await scenario.deposit(bob, 'USDT', 100n * WHOLE)
  await ask(scenario, alice, 'JU', 999n)
  await settle(scenario)
  for (let nth = 0; nth < 20; nth++) await ask(scenario, await scenario.addGuest({ JU: 40n * WHOLE }), 'JU', 30n)
  const small = await ask(scenario, bob, 'USDT', 50n)
  await payOut(scenario.payoutDeps())
  expect(await scenario.state(small)).toBe('sending')
  expect(await scenario.transactions()).toHaveLength(2)
})

test('assets take turns: of many in one asset and two in another each has its part of a block', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { alice } = scenario
  await scenario.deposit(alice, 'JU', 1_000n * WHOLE)
  await scenario.deposit(alice, 'USDT', 1_000n * WHOLE)
  for (let nth = 0; nth < 20; nth++) await ask(scenario, await scenario.addGuest({ JU: 10n * WHOLE }), 'JU', 5n)
  const usdt: string[] = []
  for (let nth = 0; nth < 4; nth++) {
    usdt.push(await ask(scenario, await scenario.addGuest({ USDT: 20n * WHOLE }), 'USDT', 10n))
  }
  await scenario.payOut()
  expect(await scenario.transactions()).toHaveLength(16)
  expect(await states(scenario, usdt)).toEqual(['sending', 'sending', 'sending', 'sending'])
})

test('with sixteen under way the next are signed as soon as a block has some of them', async () => {
  await using scenario = await startPayoutScenario(chain)
  await scenario.deposit(scenario.alice, 'JU', 1_000n * WHOLE)
  const numbers: string[] = []
  for (let nth = 0; nth < 20; nth++) {
    numbers.push(await ask(scenario, await scenario.addGuest({ JU: 10n * WHOLE }), 'JU', 5n))
  }
  await scenario.payOut()
  const sent = async () => (await states(scenario, numbers)).filter((state) => state !== 'queued').length
  expect(await sent()).toBe(16)
  for (const number of numbers.slice(16)) {
    expect((await scenario.withdrawal(number)).withdrawal).toMatchObject({ state: 'queued', reason: null })
  }
  await scenario.mineAndFollow()
  await scenario.payOut()
  expect(await sent()).toBe(20)
})
