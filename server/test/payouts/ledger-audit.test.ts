import { fakeClock } from '@candela/server/kernel/clock'
import { keptLog } from '@candela/testing/server/kept-log'
import { auditAll } from '@candela/server/ledger/audit/testing-round'
import { memberAccount } from '@candela/server/ledger/chart'
import { WHOLE } from '@candela/server/modules/power/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { DEPTH, startPayoutScenario } from './payouts-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

test('what the audit of the ledger finds pauses withdrawals until it is mended, though books and chain agree', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { db, alice } = scenario
  const { log } = keptLog('silent')
  const audit = () => auditAll({ db, clock: fakeClock(), log })
  await scenario.deposit(alice, 'USDT', 100n * WHOLE)
  const queued = await scenario.apply(alice, 'USDT', 10n * WHOLE)
  const account = memberAccount(scenario.memberOf(alice), 'memberAvailable', 'USDT')
  const add = (amount: bigint) =>
    sql`update ledger_account set balance = balance + ${amount}::numeric where id = ${account}`.execute(
      scenario.ownerDb,
    )

  await add(1_000n)
  await audit()
  expect(await scenario.reconcile()).toMatchObject({ paused: false, finding: null })
  await expect(scenario.apply(alice, 'USDT', 10n * WHOLE)).rejects.toMatchObject({ code: 5033 })
  await scenario.payOut()
  expect((await scenario.withdrawal(queued.withdrawalNo)).withdrawal).toMatchObject({
    state: 'queued',
    reason: 'paused',
  })

  await add(-1_000n)
  await audit()
  scenario.clock.advance(60_000)
  await scenario.payOut()
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  expect(await scenario.state(queued.withdrawalNo)).toBe('done')
  await scenario.expectSound()
})
