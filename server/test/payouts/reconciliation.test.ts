import { erc20Abi } from '@candela/protocol/abi/erc20'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { listTroubledPayments } from '@candela/server/chain/follow/status'
import { transaction } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import { auditLedger } from '@candela/server/ledger/audit'
import { platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { WHOLE } from '@candela/server/modules/power/testing'
import { explainPayout } from '@candela/server/modules/withdraw/payout/lost/explain-payout'
import { bookDifference } from '@candela/server/modules/reconcile/book-difference'
import { payOut } from '@candela/server/modules/withdraw/payout/pay-out'
import { randomUUID } from 'node:crypto'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEPTH, type PayoutScenario, startPayoutScenario } from './payouts-scenario.ts'
import { testMemo } from '../../src/ledger/testing/testing-memo.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

/** Makes the books say that the contract holds one base unit more, or less. */
async function shiftBooks({ db, clock }: PayoutScenario, asset: 'JU' | 'USDT', amount: bigint): Promise<void> {
  const [custody, suspense] = [platformAccount('custody', asset), platformAccount('suspense', asset)]
  const leg = amount > 0n ? { debit: custody, credit: suspense } : { debit: suspense, credit: custody }
  const legs = [{ ...leg, amount: amount < 0n ? -amount : amount }]
  await transaction(db, (tx) =>
    post(tx, { id: randomUUID(), kind: 'deposit', legs, memo: testMemo(), occurredAt: clock.now() }),
  )
}

/** Tokens sent to the contract's address by a plain transfer. */
const sendToken = (scenario: PayoutScenario, from: Hex, amount: bigint) =>
  chain.send(
    from,
    chain.usdt,
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [scenario.gateway, amount] }),
  )

/** All that was paid in is owed to somebody, also while it is under way; the platform has nothing but fees of payouts. */
async function expectCovered(scenario: PayoutScenario): Promise<void> {
  const solvency = must(await scenario.solvency(), 'a comparison was made')
  for (const { asset, held, owed } of solvency.assets) {
    const surplus = toBaseUnits(held) - toBaseUnits(owed)
    const [isCovered, isClose] = [surplus >= 0n, surplus <= toBaseUnits(held) / 20n]
    expect({ asset, held, owed, isCovered, isClose }).toMatchObject({ isCovered: true, isClose: true })
  }
}

describe('equal', () => {
  test('at every block of deposits and payouts under way, credited or not', async () => {
    await using scenario = await startPayoutScenario(chain)
    await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
    await scenario.deposit(scenario.bob, 'JU', 10n * WHOLE)
    for (let round = 0; round < 4; round++) {
      await scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)
      await scenario.apply(scenario.bob, 'JU', WHOLE)
      await sendToken(scenario, scenario.bob, 7n * WHOLE)
      await scenario.payOut()
      await scenario.mineAndFollow()
      expect(await scenario.reconcile()).toMatchObject({ paused: false, finding: null })
      await expectCovered(scenario)
      await scenario.credit()
      expect(await scenario.reconcile()).toMatchObject({ paused: false, finding: null })
      await expectCovered(scenario)
    }
    await scenario.mineAndFollow(DEPTH)
    await scenario.credit()
    expect(await scenario.reconcile()).toMatchObject({ finding: null })
    await scenario.expectSound()
  })

  test('while credits, payouts and comparisons run at the same time', async () => {
    await using scenario = await startPayoutScenario(chain)
    await scenario.deposit(scenario.alice, 'USDT', 500n * WHOLE)
    const findings: (string | null | undefined)[] = []
    for (let round = 0; round < 12; round++) {
      await scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)
      await sendToken(scenario, scenario.bob, 3n * WHOLE)
      await chain.mine()
      const [, , , first, second] = await Promise.all([
        scenario.follow(),
        scenario.credit(),
        scenario.payOut(),
        scenario.reconcile(),
        scenario.reconcile(),
      ])
      findings.push(first?.finding, second?.finding)
    }
    expect(findings).toHaveLength(24)
    expect(findings.filter((finding) => finding !== null && finding !== undefined)).toEqual([])
    await scenario.mineAndFollow(DEPTH)
    await scenario.credit()
    await scenario.payOut()
    await scenario.mineAndFollow(DEPTH)
    await scenario.credit()
    await scenario.expectSound()
  })
})

describe('one base unit', () => {
  test.each([1n, -1n])(
    '%s too many in the books: paused after three rounds, and on with the first equal one',
    async (off) => {
      await using scenario = await startPayoutScenario(chain)
      await sendToken(scenario, scenario.stranger, 5n)
      await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
      const queued = await scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)
      await shiftBooks(scenario, 'USDT', off)
      const words = `difference ${fromBaseUnits(-off)}`
      for (const paused of [false, false, true, true]) {
        expect(await scenario.reconcile()).toMatchObject({ paused, finding: expect.stringContaining(words) })
      }
      await expect(scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)).rejects.toMatchObject({ code: 5033 })
      await scenario.payOut()
      expect((await scenario.withdrawal(queued.withdrawalNo)).withdrawal).toMatchObject({
        state: 'queued',
        reason: 'paused',
      })
      expect(scenario.log()).toContain('withdrawals are paused')
      await shiftBooks(scenario, 'USDT', -off)
      expect(await scenario.reconcile()).toMatchObject({ paused: false, finding: null })
      scenario.clock.advance(60_000)
      await scenario.payOut()
      await scenario.mineAndFollow(DEPTH)
      await scenario.credit()
      expect(await scenario.state(queued.withdrawalNo)).toBe('done')
      await scenario.expectSound()
    },
  )

  test('a difference that comes and goes pauses nothing', async () => {
    await using scenario = await startPayoutScenario(chain)
    await scenario.deposit(scenario.alice, 'USDT', WHOLE)
    for (let round = 0; round < 3; round++) {
      await shiftBooks(scenario, 'USDT', 1n)
      expect(await scenario.reconcile()).toMatchObject({ paused: false })
      expect(await scenario.reconcile()).toMatchObject({ paused: false })
      await shiftBooks(scenario, 'USDT', -1n)
      expect(await scenario.reconcile()).toMatchObject({ paused: false, finding: null })
    }
  })

  test('forced native currency is shown and cannot stop withdrawals; a lack of it does', async () => {
    await using scenario = await startPayoutScenario(chain)
    await scenario.deposit(scenario.alice, 'JU', 10n * WHOLE)
    const set = (value: bigint) => chain.client.setBalance({ address: scenario.gateway, value })
    await set(10n * WHOLE + 1n)
    await scenario.mineAndFollow()
    for (let round = 0; round < 4; round++) {
      expect(await scenario.reconcile()).toMatchObject({
        paused: false,
        finding: expect.stringContaining('JU: expected 10'),
      })
    }
    const now = scenario.clock.now()
    const book = (difference: bigint) =>
      transaction(scenario.db, (tx) => bookDifference(tx, { asset: 'JU', difference, note: 'forced' }, now))
    expect(await book(2n)).toBe(false)
    expect(await book(1n)).toBe(true)
    expect(await book(1n)).toBe(false)
    expect(await scenario.platform('suspense', 'JU')).toBe(1n)
    expect(await scenario.reconcile()).toMatchObject({ finding: null })
    await set(10n * WHOLE)
    await scenario.mineAndFollow()
    for (const paused of [false, false, true]) expect(await scenario.reconcile()).toMatchObject({ paused })
    expect(await book(-1n)).toBe(true)
    expect(await scenario.reconcile()).toMatchObject({ paused: false, finding: null })
    expect(await auditLedger(scenario.db)).toEqual([])
  })
})

describe('a surplus that was tolerated', () => {
  test('does not hide a loss of as much, or of a part of it, until an operator explains what is left', async () => {
    await using scenario = await startPayoutScenario(chain)
    await scenario.deposit(scenario.alice, 'JU', 10n * WHOLE)
    const set = async (value: bigint) => {
      await chain.client.setBalance({ address: scenario.gateway, value })
      await scenario.mineAndFollow()
    }
    const book = (difference: bigint) =>
      transaction(scenario.db, (tx) =>
        bookDifference(tx, { asset: 'JU', difference, note: 'explained' }, scenario.clock.now()),
      )
    const expectRounds = async (...expected: boolean[]) => {
      for (const paused of expected) expect(await scenario.reconcile()).toMatchObject({ paused })
    }
    await set(10n * WHOLE + 5n)
    await expectRounds(false, false, false, false)
    // All of it is gone: the books and the chain say the same.
    await set(10n * WHOLE)
    await expectRounds(false, false, true, true)
    expect(await scenario.reconcile()).toMatchObject({
      finding: expect.stringContaining('surplus of 0.000000000000000005'),
    })
    expect(await book(1n)).toBe(false)
    expect(await book(0n)).toBe(true)
    expect(await book(0n)).toBe(false)
    expect(await scenario.reconcile()).toMatchObject({ paused: false, finding: null })
    expect(await book(0n)).toBe(false)
    // A part of another one is gone.
    await set(10n * WHOLE + 5n)
    await expectRounds(false, false, false)
    await set(10n * WHOLE + 2n)
    await expectRounds(false, false, true)
    expect(await book(2n)).toBe(true)
    await expectRounds(false, false, false)
    // A booked difference belongs to the books: a lack of it shows at once.
    await set(10n * WHOLE + 1n)
    await expectRounds(false, false, true)
    expect(await book(-1n)).toBe(true)
    await expectRounds(false)
    expect(await scenario.platform('suspense', 'JU')).toBe(2n)
    expect(await auditLedger(scenario.db)).toEqual([])
  })

  test('for less than three comparisons is no figure: a node that errs once cannot pause withdrawals', async () => {
    await using scenario = await startPayoutScenario(chain)
    await scenario.deposit(scenario.alice, 'JU', 10n * WHOLE)
    for (const value of [10n * WHOLE + 5n, 10n * WHOLE]) {
      await chain.client.setBalance({ address: scenario.gateway, value })
      await scenario.mineAndFollow()
      for (let round = 0; round < 2; round++) expect(await scenario.reconcile()).toMatchObject({ paused: false })
    }
    for (let round = 0; round < 3; round++)
      expect(await scenario.reconcile()).toMatchObject({ paused: false, finding: null })
  })
})

test('tokens sent without calling the contract: on their sender’s balance, or in suspense', async () => {
  await using scenario = await startPayoutScenario(chain)
  await sendToken(scenario, scenario.alice, 5n)
  await sendToken(scenario, scenario.stranger, 6n)
  await sendToken(scenario, scenario.stranger, 0n)
  await scenario.mineAndFollow(DEPTH)
  expect(await scenario.reconcile()).toMatchObject({ finding: null })
  expect(await scenario.credit()).toEqual({ credited: 2, failed: 0 })
  expect((await scenario.balances(scenario.alice, 'USDT')).available).toBe(5n)
  expect(await scenario.platform('suspense', 'USDT')).toBe(6n)
  await scenario.expectSound()
})

test('a payout that is not ours: visible, never credited, and it pauses withdrawals until it is explained', async () => {
  await using scenario = await startPayoutScenario(chain)
  await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
  const deps = scenario.payoutDeps()
  const args = [`0x${'7'.repeat(64)}`, chain.usdt, scenario.stranger, 3n] as const
  const data = encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'pay', args })
  const call = { nonce: 0n, gasPrice: 100n * 10n ** 9n, gas: 400_000n, to: scenario.gateway, data }
  await deps.chain.send((await deps.signer.sign(call)).raw)
  await scenario.mineAndFollow(DEPTH)
  // A difference waits for another round; this does not.
  expect(await scenario.reconcile()).toMatchObject({ paused: true, finding: expect.stringContaining('USDT') })
  expect(await scenario.credit()).toEqual({ credited: 0, failed: 1 })
  expect(await listTroubledPayments(scenario.db)).toMatchObject([
    { trouble: 'failing', amount: 3n, reason: expect.stringContaining('is no withdrawal of ours') },
  ])
  expect(scenario.log()).toContain('is no withdrawal of ours')
  await expect(scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)).rejects.toMatchObject({ code: 5033 })
  const now = scenario.clock.now()
  const explained = { asset: 'USDT', difference: -3n, note: 'paid by hand' } as const
  expect(await transaction(scenario.db, (tx) => bookDifference(tx, explained, now))).toBe(true)
  expect(await scenario.reconcile()).toMatchObject({ paused: true })
  const [trouble] = await listTroubledPayments(scenario.db)
  const known = { eventId: trouble?.eventId ?? 0n, note: 'paid by hand', isBooked: true }
  expect(await transaction(scenario.db, (tx) => explainPayout(tx, known, now))).toMatchObject({ amount: 3n })
  expect(await scenario.reconcile()).toMatchObject({ paused: false, finding: null })
  const { withdrawalNo } = await scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)
  await scenario.payOut()
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  expect(await scenario.state(withdrawalNo)).toBe('done')
  expect((await scenario.transactions()).map(({ nonce }) => nonce)).toEqual([1n])
})

test('a node that cannot say leaves what was found before', async () => {
  await using scenario = await startPayoutScenario(chain)
  await scenario.deposit(scenario.alice, 'USDT', WHOLE)
  await scenario.reconcile()
  // The last followed block is off the chain, and the follower has not seen it.
  await chain.reorganise(2)
  await expect(scenario.reconcile()).rejects.toThrow(/at block|balance of/)
  const runs = await scenario.db.selectFrom('reconciliation').select('finding').execute()
  expect(runs).toEqual([{ finding: null }])
  await scenario.follow()
  expect(await scenario.reconcile()).toMatchObject({ finding: null })
})

test('payouts need a comparison that is recent and equal: without one nothing is taken and nothing is signed', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { alice, applyNow, payoutDeps } = scenario
  await scenario.deposit(alice, 'USDT', 100n * WHOLE)
  await expect(applyNow(alice, 'USDT', 10n * WHOLE)).rejects.toMatchObject({ code: 5033 })
  await scenario.reconcile()
  const { withdrawalNo } = await applyNow(alice, 'USDT', 10n * WHOLE)
  const payOutNow = async () => {
    while (await payOut(payoutDeps()));
  }
  const expectWaiting = async () => {
    await payOutNow()
    expect(await scenario.withdrawal(withdrawalNo)).toMatchObject({
      lastFailure: 'no comparison of the last 10 minutes has found the books and the chain equal',
      withdrawal: { state: 'queued', reason: 'paused' },
    })
    await expect(applyNow(alice, 'USDT', 10n * WHOLE)).rejects.toMatchObject({ code: 5033 })
  }
  scenario.clock.advance(600_001)
  await expectWaiting()
  expect(scenario.log()).toContain('no comparison of the last 10 minutes')
  await scenario.mineAtClock()
  // One that finds a difference is no such comparison, although it does not pause by itself yet.
  await shiftBooks(scenario, 'USDT', 1n)
  expect(await scenario.reconcile()).toMatchObject({ paused: false })
  scenario.clock.advance(60_000)
  await expectWaiting()
  await shiftBooks(scenario, 'USDT', -1n)
  // Nor is one at a block that is old itself: the node stands still.
  scenario.clock.advance(600_001)
  expect(await scenario.reconcile()).toMatchObject({ finding: null })
  await expectWaiting()
  scenario.clock.advance(61_000)
  await scenario.mineAtClock()
  expect(await scenario.reconcile()).toMatchObject({ finding: null })
  await payOutNow()
  expect(await scenario.state(withdrawalNo)).toBe('sending')
  await applyNow(alice, 'USDT', 10n * WHOLE)
})
