import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { addDays, utcDay } from '@candela/protocol/calendar'
import { checkPath, type ProofFile, toSums } from '@candela/protocol/proof/proof-file'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@candela/protocol/units'
import { type ChainClient, createChainClient } from '@candela/server/chain/client'
import { agreement, agreeThrough } from '@candela/server/chain/nodes/agree'
import { attestChain } from '@candela/server/chain/payout/attest-chain'
import { payoutChain } from '@candela/server/chain/payout/payout-chain'
import { silentLog } from '@candela/server/kernel/log'
import { keptLog } from '@candela/testing/server/kept-log'
import { composeAttesting } from '@candela/server/jobs/compose-attest'
import { proofHandlers } from '@candela/server/modules/proof/endpoints'
import { requestAttestation } from '@candela/server/modules/proof/attest/request-attestation'
import { WHOLE } from '@candela/server/modules/power/testing'
import { transaction } from '@candela/server/db/open'
import { encodeFunctionData, encodeFunctionResult, getAbiItem, type Hex, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LieAbout, otherResults, startLyingProxy } from '@candela/testing/proxies/lying-proxy'
import { patientClient, startTestChain, type TestChain, testNetwork } from '@candela/testing/chain/test-chain'
import { DEPTH, type PayoutScenario, startPayoutScenario } from '../payouts/payouts-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

/** The service's own rounds of attesting, on the nodes of the scenario. */
function attesting(scenario: PayoutScenario, log = silentLog(), attester = scenario.attester) {
  const { db, clock, gateway, nodes } = scenario
  const isAlone = nodes.all.length === 1
  const client = isAlone
    ? createChainClient({ network: testNetwork, rpcUrl: chain.url, ...patientClient })
    : nodes.client
  const contracts = { gateway, usdt: chain.usdt, hash: chain.hash }
  const config = { gateway, hash: chain.hash, confirmations: { normal: DEPTH, large: DEPTH, largeAbove: 0n } }
  const on = (node: ChainClient) => ({ payouts: payoutChain(node, contracts), attest: attestChain(node, config) })
  const agree = isAlone ? undefined : agreeThrough(agreement({ db, clock, log }, nodes), on)
  const { payouts } = on(client)
  return composeAttesting({ db, client, payouts, agree, config, clock, log }, attester)
}

const handlersOf = ({ db }: PayoutScenario) => proofHandlers({ db })

/** The last attestation as the contract says it. */
const onChain = ({ gateway }: PayoutScenario) =>
  chain.client.readContract({ address: gateway, abi: paymentGatewayAbi, functionName: 'lastAttestation' })

/** Goes to an hour of a later day, on chain as well. */
async function goTo(scenario: PayoutScenario, days: number, hours: number) {
  const midnight = Date.parse(`${addDays(utcDay(scenario.clock.now()), days)}T00:00:00Z`)
  scenario.clock.set(new Date(midnight + hours * HOUR_MS))
  await scenario.mineAtClock()
}

/** As much time as makes what is signed count as stuck. */
async function blocksGoBy(scenario: PayoutScenario) {
  scenario.clock.set(new Date(scenario.clock.now().getTime() + 10 * MINUTE_MS))
  await scenario.mineAtClock()
}

/** Reads what was signed to attest, the cheapest first. */
const signedIn = ({ db }: PayoutScenario) =>
  db.selectFrom('attestation_transaction').selectAll().orderBy('gas_price').execute()

/** Until what is signed is final. */
async function untilFinal(scenario: PayoutScenario, round: () => Promise<boolean>) {
  await round()
  await scenario.mineAndFollow(DEPTH + 1)
  await round()
}

async function proofOf(scenario: PayoutScenario, owner: Hex): Promise<ProofFile> {
  const context = { memberId: scenario.memberOf(owner), now: scenario.clock.now() }
  return handlersOf(scenario)['GET solvency/proof']({}, context as never)
}

const claimOf = ({ leaf, path }: ProofFile) => {
  return encodeFunctionData({
    abi: paymentGatewayAbi,
    functionName: 'claim',
    args: [
      { member: leaf.member as Hex, position: BigInt(leaf.position), owed: toSums(leaf.owed) },
      leaf.salt as Hex,
      path.map(({ hash, sums: below }) => ({ hash: hash as Hex, sums: toSums(below) })),
    ],
  })
}

test('a day is attested after its close by the attester; and members claim by it after an exit', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { alice, bob, db } = scenario
  await scenario.deposit(alice, 'USDT', 300n * WHOLE)
  await scenario.deposit(bob, 'JU', 50n * WHOLE)
  const round = attesting(scenario)
  // Before the close of the day before: closeMinutes is ten, and figures get twenty more.
  await goTo(scenario, 1, 0.25)
  await round()
  expect(await db.selectFrom('proof_snapshot').select('day').execute()).toEqual([])
  const first = await scenario.apply(alice, 'USDT', 100n * WHOLE)
  await scenario.payOut()
  await goTo(scenario, 0, 1)
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  expect(await scenario.state(first.withdrawalNo)).toBe('done')
  await round()
  await round()
  // The attester has nonces of its own: payouts wait for no attestation.
  const { payer, nonce, day } = await db.selectFrom('attestation').selectAll().executeTakeFirstOrThrow()
  expect([payer, nonce]).toEqual([scenario.attester.address, 0n])
  const second = await scenario.apply(bob, 'JU', 10n * WHOLE)
  await scenario.payOut()
  const payouts = await scenario.transactions()
  expect(payouts.map((one) => one.nonce)).toEqual([0n, 1n])
  await scenario.mineAndFollow(DEPTH + 1)
  await scenario.credit()
  await round()
  expect(await scenario.state(second.withdrawalNo)).toBe('done')
  const { attestation } = await handlersOf(scenario)['GET solvency/latest']({}, {} as never)
  expect(attestation).toMatchObject({ day, gateway: scenario.gateway })
  const said = await onChain(scenario)
  expect(said).toMatchObject({ root: attestation?.root, blockNumber: attestation?.block })
  expect(attestation?.attestedAt).toBe(new Date(said.attestedAt * 1_000).toISOString())
  const usdt = attestation?.assets.find(({ asset }) => asset === 'USDT')
  // Alice has 200 less the fee, and the contract holds the fee besides.
  expect(Number(usdt?.ratio)).toBeGreaterThanOrEqual(1)
  await expect(handlersOf(scenario)['GET solvency/tree']({ day: '2026-01-01', part: 0 }, {} as never)).rejects.toThrow()

  const proofs = [await proofOf(scenario, alice), await proofOf(scenario, bob)]
  expect(proofs.map(checkPath)).toEqual([null, null])
  const paid = await chain.client.readContract({
    address: scenario.gateway,
    abi: paymentGatewayAbi,
    functionName: 'paidSince',
    args: [scenario.addressOf.JU, bob],
  })
  expect(paid).toBeGreaterThan(9n * WHOLE)
  // The service is gone; time passes on chain alone.
  const exitAt = BigInt(said.attestedAt + (30 * DAY_MS) / 1000 + 1)
  await chain.client.setNextBlockTimestamp({ timestamp: exitAt })
  const exit = encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'enterExit' })
  await chain.mined(await chain.send(scenario.stranger, scenario.gateway, exit))
  const before = { usdt: await scenario.balanceOn('USDT', alice), ju: await scenario.balanceOn('JU', bob) }
  for (const proof of proofs) await chain.mined(await chain.send(scenario.stranger, scenario.gateway, claimOf(proof)))
  // The contract holds less JU than was attested, because Bob was paid since. Nobody else is owed any: he gets the rest a year after the first claim.
  await chain.client.setNextBlockTimestamp({ timestamp: exitAt + BigInt((366 * DAY_MS) / 1000) })
  await chain.mined(await chain.send(scenario.stranger, scenario.gateway, claimOf(proofs[1] as ProofFile)))
  expect(await scenario.balanceOn('USDT', alice)).toBe(before.usdt + BigInt(proofs[0]?.leaf.owed[0] ?? 0))
  expect(await scenario.balanceOn('JU', bob)).toBe(before.ju + BigInt(proofs[1]?.leaf.owed[2] ?? 0) - paid)
  const again = chain.client.call({ to: scenario.gateway, data: claimOf(proofs[0] as ProofFile) })
  await expect(again).rejects.toThrow(toFunctionSelector('NothingToClaim(address)'))
})

test('an operator has a day attested before the time, once; and a stop between the steps loses nothing', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { db, clock } = scenario
  await scenario.deposit(scenario.alice, 'HASH', 30n * WHOLE)
  await goTo(scenario, 1, 0.1)
  await scenario.mineAndFollow(DEPTH)
  const day = utcDay(clock.now())
  expect(await transaction(db, (tx) => requestAttestation(tx, day, clock.now()))).toBe(true)
  // Each round is one of a server that has just started.
  await attesting(scenario)()
  expect(await db.selectFrom('attestation').select('state').execute()).toEqual([{ state: 'signed' }])
  await attesting(scenario)()
  await scenario.mineAndFollow(DEPTH + 1)
  await attesting(scenario)()
  expect(await db.selectFrom('attestation').select(['day', 'state']).execute()).toEqual([{ day, state: 'attested' }])
  expect(await transaction(db, (tx) => requestAttestation(tx, day, clock.now()))).toBe(false)
  await attesting(scenario)()
  expect(await db.selectFrom('attestation').select('day').execute()).toHaveLength(1)
  expect((await onChain(scenario)).root).toBe((await proofOf(scenario, scenario.alice)).root.hash)
})

test('nothing is paid out while the last attestation is more than three days old', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { alice } = scenario
  await scenario.deposit(alice, 'USDT', 300n * WHOLE)
  const round = attesting(scenario)
  await goTo(scenario, 1, 2)
  await scenario.mineAndFollow(DEPTH)
  await round()
  await untilFinal(scenario, round)
  const { attestedAt } = await onChain(scenario)
  const goToAge = async (age_ms: number) => {
    scenario.clock.set(new Date(attestedAt * 1_000 + age_ms))
    await scenario.mineAtClock()
  }
  /** The same of a chain that had blocks all the time. */
  const goOnToAge = async (age_ms: number) => {
    await goToAge(age_ms)
    await scenario.db.deleteFrom('chain_standstill').execute()
  }
  await goOnToAge(3 * DAY_MS - MINUTE_MS)
  const { withdrawalNo } = await scenario.apply(alice, 'USDT', 20n * WHOLE)
  await goOnToAge(3 * DAY_MS + MINUTE_MS)
  await scenario.payOut()
  expect(await scenario.withdrawal(withdrawalNo)).toMatchObject({
    lastFailure: 'nothing was attested for three days',
    withdrawal: { state: 'queued', reason: 'paused' },
  })
  await expect(scenario.apply(alice, 'USDT', 20n * WHOLE)).rejects.toMatchObject({ code: 5033 })
  // An hour in which the chain stood still makes it no older.
  const from = attestedAt * 1_000 + DAY_MS
  const stood = { block_number: 1n, from_at: new Date(from), to_at: new Date(from + HOUR_MS) }
  await scenario.db.insertInto('chain_standstill').values(stood).execute()
  scenario.clock.advance(MINUTE_MS)
  await scenario.payOut()
  expect(await scenario.state(withdrawalNo)).toBe('sending')
  await scenario.db.deleteFrom('chain_standstill').execute()
  await expect(scenario.apply(alice, 'USDT', 20n * WHOLE)).rejects.toMatchObject({ code: 5033 })
  await round()
  await untilFinal(scenario, round)
  scenario.clock.advance(MINUTE_MS)
  await scenario.payOut()
  expect(await scenario.apply(alice, 'USDT', 20n * WHOLE)).toMatchObject({ asset: 'USDT' })
})

test('one that stays out of blocks is signed again for more, at the same nonce', async () => {
  await using scenario = await startPayoutScenario(chain)
  const round = attesting(scenario)
  await goTo(scenario, 1, 2)
  await scenario.mineAndFollow(DEPTH)
  await round()
  expect(await signedIn(scenario)).toHaveLength(1)
  // Not offered to the node, and blocks go by.
  await blocksGoBy(scenario)
  await round()
  const [old, dearer] = await signedIn(scenario)
  expect(dearer?.gas_price).toBeGreaterThanOrEqual(((old?.gas_price ?? 0n) * 9n) / 8n)
  expect(old?.tried_at).toBeNull()
  expect(dearer?.tried_at).not.toBeNull()
  await scenario.mineAndFollow(DEPTH + 1)
  await round()
  const { attestation } = await handlersOf(scenario)['GET solvency/latest']({}, {} as never)
  expect(attestation?.txHash).toBe(dearer?.hash)
})

test('the transaction that was mined is the one that is published, also when a dearer one was signed after it', async () => {
  await using scenario = await startPayoutScenario(chain)
  const round = attesting(scenario)
  await goTo(scenario, 1, 2)
  await scenario.mineAndFollow(DEPTH)
  await round()
  const [first] = await signedIn(scenario)
  await chain.client.sendRawTransaction({ serializedTransaction: first?.raw as Hex })
  // It waits in the node, and the service does not know that it was ever there.
  await blocksGoBy(scenario)
  const { raw: _, ...again } = { ...first, hash: `0x${'ee'.repeat(32)}`, gas_price: 10n ** 15n }
  await scenario.db
    .insertInto('attestation_transaction')
    .values({ ...again, raw: '0x', day: first?.day ?? '', signed_at: scenario.clock.now() })
    .execute()
  await scenario.mineAndFollow(DEPTH + 1)
  await round()
  const { attestation } = await handlersOf(scenario)['GET solvency/latest']({}, {} as never)
  expect(attestation?.txHash).toBe(first?.hash)
})

test('two workers that sign a stuck one again at once store one of it', async () => {
  await using scenario = await startPayoutScenario(chain)
  const workers = [attesting(scenario), attesting(scenario)]
  await goTo(scenario, 1, 2)
  await scenario.mineAndFollow(DEPTH)
  await workers[0]?.()
  await blocksGoBy(scenario)
  await Promise.all(workers.map((work) => work()))
  expect(await scenario.db.selectFrom('attestation_transaction').select('hash').execute()).toHaveLength(2)
  await untilFinal(scenario, workers[1] as () => Promise<boolean>)
  expect(await scenario.db.selectFrom('attestation').select('state').execute()).toEqual([{ state: 'attested' }])
})

test('nothing for 36 hours is an alarm each hour; what the contract refuses is said once', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { log, lines } = keptLog('info')
  const round = attesting(scenario, log)
  await goTo(scenario, 1, 2)
  await scenario.mineAndFollow(DEPTH)
  await round()
  await untilFinal(scenario, round)
  await goTo(scenario, 1, 2)
  await scenario.mineAndFollow(DEPTH)
  // With a key that the contract does not let attest.
  const refused = attesting(scenario, log, scenario.standbySigner)
  for (let times = 0; times < 3; times += 1) await refused()
  const count = (event: string) => lines.filter((line) => line.includes(`"${event}"`)).length
  expect(count('proof.waits')).toBe(1)
  expect(count('proof.overdue')).toBe(0)
  expect(await scenario.db.selectFrom('attestation').select('day').execute()).toHaveLength(1)
  scenario.clock.set(new Date(scenario.clock.now().getTime() + 13 * HOUR_MS))
  await refused()
  await refused()
  expect(count('proof.overdue')).toBe(1)
  scenario.clock.set(new Date(scenario.clock.now().getTime() + HOUR_MS))
  await refused()
  expect(count('proof.overdue')).toBe(2)
})

const selectorOf = (name: 'attest' | 'lastAttestation') =>
  toFunctionSelector(getAbiItem({ abi: paymentGatewayAbi, name }))
const isCall = (name: 'attest' | 'lastAttestation', params: readonly unknown[]) =>
  (params as [{ data?: string }?])[0]?.data?.startsWith(selectorOf(name)) === true

const honest: LieAbout = () => null
const saysNonces = otherResults(({ method }) => (method === 'eth_getTransactionCount' ? '0x64' : undefined))
const saysRefused: LieAbout = (calls) => (answers) =>
  answers.map((answer) => {
    const call = calls.find(({ id }) => id === answer.id)
    return call?.method === 'eth_call' && isCall('attest', call.params)
      ? { id: answer.id, error: { code: 3, message: 'execution reverted' } }
      : answer
  })

test('one lying node of three neither stops an attestation nor has one counted that is not made; of two it waits', async () => {
  let tells = honest
  await using liar = await startLyingProxy(chain.url, (calls) => tells(calls))
  await using well = await startLyingProxy(chain.url, () => null)
  for (const urls of [
    [liar.url, well.url],
    [liar.url, well.url, chain.url],
  ]) {
    for (const lie of [saysNonces, saysRefused]) {
      await using scenario = await startPayoutScenario(chain, urls)
      const round = attesting(scenario)
      const states = async () => {
        const found = await scenario.db.selectFrom('attestation').select(['state', 'nonce']).execute()
        return found.map(({ state, nonce }) => `${state} ${nonce}`)
      }
      await scenario.deposit(scenario.alice, 'JU', 50n * WHOLE)
      await goTo(scenario, 1, 2)
      await scenario.mineAndFollow(DEPTH)
      tells = lie
      await round().catch((error: unknown) => expect(error).toMatchObject({ name: 'RpcError' }))
      expect(await states()).toEqual(urls.length === 2 ? [] : ['signed 0'])
      tells = honest
      await round()
      expect(await states()).toEqual(['signed 0'])
      // It is in no block: the node says that it has failed, or that it was made.
      const { root } = await scenario.db.selectFrom('proof_snapshot').select('root').executeTakeFirstOrThrow()
      const made = encodeFunctionResult({
        abi: paymentGatewayAbi,
        functionName: 'lastAttestation',
        result: { ...(await onChain(scenario)), root: root as Hex },
      })
      for (const isMade of [false, true]) {
        tells = otherResults(({ method, params }) => {
          if (method === 'eth_getTransactionCount') return '0x64'
          return isMade && method === 'eth_call' && isCall('lastAttestation', params) ? made : undefined
        })
        await round()
        expect(await states()).toEqual(['signed 0'])
      }
      tells = honest
      await untilFinal(scenario, round)
      expect(await states()).toEqual(['attested 0'])
      expect((await onChain(scenario)).root).toBe(root)
    }
  }
})
