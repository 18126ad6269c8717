import { readFollowedBlocks } from '@candela/server/chain/payer/followed'
import { takeLease } from '@candela/server/db/lease/lease'
import { isLeaseLost, openDatabase } from '@candela/server/db/open'
import { patientPool } from '@candela/testing/postgres/test-database'
import { silentLog } from '@candela/server/kernel/log'
import { fenceSending } from '../../src/jobs/fence-sending.ts'
import { payOut } from '@candela/server/modules/withdraw/payout/pay-out'
import { sendPayouts } from '@candela/server/modules/withdraw/payout/send-payouts'
import { signDue } from '@candela/server/modules/withdraw/payout/sign-due'
import { must } from '@candela/server/kernel/assert'
import { WHOLE } from '@candela/server/modules/power/testing'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { DEPTH, startPayoutScenario } from './payouts-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain?.stop())

const isLost = (work: Promise<unknown>): Promise<boolean> => work.then(() => false, isLeaseLost)

test('whose lease was taken signs nothing that is stored and sends nothing; the next holder pays each once', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { db, alice, bob, payoutDeps, transactions } = scenario
  const take = () => takeLease(db, { name: 'work', holder: 'test', duration_ms: 0 })
  const fence = { lease: 'work', number: (await take()).number }
  const fenced = openDatabase({ url: scenario.url, log: silentLog(), checkRows: true, ...patientPool, fence })
  const { chain: node, confirmations } = payoutDeps()
  const deps = payoutDeps({ db: fenced, chain: fenceSending(node, fenced) })
  const followed = async () => must(await readFollowedBlocks(db, confirmations), 'blocks are followed')
  const isInPool = ({ hash }: { hash: string }) =>
    chain.client.getTransaction({ hash: hash as Hex }).then(
      () => true,
      () => false,
    )
  await scenario.deposit(alice, 'USDT', 30n * WHOLE)
  await scenario.deposit(bob, 'USDT', 30n * WHOLE)

  // While it has the lease it signs, stores and sends.
  await scenario.apply(alice, 'USDT', 10n * WHOLE)
  await payOut(deps)
  expect(await Promise.all((await transactions()).map(isInPool))).toEqual([true])

  // One is stored and not sent, one waits for being signed, when the lease is taken.
  await scenario.apply(alice, 'USDT', 11n * WHOLE)
  await signDue(deps, await followed())
  await scenario.apply(bob, 'USDT', 12n * WHOLE)
  expect(await take()).toMatchObject({ isTaken: true, number: fence.number + 1n })
  expect(await isLost(sendPayouts(deps))).toBe(true)
  expect(await isLost(signDue(deps, await followed()))).toBe(true)
  expect(await Promise.all((await transactions()).map(isInPool))).toEqual([true, false])

  await scenario.payOut()
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  expect(await transactions()).toHaveLength(3)
  await scenario.expectSound()
  expect(await scenario.paidEvents()).toHaveLength(3)
  await fenced.destroy()
})
