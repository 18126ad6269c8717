import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { listTroubledPayments } from '@candela/server/chain/follow/status'
import { must } from '@candela/server/kernel/assert'
import { WHOLE } from '@candela/server/modules/power/testing'
import { startOperators } from '@candela/server/operator/testing-operators'
import { randomBytes } from 'node:crypto'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { DEPTH, type PayoutScenario, startPayoutScenario } from './payouts-scenario.ts'

/** A payment out whose withdrawal the books do not have, as after a restore to an instant before it. */

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

/** Pays by the payer's key what no withdrawal asks for. @returns the number of the payment in `chain trouble` */
async function paid(scenario: PayoutScenario, to: Hex, amount: bigint): Promise<string> {
  const { signer, chain: node } = scenario.payoutDeps()
  const args = [`0x${randomBytes(32).toString('hex')}`, chain.usdt, to, amount] as const
  const data = encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'pay', args })
  const nonce = BigInt(await chain.client.getTransactionCount({ address: scenario.payer }))
  const call = { nonce, gasPrice: 100n * 10n ** 9n, gas: 400_000n, to: scenario.gateway, data }
  await node.send((await signer.sign(call)).raw)
  await scenario.mineAndFollow(DEPTH)
  expect(await scenario.credit()).toEqual({ credited: 0, failed: 1 })
  const trouble = must((await listTroubledPayments(scenario.db)).at(-1), 'it is listed')
  expect(trouble.reason).toContain('is no withdrawal of ours')
  return String(trouble.eventId)
}

const HOUR_MS = 3_600_000

test('two operators take what was paid from the member that was paid, once, and books and chain are equal again', async () => {
  await using scenario = await startPayoutScenario(chain)
  const operators = await startOperators(scenario.url, scenario.clock)
  await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
  const event = await paid(scenario, scenario.alice, 40n * WHOLE)
  expect(await scenario.reconcile()).toMatchObject({ finding: expect.stringContaining('USDT') })

  await operators.give('ada', 'withdrawal', 'restore', event)
  expect(await scenario.balances(scenario.alice, 'USDT')).toEqual({ available: 100n * WHOLE, held: 0n })
  const done = await operators.give<{ withdrawalNo: string; amount: string }>('bob', 'withdrawal', 'restore', event)
  expect(done).toMatchObject({ amount: '40', asset: 'USDT' })
  expect(await scenario.balances(scenario.alice, 'USDT')).toEqual({ available: 60n * WHOLE, held: 40n * WHOLE })
  await expect(operators.both('withdrawal', 'restore', event)).rejects.toThrow('belongs to a withdrawal')

  scenario.clock.advance(HOUR_MS)
  expect(await scenario.credit()).toEqual({ credited: 1, failed: 0 })
  expect((await scenario.withdrawal(done.withdrawalNo)).withdrawal).toMatchObject({ state: 'done', fee: '0' })
  expect(await scenario.reconcile()).toMatchObject({ finding: null })
  await scenario.expectSound()
  await expect(operators.both('withdrawal', 'restore', event)).rejects.toThrow('is no payment out')
})

test('it is refused when the member has spent it, when nobody has the address, and for what is no such payment', async () => {
  await using scenario = await startPayoutScenario(chain)
  const operators = await startOperators(scenario.url, scenario.clock)
  const restore = (event: string) => operators.both('withdrawal', 'restore', event)
  await scenario.deposit(scenario.alice, 'USDT', 30n * WHOLE)
  await scenario.deposit(scenario.bob, 'USDT', 100n * WHOLE)
  const deposited = await scenario.db.selectFrom('chain_event').select('id').limit(1).executeTakeFirstOrThrow()
  await expect(restore(String(deposited.id))).rejects.toThrow('is no payment out')
  const toAlice = await paid(scenario, scenario.alice, 40n * WHOLE)
  await expect(restore(toAlice)).rejects.toThrow('the member has 30 left')
  const toStranger = await paid(scenario, scenario.stranger, 5n * WHOLE)
  await expect(restore(toStranger)).rejects.toThrow('went to an address that no member has')
  expect(await scenario.balances(scenario.alice, 'USDT')).toEqual({ available: 30n * WHOLE, held: 0n })
})
