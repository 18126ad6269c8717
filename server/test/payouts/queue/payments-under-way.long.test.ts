import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WHOLE } from '@candela/server/modules/power/testing'
import { payOut } from '@candela/server/modules/withdraw/payout/pay-out'
import { PAYOUT_GAS } from '@candela/server/modules/withdraw/payout/payout-deps'
import { withMargin } from '@candela/server/modules/withdraw/payout/sign-payout'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { DEPTH, type PayoutScenario, refusingCode, startPayoutScenario } from '../payouts-scenario.ts'
import { asked } from '../payouts-steps.ts'

/** A payment that is signed and not yet final counts: against the money of the contract, the payer's gas, and the member's turn. */

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())
afterEach(async () => {
  for (const address of chain.payers.slice(0, 3)) await chain.client.setCode({ address, bytecode: '0x' })
})

/** Both members, each with 100 JU, ask: 40 for one of them, then 40 for the other. */
async function bothAsk(scenario: PayoutScenario): Promise<[string, string]> {
  await scenario.deposit(scenario.bob, 'JU', 100n * WHOLE)
  const first = await asked(scenario, 'JU')
  return [first, (await scenario.apply(scenario.bob, 'JU', 40n * WHOLE)).withdrawalNo]
}

const contractHolds = (scenario: PayoutScenario, value: bigint) =>
  chain.client.setBalance({ address: scenario.gateway, value })

test('a payment waits while the contract holds too little for it beside those under way', async () => {
  await using scenario = await startPayoutScenario(chain)
  const [first, second] = await bothAsk(scenario)
  await contractHolds(scenario, 60n * WHOLE)
  await scenario.payOut()
  expect(await scenario.state(first)).toBe('sending')
  expect(await scenario.withdrawal(second)).toMatchObject({
    lastFailure: expect.stringContaining('the contract holds'),
    withdrawal: { state: 'queued', reason: 'paused' },
  })
  await contractHolds(scenario, 200n * WHOLE)
  scenario.clock.advance(60_000)
  await scenario.payOut()
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  expect([await scenario.state(first), await scenario.state(second)]).toEqual(['done', 'done'])
  await scenario.expectSound()
})

test('a payment that has reverted is no more under way, before that is final', async () => {
  await using scenario = await startPayoutScenario(chain)
  const reverting = await asked(scenario, 'JU')
  await scenario.deposit(scenario.bob, 'JU', 100n * WHOLE)
  await scenario.payOut()
  await chain.client.setCode({ address: scenario.alice, bytecode: refusingCode })
  await scenario.mineAndFollow()
  const other = await scenario.apply(scenario.bob, 'JU', 40n * WHOLE)
  await contractHolds(scenario, 60n * WHOLE)
  await scenario.payOut()
  expect([await scenario.state(reverting), await scenario.state(other.withdrawalNo)]).toEqual(['sending', 'sending'])
  await contractHolds(scenario, 200n * WHOLE)
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  await scenario.payOut()
  expect([await scenario.state(reverting), await scenario.state(other.withdrawalNo)]).toEqual(['failed', 'done'])
  await scenario.expectSound()
})

test('a payment waits while the payer has gas only for those under way', async () => {
  await using scenario = await startPayoutScenario(chain)
  const [first, second] = await bothAsk(scenario)
  const price = withMargin(await scenario.payoutDeps().chain.gasPrice())
  await chain.client.setBalance({ address: scenario.payer, value: (PAYOUT_GAS * price * 3n) / 2n })
  await scenario.payOut()
  expect(await scenario.state(first)).toBe('sending')
  expect(await scenario.withdrawal(second)).toMatchObject({
    lastFailure: expect.stringContaining('left for gas'),
    withdrawal: { state: 'queued', reason: 'paused' },
  })
})

test('a worker that is late signs nothing for a member of whom others have signed as much as may be under way', async () => {
  await using scenario = await startPayoutScenario(chain)
  await scenario.deposit(scenario.alice, 'USDT', 100n * WHOLE)
  const numbers: string[] = []
  for (let at = 0; at < 3; at++) {
    numbers.push((await scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)).withdrawalNo)
  }
  const states = () => Promise.all(numbers.map((number) => scenario.state(number)))
  const deps = scenario.payoutDeps()
  const chosen = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const late = payOut({
    ...deps,
    chain: {
      ...deps.chain,
      simulatePayout: async (...args) => {
        const simulation = await deps.chain.simulatePayout(...args)
        chosen.resolve()
        await goOn.promise
        return simulation
      },
    },
  })
  await chosen.promise
  // Another worker's node refuses the first withdrawal for a moment, so that the next two are signed.
  const [first] = await scenario.db.selectFrom('withdrawal').select('payout_id').orderBy('id').execute()
  const refusing: typeof deps.chain.simulatePayout = async (at, payer, terms, offer) => {
    const simulation = await deps.chain.simulatePayout(at, payer, terms, offer)
    return terms.payoutId === first?.payout_id ? { ...simulation, refusal: 'AlreadyPaid' } : simulation
  }
  const other = { ...deps, chain: { ...deps.chain, simulatePayout: refusing } }
  for (let rounds = 0; rounds < 2; rounds++) await payOut(other)
  expect(await states()).toEqual(['queued', 'sending', 'sending'])
  goOn.resolve()
  await late
  expect(await states()).toEqual(['queued', 'sending', 'sending'])
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  scenario.clock.advance(60_000)
  await scenario.payOut()
  expect(await states()).toEqual(['sending', 'done', 'done'])
})

/** A worker that has chosen what to sign and tried it, and waits until something has happened. */
const signAfter = async (scenario: PayoutScenario, happen: () => Promise<unknown>) => {
  const deps = scenario.payoutDeps()
  let has: Promise<unknown> | null = null
  const simulatePayout: typeof deps.chain.simulatePayout = async (...args) => {
    const simulation = await deps.chain.simulatePayout(...args)
    await (has ??= happen())
    return simulation
  }
  await payOut({ ...deps, chain: { ...deps.chain, simulatePayout } })
}

describe('what became known after a round had chosen what to sign counts when it is signed', () => {
  test('what another worker has signed meanwhile: the cap', async () => {
    await using scenario = await startPayoutScenario(chain)
    await scenario.deposit(scenario.alice, 'USDT', 2_000n * WHOLE)
    const first = (await scenario.apply(scenario.alice, 'USDT', 600n * WHOLE)).withdrawalNo
    let other = ''
    await signAfter(scenario, async () => {
      other = (await scenario.apply(scenario.alice, 'USDT', 700n * WHOLE)).withdrawalNo
      await scenario.db
        .updateTable('withdrawal')
        .set({ try_at: new Date('2999-01-01') })
        .where('withdrawal_no', '=', first)
        .execute()
      await scenario.payOut()
    })
    expect([await scenario.state(first), await scenario.state(other)]).toEqual(['queued', 'sending'])
    expect(await scenario.withdrawal(first)).toMatchObject({ withdrawal: { reason: 'dailyCap' } })
  })

  test('what another worker has signed meanwhile: what the contract holds', async () => {
    await using scenario = await startPayoutScenario(chain)
    const [first] = [await asked(scenario, 'JU')]
    await scenario.deposit(scenario.bob, 'JU', 100n * WHOLE)
    await contractHolds(scenario, 60n * WHOLE)
    let other = ''
    await signAfter(scenario, async () => {
      other = (await scenario.apply(scenario.bob, 'JU', 50n * WHOLE)).withdrawalNo
      await scenario.db
        .updateTable('withdrawal')
        .set({ try_at: new Date('2999-01-01') })
        .where('withdrawal_no', '=', first)
        .execute()
      await scenario.payOut()
    })
    expect([await scenario.state(first), await scenario.state(other)]).toEqual(['queued', 'sending'])
  })

  test('what another worker has signed meanwhile: sixteen', async () => {
    await using scenario = await startPayoutScenario(chain)
    await scenario.deposit(scenario.alice, 'JU', 1_000n * WHOLE)
    const first = (await scenario.apply(scenario.alice, 'JU', 5n * WHOLE)).withdrawalNo
    await signAfter(scenario, async () => {
      await scenario.db
        .updateTable('withdrawal')
        .set({ try_at: new Date('2999-01-01') })
        .where('withdrawal_no', '=', first)
        .execute()
      for (let nth = 0; nth < 17; nth++)
        await scenario.apply(await scenario.addGuest({ JU: 10n * WHOLE }), 'JU', 5n * WHOLE)
      await scenario.payOut()
    })
    expect(await scenario.transactions()).toHaveLength(16)
    expect((await scenario.withdrawal(first)).withdrawal).toMatchObject({ state: 'queued', reason: null })
  })

  test('a pause', async () => {
    await using scenario = await startPayoutScenario(chain)
    const number = await asked(scenario)
    const halt = (halted_reason: string | null) =>
      scenario.db.updateTable('chain_cursor').set({ halted_reason }).execute()
    await signAfter(scenario, () => halt('a test'))
    expect(await scenario.withdrawal(number)).toMatchObject({
      lastFailure: 'crediting is halted',
      withdrawal: { state: 'queued', reason: 'paused' },
    })
    await halt(null)
    await scenario.payOut()
    expect(await scenario.state(number)).toBe('sending')
  })
})
