import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { listTroubledPayments } from '@candela/server/chain/follow/status'
import { transaction } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import { lastSettledBlock } from '@candela/server/modules/proof/snapshot/followed-payments'
import { readPauseReason } from '@candela/server/modules/reconcile/pause'
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

const settledBlock = (scenario: PayoutScenario, final: bigint) =>
  transaction(scenario.db, (tx) => lastSettledBlock(tx, final))

test('a payout by a stolen payer key has its own alarm, and ends when two operators explain it, for attestations too', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { db, clock } = scenario
  const operators = await startOperators(scenario.url, clock)
  await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
  await scenario.reconcile()
  expect(await readPauseReason(db, clock.now())).toBeNull()
  const alarms = () =>
    scenario
      .log()
      .split('\n')
      .filter((line) => line.includes('"payout.foreign"'))

  const event = await paid(scenario, scenario.stranger, 33n * WHOLE)
  // At once, before any comparison.
  const reason = 'the contract has paid what is no withdrawal of ours'
  expect(await readPauseReason(db, clock.now())).toBe(reason)
  expect(await scenario.reconcile()).toMatchObject({
    paused: true,
    finding: expect.stringContaining('no withdrawal of ours'),
  })
  await scenario.reconcile()
  expect(alarms()).toHaveLength(1)

  // Neither one operator nor the loss in the books ends it.
  const book = ['reconcile', 'book', 'USDT', '--note', 'stolen', '--', '-33']
  await operators.give('ada', ...book)
  expect(await scenario.platform('equity', 'USDT')).toBe(0n)
  await operators.give('bob', ...book)
  expect(await scenario.platform('equity', 'USDT')).toBe(-33n * WHOLE)
  await scenario.reconcile()
  expect(await readPauseReason(db, clock.now())).toBe(reason)
  const { block_number: at } = await db
    .selectFrom('chain_payment')
    .select('block_number')
    .where('id', '=', BigInt(event))
    .executeTakeFirstOrThrow()
  expect(await settledBlock(scenario, at + 9n)).toBe(at - 1n)

  const explain = ['payout', 'explain', event, '--note', 'the key was stolen', '--booked']
  await operators.give('ada', ...explain)
  expect(await readPauseReason(db, clock.now())).toBe(reason)
  expect(await operators.give('bob', ...explain)).toMatchObject({ amount: '33', bornBy: 'booked before' })
  expect(await settledBlock(scenario, at + 9n)).toBe(at + 9n)
  expect(await scenario.reconcile()).toMatchObject({ paused: false, finding: null })
  expect(await readPauseReason(db, clock.now())).toBeNull()
  expect(await listTroubledPayments(db)).toEqual([])
  await expect(operators.both(...explain)).rejects.toThrow('is no payment out that could not be settled')
  await scenario.expectSound()
})

test('what is explained without having been booked is the platform’s loss, once, whoever was paid', async () => {
  await using scenario = await startPayoutScenario(chain)
  const operators = await startOperators(scenario.url, scenario.clock)
  await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
  const event = await paid(scenario, scenario.alice, 40n * WHOLE)
  await operators.both('payout', 'explain', event, '--note', 'the key was stolen')
  expect(await scenario.platform('equity', 'USDT')).toBe(-40n * WHOLE)
  expect(await scenario.balances(scenario.alice, 'USDT')).toEqual({ available: 100n * WHOLE, held: 0n })
  scenario.clock.advance(HOUR_MS)
  expect(await scenario.credit()).toEqual({ credited: 0, failed: 0 })
  expect(await scenario.reconcile()).toMatchObject({ paused: false, finding: null })
  await scenario.expectSound()
})

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
