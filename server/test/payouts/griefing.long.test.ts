import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { WHOLE } from '@candela/server/modules/power/testing'
import { RpcError } from '@candela/server/chain/ask'
import { transaction } from '@candela/server/db/open'
import { payOut } from '@candela/server/modules/withdraw/payout/pay-out'
import { approveWithdrawal } from '@candela/server/modules/withdraw/review'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DEPTH, type PayoutScenario, refusingCode, startPayoutScenario } from './payouts-scenario.ts'
import { asked, expectDone } from './payouts-steps.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())
afterEach(async () => {
  for (const address of chain.payers.slice(0, 3)) await chain.client.setCode({ address, bytecode: '0x' })
})

/** Contract wallets whose only purpose is to cost the payer something. */
const wallets = {
  /** Reverts unless `tx.gasprice` is 0, as it is in a call that names none. */
  'reverts on a gas price': '0x3a600557005b60006000fd',
  /** Uses up all gas that it gets, when there is a gas price. */
  'burns all gas on a gas price': '0x3a600557005bfe',
  /** Reverts with 100,000 bytes, when there is a gas price. */
  'reverts with a bomb on a gas price': '0x3a600557005b620186a06000fd',
} as const satisfies Record<string, Hex>

/** Returns 100,000 bytes to its caller, and takes the money. */
const bombCode: Hex = '0x620186a06000f3'
/** Sends what it gets back to its caller, and takes it again as a deposit. */
const reenteringCode: Hex = '0x600060006000600034335af100'

const setCode = (address: Hex, bytecode: Hex) => chain.client.setCode({ address, bytecode })

describe('wallets that want to make the payer pay for nothing', () => {
  test.each(Object.entries(wallets))('one that %s: nothing is signed, the money is back', async (_what, code) => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario, 'JU')
    await setCode(scenario.alice, code)
    await scenario.mineAndFollow()
    await scenario.payOut()
    expect((await scenario.withdrawal(number)).withdrawal).toMatchObject({ state: 'failed', reason: 'recipient' })
    expect(await scenario.transactions()).toEqual([])
    expect(await scenario.balances(scenario.alice, 'JU')).toEqual({ available: 100n * WHOLE, held: 0n })
    await scenario.expectSound()
  })

  test('one that returns a bomb, or sends the money back to the contract, is paid once', async () => {
    for (const code of [bombCode, reenteringCode]) {
      await using scenario = await startPayoutScenario(chain)
      const number = await asked(scenario, 'JU')
      await setCode(scenario.alice, code)
      await scenario.mineAndFollow()
      await scenario.payOut()
      await expectDone(scenario, number)
      expect(await scenario.reconcile()).toMatchObject({ finding: null })
    }
  })
})

/** A wallet that accepts whenever it is asked and refuses whenever it is paid. */
async function payOutRefused(scenario: PayoutScenario, wallet: Hex): Promise<void> {
  await setCode(wallet, '0x')
  await scenario.payOut()
  await setCode(wallet, refusingCode)
  await scenario.mineAndFollow()
}

test('forty payments that revert: two in flight, two fees kept, the rest in review, and nobody waits for them', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { alice, bob } = scenario
  await scenario.deposit(bob, 'JU', 100n * WHOLE)
  await scenario.deposit(alice, 'JU', 100n * WHOLE)
  await scenario.db
    .insertInto('setting')
    .values({ key: 'openWithdrawals', value: '40', updated_at: scenario.clock.now() })
    .execute()
  const bad: string[] = []
  for (let nth = 0; nth < 40; nth++) bad.push((await scenario.apply(bob, 'JU', 2n * WHOLE)).withdrawalNo)
  const { withdrawalNo: honest } = await scenario.apply(alice, 'JU', 10n * WHOLE)
  await payOutRefused(scenario, bob)
  expect(await scenario.state(honest)).toBe('confirming')
  expect(await scenario.transactions()).toHaveLength(3)
  for (let block = 1; block < 3 * DEPTH; block++) await payOutRefused(scenario, bob)
  await scenario.credit()
  expect(await scenario.state(honest)).toBe('done')
  // Two were signed; a third never is before somebody has looked.
  expect(await scenario.transactions()).toHaveLength(3)
  const states = await Promise.all(bad.map((number) => scenario.state(number)))
  expect(states.filter((state) => state === 'failed')).toHaveLength(2)
  expect(states.filter((state) => state === 'review')).toHaveLength(38)
  const { withdrawal } = await scenario.withdrawal(bad[0] ?? '')
  expect(withdrawal).toMatchObject({ state: 'failed', reason: 'reverted' })
  expect((await scenario.withdrawal(bad[2] ?? '')).withdrawal).toMatchObject({ state: 'review', reason: 'reverts' })
  // 100 less two fees of 0.01; 38 wait for an operator.
  const fee = WHOLE / 100n
  expect(await scenario.balances(bob, 'JU')).toEqual({ available: 24n * WHOLE - 2n * fee, held: 76n * WHOLE })
  expect(await scenario.platform('fees', 'JU')).toBe(3n * fee)
  const notices = await scenario.db
    .selectFrom('notice')
    .select('params')
    .where('member_id', '=', scenario.memberOf(bob))
    .where('kind', '=', 'withdrawalFailed')
    .execute()
  expect(notices.map(({ params }) => params)).toMatchObject([
    { amount: '1.99', feeKept: '0.01', reason: 'reverted' },
    { amount: '1.99', feeKept: '0.01', reason: 'reverted' },
  ])
  // A withdrawal that is asked for now is looked at first, too.
  expect(await scenario.apply(bob, 'JU', 2n * WHOLE)).toMatchObject({ state: 'review', reason: 'reverts' })
  await scenario.expectSound()
})

test('one that was approved after its payments had reverted is signed, and after one more revert asked about again', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { bob } = scenario
  await scenario.deposit(bob, 'JU', 100n * WHOLE)
  const numbers: string[] = []
  for (let nth = 0; nth < 5; nth++) numbers.push((await scenario.apply(bob, 'JU', 2n * WHOLE)).withdrawalNo)
  const [, , third = '', fourth = '', fifth = ''] = numbers
  for (let block = 0; block <= DEPTH; block++) await payOutRefused(scenario, bob)
  await scenario.payOut()
  expect([await scenario.state(third), await scenario.state(fourth)]).toEqual(['review', 'review'])
  for (const number of [third, fourth, fifth]) expect(await approve(scenario, number)).toBe('approved')
  expect(await scenario.state(third)).toBe('queued')
  for (let block = 0; block <= DEPTH; block++) await payOutRefused(scenario, bob)
  await scenario.payOut()
  expect([await scenario.state(third), await scenario.state(fourth)]).toEqual(['failed', 'failed'])
  expect(await scenario.transactions()).toHaveLength(4)
  // The same operator may approve it again, in its second round of review.
  expect((await scenario.withdrawal(fifth)).withdrawal).toMatchObject({ state: 'review', reason: 'reverts' })
  expect(await approve(scenario, fifth)).toBe('approved')
  await setCode(bob, '0x')
  await scenario.mineAndFollow()
  await scenario.payOut()
  await expectDone(scenario, fifth)
})

const approve = (scenario: PayoutScenario, withdrawalNo: string) =>
  transaction(scenario.db, (tx) => approveWithdrawal(tx, withdrawalNo, ['ada'], scenario.clock.now()))

test('payments that reverted so long ago that nobody can tell why: all is back, and two ask for a review', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { bob } = scenario
  await scenario.deposit(bob, 'JU', 100n * WHOLE)
  const numbers: string[] = []
  for (let nth = 0; nth < 3; nth++) numbers.push((await scenario.apply(bob, 'JU', 2n * WHOLE)).withdrawalNo)
  await payOutRefused(scenario, bob)
  expect(await scenario.transactions()).toHaveLength(2)
  await scenario.mineAndFollow(101)
  await scenario.reconcile()
  const deps = scenario.payoutDeps()
  const simulatePayout: typeof deps.chain.simulatePayout = async (at, ...rest) => {
    const { number } = await chain.client.getBlock()
    // As a node that prunes answers.
    if (number - at.number > 90n) throw new RpcError('refused', 'missing trie node')
    return deps.chain.simulatePayout(at, ...rest)
  }
  await payOut({ ...deps, chain: { ...deps.chain, simulatePayout } })
  const states = await Promise.all(numbers.map((number) => scenario.withdrawal(number)))
  expect(states.map(({ withdrawal: { state, reason, feeKept } }) => [state, reason, feeKept])).toEqual([
    ['failed', 'unclear', null],
    ['failed', 'unclear', null],
    ['review', 'reverts', null],
  ])
  expect(await scenario.balances(bob, 'JU')).toEqual({ available: 98n * WHOLE, held: 2n * WHOLE })
  await scenario.expectSound()
})
