import { transaction } from '@candela/server/db/open'
import { WHOLE } from '@candela/server/modules/power/testing'
import { endLostPayouts } from '@candela/server/modules/withdraw/payout/lost/end-lost-payouts'
import { giveUp } from '@candela/server/modules/withdraw/payout/lost/give-up'
import { payOut } from '@candela/server/modules/withdraw/payout/pay-out'
import { gatewayView } from '@candela/server/chain/payout/payout-chain'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { startLyingProxy } from '@candela/testing/proxies/lying-proxy'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { DEPTH, type PayoutScenario, startPayoutScenario } from './payouts-scenario.ts'
import { pass } from './payouts-steps.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true, rules: 'juchain' })
})
afterEach(() => chain.blocked.clear())
afterAll(() => chain.stop())

async function applied(scenario: PayoutScenario, amount = 10n * WHOLE): Promise<string> {
  await scenario.deposit(scenario.alice, 'JU', 100n * WHOLE)
  return (await scenario.apply(scenario.alice, 'JU', amount)).withdrawalNo
}

/** A payout that is signed, and that the chain refuses. */
async function refused(scenario: PayoutScenario, address: string): Promise<string> {
  const number = await applied(scenario)
  chain.blocked.add(address)
  await scenario.payOut()
  const { withdrawal, lastFailure } = await scenario.withdrawal(number)
  expect(withdrawal).toMatchObject({ state: 'sending', reason: 'paused', blocked: true, estimatedAt: null })
  expect(lastFailure).toContain('blacklist')
  expect(scenario.log()).toContain('"event":"payout.blocked"')
  return number
}

const done = async (scenario: PayoutScenario, number: string) => {
  await scenario.mineAndFollow(DEPTH)
  expect(await scenario.credit()).toMatchObject({ failed: 0 })
  expect(await scenario.state(number)).toBe('done')
}

test('a payout that the chain refuses by its block list says so, and is paid when it is taken from the list', async () => {
  await using scenario = await startPayoutScenario(chain, chain.url)
  const number = await refused(scenario, scenario.gateway)
  // Nothing is signed behind it, because nothing behind it could be mined; and a better price does not help.
  await scenario.deposit(scenario.bob, 'JU', 100n * WHOLE)
  const next = await scenario.apply(scenario.bob, 'JU', WHOLE)
  await pass(chain, scenario, 600)
  await scenario.payOut()
  expect(await scenario.transactions()).toHaveLength(1)
  expect((await scenario.withdrawal(next.withdrawalNo)).lastFailure).toContain(`the chain refuses ${number}`)

  chain.blocked.clear()
  await pass(chain, scenario, 60)
  await scenario.payOut()
  const paying = (await scenario.withdrawal(number)).withdrawal
  expect([paying.reason, paying.blocked]).toEqual([null, undefined])
  await done(scenario, number)
  await pass(chain, scenario, 60)
  await scenario.payOut()
  await done(scenario, next.withdrawalNo)
  await scenario.expectSound()
})

test('operators give it up: an empty transaction uses its nonce, then the money goes back, and others go on', async () => {
  await using scenario = await startPayoutScenario(chain, chain.url)
  const give = (number: string) => transaction(scenario.db, (tx) => giveUp(tx, number, scenario.clock.now()))
  const number = await refused(scenario, scenario.gateway)
  expect(await give(number)).toBe(true)
  expect(await give(number)).toBe(false)
  await scenario.payOut()
  const [payment, empty] = await scenario.transactions()
  expect([payment?.is_empty, empty?.is_empty, empty?.nonce]).toEqual([false, true, payment?.nonce])
  const { withdrawal } = await scenario.withdrawal(number)
  expect([withdrawal.txHash, withdrawal.timeline.length]).toEqual([payment?.hash, 2])
  for (let depth = 1; depth < DEPTH; depth++) {
    await scenario.mineAndFollow()
    await scenario.payOut()
    expect(await scenario.state(number)).toBe('sending')
  }
  await scenario.mineAndFollow()
  await scenario.payOut()
  expect((await scenario.withdrawal(number)).withdrawal).toMatchObject({ state: 'failed', reason: 'unpaid' })
  expect(await scenario.balances(scenario.alice, 'JU')).toEqual({ available: 100n * WHOLE, held: 0n })
  chain.blocked.clear()
  const next = await scenario.apply(scenario.alice, 'JU', WHOLE)
  await scenario.payOut()
  await done(scenario, next.withdrawalNo)
  await scenario.expectSound()
})

test('one that the chain takes is not given up', async () => {
  await using scenario = await startPayoutScenario(chain, chain.url)
  const number = await applied(scenario)
  await scenario.payOut()
  expect(await transaction(scenario.db, (tx) => giveUp(tx, number, scenario.clock.now()))).toBe(false)
})

test('given up, and mined all the same: it is paid, once', async () => {
  await using scenario = await startPayoutScenario(chain, chain.url)
  const number = await refused(scenario, scenario.gateway)
  expect(await transaction(scenario.db, (tx) => giveUp(tx, number, scenario.clock.now()))).toBe(true)
  chain.blocked.clear()
  const [payment] = await scenario.transactions()
  await scenario.payoutDeps().chain.send(payment?.raw ?? '')
  await scenario.mineAndFollow()
  await scenario.payOut()
  await done(scenario, number)
  expect(await scenario.paidEvents()).toHaveLength(1)
  await scenario.expectSound()
})

test('a payer that is blocked gives way to its standby, and what it has signed ends', async () => {
  await using scenario = await startPayoutScenario(chain, chain.url)
  const number = await refused(scenario, scenario.payer)
  await chain.mined(await scenario.switchPayer())
  await scenario.mineAndFollow(DEPTH)
  const contract = gatewayView(scenario.nodes.client, scenario.gateway)
  const terms = { contract, depth: DEPTH, now: scenario.clock.now() }
  const ended = await transaction(scenario.db, (tx) => endLostPayouts(tx, scenario.payer, terms))
  expect(ended).toMatchObject({ ended: [number] })
  expect(await scenario.state(number)).toBe('failed')
  const next = await scenario.apply(scenario.alice, 'JU', WHOLE)
  await scenario.payOut({ signer: scenario.standbySigner })
  await done(scenario, next.withdrawalNo)
})

test('a node that refuses to try the payment of a blocked recipient holds up nobody else', async () => {
  const words = { code: -32_000, message: 'sender or receiver of the transaction is in blacklist' }
  let isBlocking = false
  await using proxy = await startLyingProxy(
    chain.url,
    (calls) => (answers) =>
      answers.map((answer) => {
        const call = calls.find(({ id }) => id === answer.id)
        const asked = JSON.stringify(call?.params ?? [])
        const isHers = isBlocking && call?.method === 'eth_call' && asked.includes(`${'0'.repeat(24)}${alice}`)
        return isHers ? { id: answer.id, error: words } : answer
      }),
  )
  await using scenario = await startPayoutScenario(chain, proxy.url)
  const alice = scenario.alice.slice(2)
  const hers = await applied(scenario)
  await scenario.deposit(scenario.bob, 'JU', 100n * WHOLE)
  const his = await scenario.apply(scenario.bob, 'JU', WHOLE)
  isBlocking = true
  while (await payOut(scenario.payoutDeps()));
  expect((await scenario.withdrawal(hers)).withdrawal).toMatchObject({
    state: 'queued',
    reason: 'paused',
    blocked: true,
  })
  expect((await scenario.withdrawal(hers)).lastFailure).toContain('on a block list')
  expect(await scenario.state(his.withdrawalNo)).toBe('sending')
})
