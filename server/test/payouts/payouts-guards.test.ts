import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import { listTroubledPayments } from '@candela/server/chain/follow/status'
import { WHOLE } from '@candela/server/modules/power/testing'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { DEPTH, type PayoutScenario, startPayoutScenario } from './payouts-scenario.ts'
import { asked, expectDone } from './payouts-steps.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

test('money is not given back while the contract says that it was paid, though no followed block holds the payment', async () => {
  await using scenario = await startPayoutScenario(chain)
  const number = await asked(scenario)
  await scenario.payOut()
  await scenario.mineAndFollow(DEPTH + 1)
  expect(await scenario.state(number)).toBe('confirming')
  // A node that has left a log out: everything else says that the nonce was used in vain.
  const event = await scenario.db.deleteFrom('chain_event').where('action', '=', 'paid').returningAll().execute()
  expect(await scenario.state(number)).toBe('sending')
  for (let round = 0; round < 2; round++) await scenario.payOut()
  expect(await scenario.state(number)).toBe('sending')
  expect(await scenario.balances(scenario.alice, 'USDT')).toEqual({ available: 60n * WHOLE, held: 40n * WHOLE })
  expect(scenario.log()).toContain('"event":"payout.unknown-payment-reported"')
  // The log is found after all.
  expect(event).toHaveLength(1)
  await scenario.db
    .insertInto('chain_event')
    .values(event.map(({ id: _id, ...row }) => row))
    .execute()
  await expectDone(scenario, number)
})

/** Pays in the withdrawal's name what somebody with the payer's key likes. */
async function payInItsName(
  scenario: PayoutScenario,
  terms: { asset?: Hex; to?: Hex; amount?: bigint },
): Promise<void> {
  const row = await scenario.db.selectFrom('withdrawal').selectAll().executeTakeFirstOrThrow()
  const { asset = chain.usdt, to = row.to_address as Hex, amount = row.payout_amount } = terms
  const args = [row.payout_id as Hex, asset, to, amount] as const
  const data = encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'pay', args })
  const { signer, chain: node } = scenario.payoutDeps()
  const call = { nonce: 0n, gasPrice: 100n * 10n ** 9n, gas: 400_000n, to: scenario.gateway, data }
  await node.send((await signer.sign(call)).raw)
  await scenario.mineAndFollow(DEPTH)
}

describe('a payment with the id of a withdrawal does not end it', () => {
  test.each([
    ['to another recipient', () => ({ to: chain.payers[2] as Hex })],
    ['of another amount', () => ({ amount: 3n })],
    ['of another asset', () => ({ asset: NATIVE_ASSET as Hex })],
  ])('%s', async (_what, terms) => {
    await using scenario = await startPayoutScenario(chain)
    await scenario.deposit(scenario.bob, 'JU', 100n * WHOLE)
    const number = await asked(scenario)
    await payInItsName(scenario, terms())
    expect(await scenario.credit()).toEqual({ credited: 0, failed: 1 })
    expect(await scenario.state(number)).not.toBe('done')
    expect(await listTroubledPayments(scenario.db)).toMatchObject([
      { trouble: 'failing', reason: expect.stringContaining(`differs from withdrawal ${number}`) },
    ])
    expect(await scenario.balances(scenario.alice, 'USDT')).toEqual({ available: 60n * WHOLE, held: 40n * WHOLE })
    // Money that left without us stops withdrawals at the first look.
    expect(await scenario.reconcile()).toMatchObject({ paused: true, finding: expect.stringContaining('expected') })
  })

  test('exactly as asked for, it does', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario)
    await payInItsName(scenario, {})
    await expectDone(scenario, number)
  })
})
