import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { dayNumber } from '@candela/protocol/proof/sum-tree'
import { utcDay } from '@candela/protocol/calendar'
import { DAY_MS } from '@candela/protocol/units'
import { createChainClient } from '@candela/server/chain/client'
import { composeContractWatch } from '@candela/server/jobs/compose-attest'
import { proofGauges } from '@candela/server/modules/proof/gauges'
import { WHOLE } from '@candela/server/modules/power/testing'
import { exitReader } from '@candela/server/modules/proof/read-exit'
import { readCap } from '@candela/server/modules/withdraw/contract-caps'
import { keptLog } from '@candela/testing/server/kept-log'
import { ROLE } from '@candela/testing/chain/gateway'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { patientClient, startTestChain, type TestChain, testNetwork } from '@candela/testing/chain/test-chain'
import { DEPTH, type PayoutScenario, startPayoutScenario } from './payouts-scenario.ts'
import { pass } from './payouts-steps.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

/** The service's own look at the contract, with what it logs. */
function watching({ db, clock, gateway }: PayoutScenario) {
  const client = createChainClient({ network: testNetwork, rpcUrl: chain.url, ...patientClient })
  const config = {
    gateway,
    usdt: chain.usdt,
    hash: chain.hash,
    confirmations: { normal: DEPTH, large: DEPTH, largeAbove: 0n },
  }
  const { log, lines } = keptLog('info')
  const watch = composeContractWatch({ db, client, config, clock, log })
  const gauge = (wanted: string) => proofGauges(db, clock).find(({ name }) => name === wanted)
  const said = (event: string) => lines.filter((line) => line.includes(event))
  return {
    watch,
    isForeign: () => gauge('candela_attestation_foreign')?.read(),
    notices: () => gauge('candela_contract_notices')?.read(),
    said,
    told: () => said('proof.foreign'),
  }
}

test('more than the contract ever pays at once is refused when it is asked for, and says how much that is', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { watch } = watching(scenario)
  await scenario.deposit(scenario.alice, 'USDT', 3_000n * WHOLE)
  // No call has asked the contract yet: the fee of one is on top of the thousand.
  expect(await readCap(scenario.db, 'USDT')).toBeNull()
  await watch()
  expect(await readCap(scenario.db, 'USDT')).toBe(1_000n * WHOLE)
  const fee = (await scenario.apply(scenario.alice, 'USDT', 20n * WHOLE)).fee
  const most = 1_000n * WHOLE + BigInt(fee) * WHOLE
  await expect(scenario.apply(scenario.alice, 'USDT', most + 1n)).rejects.toMatchObject({
    code: 4203,
    params: { limit: `${1_000n + BigInt(fee)} USDT` },
  })
  expect((await scenario.apply(scenario.alice, 'USDT', most)).state).not.toBe('failed')
  // Lowered, it is the new cap that counts.
  const args = [chain.usdt, 10n * WHOLE] as const
  await scenario.owner(encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'lowerCap', args }))
  await scenario.mineAndFollow()
  await watch()
  await expect(scenario.apply(scenario.alice, 'USDT', 20n * WHOLE)).rejects.toMatchObject({ code: 4203 })
})

test('who waits for the cap is told when so much of it has come back', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { watch } = watching(scenario)
  await scenario.deposit(scenario.alice, 'USDT', 2_000n * WHOLE)
  await scenario.apply(scenario.alice, 'USDT', 601n * WHOLE)
  const { withdrawalNo } = await scenario.apply(scenario.alice, 'USDT', 601n * WHOLE)
  await scenario.payOut()
  await scenario.mineAndFollow()
  await watch()
  await pass(chain, scenario, 61)
  await scenario.payOut()
  const { withdrawal } = await scenario.withdrawal(withdrawalNo)
  expect(withdrawal).toMatchObject({ state: 'queued', reason: 'dailyCap' })
  // There are 400 left for the 600 that are wanted: a fifth of the cap has to come back.
  const wait_ms = Date.parse(withdrawal.estimatedAt ?? '') - scenario.clock.now().getTime()
  expect(wait_ms).toBeGreaterThan(DAY_MS / 5 - 180_000)
  expect(wait_ms).toBeLessThan(DAY_MS / 5 + 180_000)
})

test('before it is asked for, a member is told when it would be there, behind those that wait', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { watch } = watching(scenario)
  await scenario.deposit(scenario.alice, 'USDT', 3_000n * WHOLE)
  await scenario.deposit(scenario.bob, 'USDT', 1_000n * WHOLE)
  await watch()
  const told = async () => {
    const { expectedAt } = await scenario.quote(scenario.bob, 'USDT', 401n * WHOLE)
    return Date.parse(expectedAt ?? '') - scenario.clock.now().getTime()
  }
  expect(await told()).toBeLessThan(60_000)
  await scenario.apply(scenario.alice, 'USDT', 801n * WHOLE)
  // There are 200 of 1,000 left for 400: a fifth of the cap has to come back, whether what is before it is signed or not.
  for (const work of [
    () => Promise.resolve(),
    () => scenario.payOut(),
    () => scenario.mineAndFollow(DEPTH).then(watch),
  ]) {
    await work()
    expect(await told()).toBeGreaterThan(DAY_MS / 5 - 180_000)
    expect(await told()).toBeLessThan(DAY_MS / 5 + 180_000)
  }
  const asked = await scenario.apply(scenario.bob, 'USDT', 401n * WHOLE)
  const listed = Date.parse(asked.estimatedAt ?? '') - scenario.clock.now().getTime()
  expect(Math.abs(listed - DAY_MS / 5)).toBeLessThan(180_000)
})

test('an attestation that is not ours calls somebody, once for each', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { watch, isForeign, told } = watching(scenario)
  expect(await isForeign()).toBeNaN()
  await watch()
  // By which the contract was opened.
  expect(await isForeign()).toBe(0)
  const steal = async (root: Hex) => {
    const day = BigInt(dayNumber(utcDay(scenario.clock.now())))
    const args = [day, root, [1n, 1n, 1n], chain.hash, 1n, 1n, 2n ** 64n - 1n] as const
    const data = encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'attest', args })
    const call = { nonce: 0n, gasPrice: 10n ** 11n, gas: 300_000n, to: scenario.gateway, data }
    await scenario.payoutDeps().chain.send((await scenario.attester.sign(call)).raw)
    await scenario.mineAndFollow()
  }
  await steal(`0x${'ab'.repeat(32)}`)
  for (let times = 0; times < 3; times += 1) await watch()
  expect(await isForeign()).toBe(1)
  expect(told()).toHaveLength(1)
  expect(told()[0]).toContain('abab')
})

test('exit mode of the contract is seen and said once, and is over when a reorganisation takes it back', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { watch, said } = watching(scenario)
  // Asked anew each time, as by a server that has just started.
  const isExited = () => exitReader(scenario.db, scenario.clock)()
  await watch()
  expect(await isExited()).toBe(false)
  const { timestamp } = await chain.client.getBlock()
  await chain.client.setNextBlockTimestamp({ timestamp: timestamp + BigInt((31 * DAY_MS) / 1000) })
  const exit = encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'enterExit' })
  await chain.send(scenario.stranger, scenario.gateway, exit)
  await scenario.mineAndFollow()
  for (let times = 0; times < 3; times += 1) await watch()
  expect(await isExited()).toBe(true)
  expect(said('proof.exit')).toHaveLength(1)
  await chain.reorganise(2)
  await scenario.follow()
  await watch()
  expect(await isExited()).toBe(false)
})

test('what was read of it counts for a second', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { db, clock } = scenario
  const isExited = exitReader(db, clock)
  expect(await isExited()).toBe(false)
  await db.insertInto('contract_exit').values({ exited_at: clock.now(), seen_at: clock.now() }).execute()
  expect(await isExited()).toBe(false)
  clock.advance(1_000)
  expect(await isExited()).toBe(true)
})

test('what the owner of the contract announces calls somebody, once for each, until it is taken back, done or over', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { watch, notices, said } = watching(scenario)
  const abi = paymentGatewayAbi
  const thief = scenario.stranger
  const act = async (data: Hex) => {
    await chain.mined(await scenario.owner(data))
    await scenario.mineAndFollow()
    await watch()
  }
  const seen = async () => [await notices(), said('contract.notice').length]
  await watch()
  expect(await seen()).toEqual([0, 0])
  const asset = chain.usdt
  const acts = [
    encodeFunctionData({ abi, functionName: 'nameStandby', args: [ROLE.payer, thief] }),
    encodeFunctionData({ abi, functionName: 'nameStandby', args: [ROLE.attester, scenario.alice] }),
    encodeFunctionData({ abi, functionName: 'announceRaise', args: [asset, 10n ** 24n] }),
    encodeFunctionData({ abi, functionName: 'announceTaking', args: [asset, thief, 5n * WHOLE] }),
    encodeFunctionData({ abi, functionName: 'transferOwnership', args: [thief] }),
    encodeFunctionData({ abi, functionName: 'setSubcoin', args: [chain.wju] }),
  ]
  for (const [index, data] of acts.entries()) {
    await act(data)
    expect(await seen()).toEqual([index + 1, index + 1])
  }
  const words = said('contract.notice').join('').toLowerCase()
  for (const part of ['the payer', 'the attester', 'cap of usdt', `5 usdt can be taken to ${thief}`, 'the owner']) {
    expect(words).toContain(part.toLowerCase())
  }
  await act(encodeFunctionData({ abi, functionName: 'setSubcoin', args: [chain.hash] }))
  await act(encodeFunctionData({ abi, functionName: 'announceTaking', args: [asset, thief, 0n] }))
  expect(await seen()).toEqual([4, 6])
  // The notices of standbys end with their time, what else was announced 30 days later.
  const passDays = async (days: number) => {
    await chain.client.increaseTime({ seconds: (days * DAY_MS) / 1_000 })
    await scenario.mineAndFollow()
    await watch()
  }
  await passDays(7)
  expect(await seen()).toEqual([2, 6])
  await passDays(30)
  expect(await seen()).toEqual([0, 6])
})
