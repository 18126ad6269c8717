import { readFollowedBlocks } from '@candela/server/chain/payer/followed'
import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import { RpcError } from '@candela/server/chain/ask'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { type Fault, startFaultyProxy } from '@candela/testing/proxies/faulty-proxy'
import { must } from '@candela/server/kernel/assert'
import { WHOLE } from '@candela/server/modules/power/testing'
import { payOut } from '@candela/server/modules/withdraw/payout/pay-out'
import { type PayoutDeps } from '@candela/server/modules/withdraw/payout/payout-deps'
import { replaceStuck } from '@candela/server/modules/withdraw/payout/replace-payouts'
import { type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DEPTH, startPayoutScenario } from './payouts-scenario.ts'
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

describe('a worker that ends between two steps leaves all to the next one', () => {
  type Break = (deps: PayoutDeps) => Partial<PayoutDeps>
  const moments: [string, Break, stored: number][] = [
    ['before the trial', ({ chain: real }) => ({ chain: { ...real, simulatePayout: die } }), 0],
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
    const deps = scenario.payoutDeps()
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
    const deps = scenario.payoutDeps()
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
  test('eight withdrawals and four workers: each is signed once, two of a member at a time, with nonces in a row', async () => {
    await using scenario = await startPayoutScenario(chain)
    await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
    await scenario.deposit(scenario.bob, 'HASH', 100n * WHOLE)
    for (let nth = 0; nth < 4; nth++) {
      await scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)
      await scenario.apply(scenario.bob, 'HASH', 10n * WHOLE)
    }
    const payOutAtOnce = () => Promise.all(Array.from({ length: 4 }, () => scenario.payOut()))
    await payOutAtOnce()
    expect(await scenario.transactions()).toHaveLength(4)
    await scenario.mineAndFollow()
    await payOutAtOnce()
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
    await priceOut(chain, scenario)
    await Promise.all([scenario.payOut(), scenario.payOut(), scenario.payOut()])
    expect(await scenario.transactions()).toHaveLength(2)
    await expectDone(scenario, number)
  })

  test('one that asked for the gas price while another replaced the payout replaces nothing', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario)
    await scenario.payOut()
    await priceOut(chain, scenario)
    const deps = scenario.payoutDeps()
    const followed = must(await readFollowedBlocks(scenario.db, deps.confirmations), 'blocks are followed')
    const gasPrice = async (): Promise<bigint> => {
      expect(await replaceStuck(deps, followed)).toBe(1)
      return 2n * (await deps.chain.gasPrice())
    }
    expect(await replaceStuck({ ...deps, chain: { ...deps.chain, gasPrice } }, followed)).toBe(0)
    expect(await scenario.transactions()).toHaveLength(2)
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
    await pass(chain, scenario, 31)
    await scenario.payOut()
    expect(await scenario.transactions()).toHaveLength(1)
    await expectDone(scenario, number)
  })

  test('one of two transactions comes to count instead of the other', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario)
    await scenario.payOut()
    const [first] = await scenario.transactions()
    await priceOut(chain, scenario)
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
    await pass(chain, scenario, 31)
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
    // Nothing is paid without a comparison, which this node answers as well.
    let healthy = true
    await using proxy = await startFaultyProxy(chain.url, () =>
      healthy ? 'pass' : (faults[nth++ % faults.length] ?? 'pass'),
    )
    await using scenario = await startPayoutScenario(chain, proxy.url)
    await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
    const { withdrawalNo } = await scenario.apply(scenario.alice, 'USDT', 40n * WHOLE)
    const deps = scenario.payoutDeps()
    healthy = false
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
    await pass(chain, scenario, 31)
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
