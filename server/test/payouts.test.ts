import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET } from '@candela/protocol/action-data'
import { RpcError } from '@candela/server/chain/client'
import { startTestChain, type TestChain } from '@candela/server/chain/testing-chain'
import { type Fault, startFaultyProxy } from '@candela/server/chain/testing-proxy'
import { WHOLE } from '@candela/server/modules/power/testing'
import { payOut } from '@candela/server/modules/withdraw/pay-out'
import type { PayoutDeps } from '@candela/server/modules/withdraw/payout-deps'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DEPTH, type PayoutScenario, refusingCode, startPayoutScenario } from './payouts-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.stop())
afterEach(async () => {
  for (const address of chain.payers.slice(0, 3)) await chain.client.setCode({ address, bytecode: '0x' })
})

const GWEI = 10n ** 9n

/** A member with money, who has asked for some of it. */
async function asked(scenario: PayoutScenario, asset: 'USDT' | 'JU' = 'USDT', amount = 40n * WHOLE) {
  await scenario.deposit(scenario.alice, asset, 100n * WHOLE)
  return (await scenario.apply(scenario.alice, asset, amount)).withdrawalNo
}

/** Lets the chain come to its end, and expects the withdrawal to be done once and the books to be right. */
async function expectDone(scenario: PayoutScenario, withdrawalNo: string) {
  await scenario.mineAndFollow(DEPTH)
  expect(await scenario.credit()).toMatchObject({ failed: 0 })
  expect(await scenario.state(withdrawalNo)).toBe('done')
  expect(await scenario.paidEvents()).toHaveLength(1)
  await scenario.expectSound()
}

/** So many seconds pass on the chain. */
async function pass(scenario: PayoutScenario, seconds: number): Promise<void> {
  const { timestamp } = await chain.client.getBlock()
  await chain.client.setNextBlockTimestamp({ timestamp: timestamp + BigInt(seconds) })
  await scenario.mineAndFollow()
}

test.each(['USDT', 'HASH', 'JU'] as const)('%s: from asking to having it in the wallet', async (asset) => {
  await using scenario = await startPayoutScenario(chain)
  const { alice, balanceOn } = scenario
  await scenario.deposit(alice, asset, 100n * WHOLE)
  const before = await balanceOn(asset, alice)
  const first = await scenario.apply(alice, asset, 40n * WHOLE)
  expect(first).toMatchObject({ state: 'queued', amount: '40', to: alice, txHash: null, confirmations: 0 })
  expect(await scenario.balances(alice, asset)).toEqual({ available: 60n * WHOLE, held: 40n * WHOLE })
  expect(await scenario.reconcile()).toMatchObject({ finding: null })
  await scenario.payOut()
  expect(await scenario.state(first.withdrawalNo)).toBe('sending')
  await scenario.mineAndFollow()
  const { withdrawal } = await scenario.withdrawal(first.withdrawalNo)
  expect(withdrawal).toMatchObject({ state: 'confirming', confirmations: 1, confirmationsNeeded: DEPTH })
  // Gone from the contract and not from the books yet: the comparison knows.
  expect(await scenario.reconcile()).toMatchObject({ finding: null })
  await scenario.mineAndFollow(DEPTH - 1)
  expect(await scenario.credit()).toEqual({ credited: 1, failed: 0 })
  const { withdrawal: done } = await scenario.withdrawal(first.withdrawalNo)
  expect(done).toMatchObject({ state: 'done', estimatedAt: null, txHash: withdrawal.txHash })
  expect(done.timeline.map(({ state }) => state)).toEqual(['queued', 'sending', 'confirming', 'done'])
  const fee = asset === 'JU' ? WHOLE / 100n : WHOLE
  expect((await balanceOn(asset, alice)) - before).toBe(40n * WHOLE - fee)
  expect(await scenario.balances(alice, asset)).toEqual({ available: 60n * WHOLE, held: 0n })
  expect(await scenario.platform('fees', asset)).toBe(fee)
  expect(await scenario.reconcile()).toMatchObject({ paused: false, finding: null })
  await scenario.expectSound()
})

class Killed extends Error {}
const die = (): Promise<never> => Promise.reject(new Killed('killed'))

describe('a worker that ends between two steps leaves all to the next one', () => {
  type Break = (deps: PayoutDeps) => Partial<PayoutDeps>
  const moments: [string, Break, stored: number][] = [
    ['before the trial', ({ chain: real }) => ({ chain: { ...real, look: die } }), 0],
    ['before signing', ({ signer }) => ({ signer: { ...signer, sign: die } }), 0],
    [
      'after signing, before it is stored',
      ({ signer }) => ({ signer: { ...signer, sign: (call) => signer.sign(call).then(die) } }),
      0,
    ],
    ['after it is stored, before it is sent', ({ chain: real }) => ({ chain: { ...real, send: die } }), 1],
    [
      'after it was taken, before the answer came',
      ({ chain: real }) => ({ chain: { ...real, send: (raw) => real.send(raw).then(die) } }),
      1,
    ],
  ]
  test.each(moments)('%s', async (_name, broken, stored) => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario)
    const deps = await scenario.payoutDeps()
    for (let life = 0; life < 3; life++) {
      await expect(payOut({ ...deps, ...broken(deps) })).rejects.toThrow(Killed)
      expect(await scenario.transactions()).toHaveLength(stored)
    }
    await scenario.payOut()
    expect(await scenario.transactions()).toHaveLength(1)
    await expectDone(scenario, number)
  })

  test('mined while nobody looked, with the answer lost and the follower behind', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario)
    const deps = await scenario.payoutDeps()
    const lost = { ...deps.chain, send: (raw: string) => deps.chain.send(raw).then(die) }
    await expect(payOut({ ...deps, chain: lost })).rejects.toThrow(Killed)
    await chain.mine(DEPTH + 1)
    // The next life finds the nonce used and has not read these blocks.
    await scenario.payOut()
    expect(await scenario.state(number)).toBe('sending')
    await scenario.follow()
    await scenario.payOut()
    expect(await scenario.transactions()).toHaveLength(1)
    await expectDone(scenario, number)
  })
})

describe('several workers at once', () => {
  test('eight withdrawals and four workers: each is signed once, with nonces in a row', async () => {
    await using scenario = await startPayoutScenario(chain)
    await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
    await scenario.deposit(scenario.bob, 'HASH', 100n * WHOLE)
    for (let nth = 0; nth < 4; nth++) {
      await scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)
      await scenario.apply(scenario.bob, 'HASH', 10n * WHOLE)
    }
    await Promise.all(Array.from({ length: 4 }, () => scenario.payOut()))
    const sent = await scenario.transactions()
    expect(sent.map(({ nonce }) => nonce)).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n])
    expect(new Set(sent.map(({ withdrawal_id }) => withdrawal_id)).size).toBe(8)
    await scenario.mineAndFollow(DEPTH)
    expect(await scenario.credit()).toEqual({ credited: 8, failed: 0 })
    await scenario.expectSound()
  })

  test('two that replace the same stuck payout: one does', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario)
    await scenario.payOut()
    await priceOut(scenario)
    await Promise.all([scenario.payOut(), scenario.payOut(), scenario.payOut()])
    expect(await scenario.transactions()).toHaveLength(2)
    await expectDone(scenario, number)
  })
})

/** Blocks whose base fee is above what the waiting payout offers go by, for longer than anyone should wait. */
async function priceOut(scenario: PayoutScenario): Promise<void> {
  const [sent] = (await scenario.transactions()).slice(-1)
  await scenario.setBaseFee((sent?.gas_price ?? 0n) * 2n)
  await pass(scenario, 200)
  expect(await scenario.paidEvents()).toHaveLength(0)
}

describe('stuck payouts', () => {
  test('are signed again at the same nonce for at least an eighth more, and only one is mined', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario)
    await scenario.payOut()
    await scenario.payOut()
    expect(await scenario.transactions()).toHaveLength(1)
    await priceOut(scenario)
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
    const deps = await scenario.payoutDeps()
    await payOut(deps)
    await priceOut(scenario)
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
    await scenario.payOut()
    expect(await scenario.transactions()).toHaveLength(1)
    const most = { key: 'payoutGasPriceGwei', value: '1', updated_at: scenario.clock.now() }
    await scenario.db.insertInto('setting').values(most).execute()
    await priceOut(scenario)
    await scenario.payOut()
    expect(await scenario.transactions()).toHaveLength(1)
    expect(scenario.log()).toContain('offers the most it may')
    await scenario.setBaseFee((first?.gas_price ?? 0n) / 2n)
    scenario.clock.advance(7_200_000)
    await scenario.payOut()
    await expectDone(scenario, number)
  })
})

describe('reorganisations', () => {
  test('a payout that left the chain is sending again, is offered again, and is signed only once', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario)
    await scenario.payOut()
    await scenario.mineAndFollow()
    expect(await scenario.state(number)).toBe('confirming')
    await chain.reorganise(1)
    await scenario.follow()
    expect(await scenario.state(number)).toBe('sending')
    expect(await scenario.reconcile()).toMatchObject({ finding: null })
    await pass(scenario, 31)
    await scenario.payOut()
    expect(await scenario.transactions()).toHaveLength(1)
    await expectDone(scenario, number)
  })

  test('one of two transactions comes to count instead of the other', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario)
    await scenario.payOut()
    const [first] = await scenario.transactions()
    await priceOut(scenario)
    await scenario.payOut()
    await scenario.mineAndFollow()
    expect((await scenario.paidEvents())[0]?.tx_hash).not.toBe(first?.hash)
    await scenario.setBaseFee(GWEI)
    await chain.reorganise(1, [[first?.raw as Hex, 0]])
    await scenario.follow()
    await scenario.mineAndFollow(DEPTH)
    await scenario.payOut()
    expect(await scenario.transactions()).toHaveLength(2)
    await expectDone(scenario, number)
  })

  test('deeper than the confirmations: nothing new goes out, the payout is offered again and not paid twice', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario)
    await scenario.payOut()
    await scenario.mineAndFollow(DEPTH)
    await scenario.credit()
    expect(await scenario.state(number)).toBe('done')
    await chain.reorganise(DEPTH)
    await pass(scenario, 31)
    const waiting = scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)
    await expect(waiting).rejects.toMatchObject({ code: 5033 })
    expect(await scenario.reconcile()).toMatchObject({ finding: expect.stringContaining('USDT: expected') })
    await scenario.payOut()
    expect(await scenario.transactions()).toHaveLength(1)
    await scenario.mineAndFollow(DEPTH)
    expect((await scenario.paidEvents()).map(({ orphaned_at }) => orphaned_at)).toEqual([null])
    expect(await scenario.reconcile()).toMatchObject({ finding: null })
    await scenario.expectSound()
  })
})

describe('a node that does not do its part', () => {
  test('errors, hang-ups and garbage at every question: paid once when they end', async () => {
    const faults: Fault[] = ['http500', 'pass', 'hangUp', 'refuse', 'pass', 'garbage', 'pass']
    let nth = 0
    let healthy = false
    await using proxy = await startFaultyProxy(chain.url, () =>
      healthy ? 'pass' : (faults[nth++ % faults.length] ?? 'pass'),
    )
    await using scenario = await startPayoutScenario(chain, proxy.url)
    await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
    const { withdrawalNo } = await scenario.apply(scenario.alice, 'USDT', 40n * WHOLE)
    const deps = await scenario.payoutDeps()
    let failures = 0
    for (let round = 0; round < 30; round++) {
      await payOut(deps).catch((error: unknown) => {
        expect(error).toBeInstanceOf(RpcError)
        failures += 1
      })
    }
    expect(failures).toBeGreaterThan(5)
    expect((await scenario.withdrawal(withdrawalNo)).withdrawal.reason).toBeNull()
    healthy = true
    await scenario.payOut()
    expect(await scenario.transactions()).toHaveLength(1)
    await expectDone(scenario, withdrawalNo)
  })

  test('a node that forgot is told again', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario)
    await scenario.payOut()
    const [sent] = await scenario.transactions()
    await chain.client.dropTransaction({ hash: sent?.hash as Hex })
    await scenario.mineAndFollow()
    await scenario.payOut()
    await scenario.mineAndFollow()
    expect(await scenario.paidEvents()).toHaveLength(0)
    await pass(scenario, 31)
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

  test('a recipient that refuses after signing: the money is back when the used nonce is final, not before', async () => {
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
    expect(await scenario.balances(scenario.alice, 'JU')).toEqual({ available: 100n * WHOLE, held: 0n })
    await scenario.expectSound()
    // The next one goes on behind the nonce that was used up.
    await chain.client.setCode({ address: scenario.alice, bytecode: '0x' })
    const next = await scenario.apply(scenario.alice, 'JU', 20n * WHOLE)
    await scenario.payOut()
    await expectDone(scenario, next.withdrawalNo)
  })

  test('the nonce was taken by somebody else with the same key: the money is back, and the next nonce follows', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario)
    const deps = await scenario.payoutDeps()
    await expect(payOut({ ...deps, chain: { ...deps.chain, send: die } })).rejects.toThrow(Killed)
    await foreignTransaction(scenario, deps, 0n)
    await foreignTransaction(scenario, deps, 1n)
    await scenario.mineAndFollow()
    const second = await scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)
    await scenario.payOut()
    expect((await scenario.withdrawal(second.withdrawalNo)).trouble).toContain('transactions that are not ours')
    await scenario.mineAndFollow(DEPTH)
    scenario.clock.advance(60_000)
    await scenario.payOut()
    expect((await scenario.withdrawal(number)).withdrawal).toMatchObject({ state: 'failed', reason: 'reverted' })
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
  test('the day’s cap, counting what is under way; a raised cap lets it go on', async () => {
    await using scenario = await startPayoutScenario(chain)
    await scenario.deposit(scenario.alice, 'USDT', 2_000n * WHOLE)
    const first = await scenario.apply(scenario.alice, 'USDT', 600n * WHOLE)
    const second = await scenario.apply(scenario.alice, 'USDT', 500n * WHOLE)
    await scenario.payOut()
    expect(await scenario.state(first.withdrawalNo)).toBe('sending')
    const { withdrawal } = await scenario.withdrawal(second.withdrawalNo)
    expect(withdrawal).toMatchObject({ state: 'queued', reason: 'dailyCap' })
    expect(withdrawal.estimatedAt?.slice(11, 13)).toBe('00')
    await scenario.mineAndFollow(DEPTH)
    await scenario.credit()
    scenario.clock.advance(60_000)
    await scenario.payOut()
    expect(await scenario.state(second.withdrawalNo)).toBe('queued')
    const args = [scenario.addressOf.USDT, 1_100n * WHOLE] as const
    await scenario.owner(encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'setDailyCap', args }))
    await pass(scenario, 121)
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
    const setPayer = (to: Hex) =>
      scenario.owner(encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'setPayer', args: [to] }))
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
      ['NotPayer', () => setPayer(scenario.bob), () => setPayer(payer)],
      ['left for gas', () => fund(1n), () => fund(WHOLE)],
      ['gas costs', () => limit('1'), () => limit('500')],
    ]
    for (const [words, make, mend] of causes) {
      await make()
      await pass(scenario, 61)
      await scenario.payOut()
      expect(await scenario.withdrawal(number)).toMatchObject({
        trouble: expect.stringContaining(words),
        withdrawal: { state: 'queued', reason: 'paused', estimatedAt: null },
      })
      await mend()
      await pass(scenario, 1)
    }
    expect(await scenario.transactions()).toEqual([])
    await pass(scenario, 61)
    await scenario.payOut()
    await expectDone(scenario, number)
  })
})

test('the schema itself refuses another destination, another nonce, and a life after the end', async () => {
  await using scenario = await startPayoutScenario(chain)
  const number = await asked(scenario)
  const row = () => scenario.db.updateTable('withdrawal').where('withdrawal_no', '=', number)
  await expect(row().set({ to_address: scenario.bob }).execute()).rejects.toThrow('cannot be changed')
  await expect(
    scenario.db
      .insertInto('withdrawal')
      .columns([
        'withdrawal_no',
        'payout_id',
        'member_id',
        'asset',
        'amount',
        'fee',
        'to_address',
        'worth_usdt',
        'state',
        'created_at',
        'changed_at',
      ])
      .expression((eb) =>
        eb
          .selectFrom('withdrawal')
          .select([
            eb.val('OTHER123').as('no'),
            eb.val(`0x${'1'.repeat(64)}`).as('payout'),
            'member_id',
            'asset',
            'amount',
            'fee',
          ])
          .select([eb.val(scenario.bob).as('to'), 'worth_usdt', 'state', 'created_at', 'changed_at']),
      )
      .execute(),
  ).rejects.toThrow('withdrawal_member_id_to_address_fkey')
  await scenario.payOut()
  await expect(row().set({ nonce: 5n }).execute()).rejects.toThrow('has its nonce')
  await expectDone(scenario, number)
  await expect(row().set({ state: 'failed' }).execute()).rejects.toThrow('is over')
  await expect(scenario.db.deleteFrom('payout_transaction').execute()).rejects.toThrow('append-only')
  await expect(scenario.db.deleteFrom('withdrawal_step').execute()).rejects.toThrow('append-only')
  expect(scenario.addressOf.JU).toBe(NATIVE_ASSET)
})
