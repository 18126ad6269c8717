import type { TestChain } from '@candela/testing/chain/test-chain'
import { WHOLE } from '@candela/server/modules/power/testing'
import { expect } from 'vitest'
import { DEPTH, type PayoutScenario } from './payouts-scenario.ts'

/** A member with money, who has asked for some of it. */
export async function asked(scenario: PayoutScenario, asset: 'USDT' | 'JU' = 'USDT', amount = 40n * WHOLE) {
  await scenario.deposit(scenario.alice, asset, 100n * WHOLE)
  return (await scenario.apply(scenario.alice, asset, amount)).withdrawalNo
}

/** Lets the chain come to its end, and expects the withdrawal to be done once and the books to be right. */
export async function expectDone(scenario: PayoutScenario, withdrawalNo: string) {
  await scenario.mineAndFollow(DEPTH)
  expect(await scenario.credit()).toMatchObject({ failed: 0 })
  expect(await scenario.state(withdrawalNo)).toBe('done')
  expect(await scenario.paidEvents()).toHaveLength(1)
  await scenario.expectSound()
}

/** So many seconds pass on the chain. */
export async function pass(chain: TestChain, scenario: PayoutScenario, seconds: number): Promise<void> {
  const { timestamp } = await chain.client.getBlock()
  await chain.client.setNextBlockTimestamp({ timestamp: timestamp + BigInt(seconds) })
  await scenario.mineAndFollow()
}

/** Blocks whose base fee is above what the waiting payout offers go by, for longer than anyone should wait. */
export async function priceOut(chain: TestChain, scenario: PayoutScenario): Promise<void> {
  const [sent] = (await scenario.transactions()).slice(-1)
  await scenario.setBaseFee((sent?.gas_price ?? 0n) * 2n)
  await pass(chain, scenario, 200)
  expect(await scenario.paidEvents()).toHaveLength(0)
}

/** A step throws this to end its worker there and then. */
export class Killed extends Error {}
export const die = (): Promise<never> => Promise.reject(new Killed('killed'))
