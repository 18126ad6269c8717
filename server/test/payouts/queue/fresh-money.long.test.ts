import { WHOLE } from '@candela/server/modules/power/testing'
import { DAY_MS } from '@candela/protocol/units'
import { readCapFigures } from '@candela/server/modules/withdraw/wait/cap-use'
import { startOperators } from '@candela/server/operator/testing-operators'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEPTH, type PayoutScenario, startPayoutScenario } from '../payouts-scenario.ts'
import { pass } from '../payouts-steps.ts'

/** The contract of these tests pays at most 1,000 of an asset in 24 hours, of which fresh money has a half. */

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

const DAY_S = DAY_MS / 1_000

/** A service in which fresh money has half of the cap. */
async function startShared() {
  const scenario = await startPayoutScenario(chain)
  await scenario.db.updateTable('setting').set({ value: '50' }).where('key', '=', 'freshCapPercent').execute()
  return scenario
}

const ask = async (scenario: PayoutScenario, owner: Hex, received: bigint) =>
  (await scenario.apply(owner, 'USDT', (received + 1n) * WHOLE)).withdrawalNo

async function settle(scenario: PayoutScenario): Promise<void> {
  await scenario.payOut()
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
}

const freshOf = async (scenario: PayoutScenario, withdrawalNo: string) => {
  const row = await scenario.db
    .selectFrom('withdrawal')
    .select('fresh_amount')
    .where('withdrawal_no', '=', withdrawalNo)
    .executeTakeFirstOrThrow()
  return row.fresh_amount / WHOLE
}

test('money that goes round uses up its share of the cap and no more; money that was there a day goes on', async () => {
  await using scenario = await startShared()
  const { alice, bob } = scenario
  await scenario.deposit(alice, 'USDT', 451n * WHOLE)
  await pass(chain, scenario, DAY_S)
  const round: string[] = []
  for (let times = 0; times < 4; times++) {
    await scenario.deposit(bob, 'USDT', 201n * WHOLE)
    round.push(await ask(scenario, bob, 200n))
    await settle(scenario)
  }
  const states = await Promise.all(round.map((number) => scenario.state(number)))
  expect(states).toEqual(['done', 'done', 'queued', 'queued'])
  expect(await scenario.withdrawal(round[2] ?? '')).toMatchObject({
    lastFailure: expect.stringContaining('fresh money'),
    withdrawal: { reason: 'dailyCap' },
  })
  const honest = await ask(scenario, alice, 450n)
  expect(await freshOf(scenario, honest)).toBe(0n)
  await settle(scenario)
  expect(await scenario.state(honest)).toBe('done')
  // After a day it is old by itself.
  await pass(chain, scenario, DAY_S)
  await settle(scenario)
  expect(await Promise.all(round.map((number) => scenario.state(number)))).toEqual(['done', 'done', 'done', 'done'])
  await scenario.expectSound()
})

test('old money is taken first, once; a transfer, an exchange of accounts and a return make nothing old', async () => {
  await using scenario = await startShared()
  const { alice, bob } = scenario
  await scenario.deposit(alice, 'USDT', 101n * WHOLE)
  await pass(chain, scenario, DAY_S)
  await scenario.deposit(alice, 'USDT', 50n * WHOLE)
  // 101 are old; of the 120 that are taken with the fee 19 are not.
  const first = await ask(scenario, alice, 119n)
  expect(await freshOf(scenario, first)).toBe(18n)
  await settle(scenario)
  // The amount that was paid out comes back, and is fresh.
  await scenario.deposit(alice, 'USDT', 119n * WHOLE)
  expect(await freshOf(scenario, await ask(scenario, alice, 100n))).toBe(100n)
  await settle(scenario)
  // The amount that an old account gives to a new one is fresh there.
  await scenario.deposit(bob, 'USDT', 100n * WHOLE)
  await pass(chain, scenario, DAY_S)
  const guest = await scenario.addGuest({ USDT: 20n * WHOLE })
  expect(await freshOf(scenario, await ask(scenario, guest, 10n))).toBe(10n)
  expect(await freshOf(scenario, await ask(scenario, bob, 10n))).toBe(0n)
})

test('what another withdrawal has set aside is old for that one alone', async () => {
  await using scenario = await startShared()
  const { alice } = scenario
  await scenario.deposit(alice, 'USDT', 100n * WHOLE)
  await pass(chain, scenario, DAY_S)
  await scenario.deposit(alice, 'USDT', 100n * WHOLE)
  const first = await ask(scenario, alice, 79n)
  expect(await freshOf(scenario, first)).toBe(0n)
  // 20 are left of what is old.
  expect(await freshOf(scenario, await ask(scenario, alice, 39n))).toBe(19n)
})

test('the operator sees who uses the cap, with those whom they have invited, and is called', async () => {
  await using scenario = await startShared()
  const { alice, bob, db, clock } = scenario
  const operators = await startOperators(scenario.url, clock)
  const cap = { asset: 'USDT' as const, cap: 1_000n * WHOLE, left_of_cap: 700n * WHOLE, block_at: clock.now() }
  await db.insertInto('payout_cap').values(cap).execute()
  expect(await readCapFigures(db, clock.now())).toEqual({ used: 0.3, byOne: 0 })
  await scenario.deposit(alice, 'USDT', 500n * WHOLE)
  await scenario.deposit(bob, 'USDT', 500n * WHOLE)
  const guest = await scenario.addGuest({ USDT: 101n * WHOLE })
  await db
    .updateTable('member')
    .set({ inviter_id: scenario.memberOf(bob) })
    .where('address', '=', guest)
    .execute()
  await ask(scenario, bob, 200n)
  await ask(scenario, guest, 100n)
  await ask(scenario, alice, 50n)
  await settle(scenario)
  expect((await readCapFigures(db, clock.now())).byOne).toBeCloseTo(0.3)
  expect(await operators.give('ada', 'withdrawal', 'cap')).toMatchObject([
    {
      asset: 'USDT',
      uid: String(scenario.memberOf(bob)),
      withdrawals: 1,
      paid: '200',
      ofItFresh: '200',
      cap: '1000',
      leftOfCap: '700',
    },
    { uid: String(scenario.memberOf(guest)), invitedBy: String(scenario.memberOf(bob)), paid: '100' },
    { uid: String(scenario.memberOf(alice)), paid: '50' },
  ])
  clock.advance(DAY_MS + 60_000)
  expect((await readCapFigures(db, clock.now())).byOne).toBe(0)
})
