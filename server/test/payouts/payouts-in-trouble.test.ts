import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { WHOLE } from '@candela/server/modules/power/testing'
import { payOut } from '@candela/server/modules/withdraw/payout/pay-out'
import type { PayoutDeps } from '@candela/server/modules/withdraw/payout/payout-deps'
import { DAY_MS } from '@candela/protocol/units'
import { encodeFunctionData } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DEPTH, type PayoutScenario, refusingCode, startPayoutScenario } from './payouts-scenario.ts'
import { asked, die, expectDone, Killed, pass, priceOut } from './payouts-steps.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())
afterEach(async () => {
  for (const address of chain.payers.slice(0, 3)) await chain.client.setCode({ address, bytecode: '0x' })
})

const GWEI = 10n ** 9n

describe('stuck payouts', () => {
  test('are signed again at the same nonce for at least an eighth more, and only one is mined', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario)
    await scenario.payOut()
    await scenario.payOut()
    expect(await scenario.transactions()).toHaveLength(1)
    await priceOut(chain, scenario)
    await scenario.payOut()
    const [first, second] = await scenario.transactions()
    expect(second?.nonce).toBe(first?.nonce)
    expect((second?.gas_price ?? 0n) * 8n).toBeGreaterThanOrEqual((first?.gas_price ?? 0n) * 9n)
    const { withdrawal } = await scenario.withdrawal(number)
    expect(withdrawal.txHash).toBe(second?.hash)
    expect(withdrawal.timeline.map(({ state }) => state)).toEqual(['queued', 'sending', 'sending'])
    await expectDone(scenario, number)
    expect((await scenario.withdrawal(number)).withdrawal.txHash).toBe(second?.hash)
  })

  test('whose first transaction is mined after all, although a dearer one was signed', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario)
    const deps = scenario.payoutDeps()
    await payOut(deps)
    await priceOut(chain, scenario)
    // The dearer one is stored and never reaches a node.
    await expect(payOut({ ...deps, chain: { ...deps.chain, send: die } })).rejects.toThrow(Killed)
    expect(await scenario.transactions()).toHaveLength(2)
    // A node that kept the first one all along.
    await scenario.setBaseFee(GWEI)
    await deps.chain.send((await scenario.transactions())[0]?.raw ?? '')
    await expectDone(scenario, number)
    await scenario.payOut()
    const { withdrawal } = await scenario.withdrawal(number)
    expect(withdrawal.txHash).toBe((await scenario.transactions())[0]?.hash)
    expect(withdrawal.timeline.at(-1)).toMatchObject({ state: 'done', txHash: withdrawal.txHash })
  })

  test('never offer more than the setting allows, and nothing is bumped while no blocks come', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario)
    await scenario.payOut()
    const [first] = await scenario.transactions()
    scenario.clock.advance(3_600_000)
    // Not by the scenario: its comparison would mine a block first, and the payment with it.
    await payOut(scenario.payoutDeps())
    expect(await scenario.transactions()).toHaveLength(1)
    const most = { key: 'payoutGasPriceGwei', value: '1', updated_at: scenario.clock.now() }
    await scenario.db.insertInto('setting').values(most).execute()
    await priceOut(chain, scenario)
    await scenario.payOut()
    expect(await scenario.transactions()).toHaveLength(1)
    expect(scenario.log()).toContain('"event":"payout.price-limit-reached"')
    await scenario.setBaseFee((first?.gas_price ?? 0n) / 2n)
    scenario.clock.advance(7_200_000)
    await scenario.payOut()
    await expectDone(scenario, number)
  })
})

describe('payments that cannot be', () => {
  test('a recipient that refuses from the start: nothing is signed, the money is back', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario, 'JU')
    await chain.client.setCode({ address: scenario.alice, bytecode: refusingCode })
    await scenario.mineAndFollow()
    await scenario.payOut()
    const { withdrawal } = await scenario.withdrawal(number)
    expect(withdrawal).toMatchObject({ state: 'failed', reason: 'recipient', txHash: null, estimatedAt: null })
    expect(await scenario.transactions()).toEqual([])
    expect(await scenario.balances(scenario.alice, 'JU')).toEqual({ available: 100n * WHOLE, held: 0n })
    await scenario.expectSound()
  })

  test('a recipient that refuses after signing: the money less the fee is back when the used nonce is final, not before', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario, 'JU')
    await scenario.payOut()
    await chain.client.setCode({ address: scenario.alice, bytecode: refusingCode })
    await scenario.mineAndFollow()
    for (let depth = 1; depth < DEPTH; depth++) {
      await scenario.payOut()
      expect(await scenario.state(number)).toBe('sending')
      expect((await scenario.balances(scenario.alice, 'JU')).held).toBe(40n * WHOLE)
      await scenario.mineAndFollow()
    }
    await Promise.all([scenario.payOut(), scenario.payOut()])
    const [sent] = await scenario.transactions()
    const { withdrawal } = await scenario.withdrawal(number)
    expect(withdrawal).toMatchObject({ state: 'failed', reason: 'reverted' })
    expect(withdrawal.timeline.at(-1)).toMatchObject({ state: 'failed', txHash: sent?.hash })
    const fee = WHOLE / 100n
    expect(await scenario.balances(scenario.alice, 'JU')).toEqual({ available: 100n * WHOLE - fee, held: 0n })
    expect(await scenario.platform('fees', 'JU')).toBe(fee)
    await scenario.expectSound()
    // The next one goes on behind the nonce that was used up.
    await chain.client.setCode({ address: scenario.alice, bytecode: '0x' })
    const next = await scenario.apply(scenario.alice, 'JU', 20n * WHOLE)
    await scenario.payOut()
    await expectDone(scenario, next.withdrawalNo)
  })

  test('a contract that is paused after signing: the whole amount is back, and nothing counts against the member', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario, 'JU')
    const deps = scenario.payoutDeps()
    await expect(payOut({ ...deps, chain: { ...deps.chain, send: die } })).rejects.toThrow(Killed)
    await scenario.owner(encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'pause' }))
    await scenario.mineAndFollow()
    await scenario.payOut()
    await scenario.mineAndFollow(DEPTH)
    await scenario.payOut()
    const { withdrawal } = await scenario.withdrawal(number)
    expect(withdrawal).toMatchObject({ state: 'failed', reason: 'unpaid' })
    expect(withdrawal.timeline.at(-1)?.txHash).toBe((await scenario.transactions())[0]?.hash)
    expect(await scenario.balances(scenario.alice, 'JU')).toEqual({ available: 100n * WHOLE, held: 0n })
    await scenario.expectSound()
  })

  test('the nonce was taken by somebody else with the same key: the money is back, and the next nonce follows', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario)
    const deps = scenario.payoutDeps()
    await expect(payOut({ ...deps, chain: { ...deps.chain, send: die } })).rejects.toThrow(Killed)
    await foreignTransaction(scenario, deps, 0n)
    await foreignTransaction(scenario, deps, 1n)
    await scenario.mineAndFollow()
    const second = await scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)
    await scenario.payOut()
    expect((await scenario.withdrawal(second.withdrawalNo)).lastFailure).toContain('transactions that are not ours')
    await scenario.mineAndFollow(DEPTH)
    scenario.clock.advance(60_000)
    await scenario.payOut()
    expect((await scenario.withdrawal(number)).withdrawal).toMatchObject({ state: 'failed', reason: 'unpaid' })
    expect((await scenario.balances(scenario.alice, 'USDT')).available).toBe(90n * WHOLE)
    const rows = await scenario.transactions()
    expect(rows.map(({ nonce }) => nonce)).toEqual([0n, 2n])
    await scenario.mineAndFollow(DEPTH)
    await scenario.credit()
    expect(await scenario.state(second.withdrawalNo)).toBe('done')
    expect(await scenario.reconcile()).toMatchObject({ finding: null })
  })
})

/** A transaction of the payer's that the service knows nothing of. */
async function foreignTransaction(scenario: PayoutScenario, deps: PayoutDeps, nonce: bigint): Promise<void> {
  const call = { nonce, gasPrice: 100n * GWEI, gas: 21_000n, to: scenario.payer, data: '0x' as const }
  await deps.chain.send((await deps.signer.sign(call)).raw)
}

describe('payments that have to wait', () => {
  test('the cap, counting what is under way; what comes back of it lets it go on', async () => {
    await using scenario = await startPayoutScenario(chain)
    await scenario.deposit(scenario.alice, 'USDT', 2_000n * WHOLE)
    const first = await scenario.apply(scenario.alice, 'USDT', 600n * WHOLE)
    const second = await scenario.apply(scenario.alice, 'USDT', 500n * WHOLE)
    await scenario.payOut()
    expect(await scenario.state(first.withdrawalNo)).toBe('sending')
    const { withdrawal } = await scenario.withdrawal(second.withdrawalNo)
    expect(withdrawal).toMatchObject({ state: 'queued', reason: 'dailyCap' })
    await scenario.mineAndFollow(DEPTH)
    await scenario.credit()
    scenario.clock.advance(60_000)
    await scenario.payOut()
    expect(await scenario.state(second.withdrawalNo)).toBe('queued')
    // A tenth of the cap comes back in a tenth of a day.
    await pass(chain, scenario, DAY_MS / 1_000 / 10)
    await scenario.payOut()
    await scenario.mineAndFollow(DEPTH)
    await scenario.credit()
    expect(await scenario.state(second.withdrawalNo)).toBe('done')
    await scenario.expectSound()
  })

  test('a paused contract, another payer, a payer without gas, gas too dear: each says why', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario)
    const { payer } = scenario
    const call = (functionName: 'pause' | 'unpause') =>
      scenario.owner(encodeFunctionData({ abi: paymentGatewayAbi, functionName }))
    const remove = () => scenario.owner(encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'removePayer' }))
    const comeBack = async () => {
      await scenario.nameStandby(payer)
      await scenario.switchPayer()
    }
    const fund = (value: bigint) => chain.client.setBalance({ address: payer, value })
    const limit = async (value: string) => {
      const row = { key: 'payoutGasPriceGwei', value, updated_at: scenario.clock.now() }
      await scenario.db
        .insertInto('setting')
        .values(row)
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute()
      await scenario.setBaseFee(3n * GWEI)
    }
    const causes: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
      ['EnforcedPause', () => call('pause'), () => call('unpause')],
      ['NotPayer', remove, comeBack],
      ['left for gas', () => fund(1n), () => fund(WHOLE)],
      ['gas costs', () => limit('1'), () => limit('500')],
    ]
    for (const [words, make, mend] of causes) {
      await make()
      await pass(chain, scenario, 61)
      await scenario.payOut()
      expect(await scenario.withdrawal(number)).toMatchObject({
        lastFailure: expect.stringContaining(words),
        withdrawal: { state: 'queued', reason: 'paused', estimatedAt: null },
      })
      await mend()
      await pass(chain, scenario, 1)
    }
    expect(await scenario.transactions()).toEqual([])
    await pass(chain, scenario, 61)
    await scenario.payOut()
    await expectDone(scenario, number)
  })
})
