import { assetsByAddress } from '@candela/server/chain/follow/read/decode'
import { WHOLE } from '@candela/server/modules/power/testing'
import { startOperators, type TestOperators } from '@candela/server/operator/testing-operators'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { patientClient, startTestChain, type TestChain, testNetwork } from '@candela/testing/chain/test-chain'
import { otherResults, startLyingProxy } from '@candela/testing/proxies/lying-proxy'
import { createChainClient } from '@candela/server/chain/client'
import { DEPTH, startPayoutScenario } from './payouts-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

/** Runs `candela chain rescan` over the blocks. */
async function rescan(scenario: { operators: TestOperators }, from: bigint, to: bigint): Promise<unknown> {
  const { operators } = scenario
  return operators.give('ada', 'chain', 'rescan', '--from', String(from), '--to', String(to))
}

/** A scenario whose operators can ask the node. */
async function startRescanned(operatorsNode = chain.client) {
  const scenario = await startPayoutScenario(chain)
  const operators = await startOperators(scenario.url, scenario.clock, {
    openChain: () =>
      Promise.resolve({
        client: operatorsNode,
        gateway: scenario.gateway,
        hash: chain.hash,
        assets: () => assetsByAddress(chain),
        signer: () => Promise.reject(new Error('nothing is signed')),
      }),
    depth: () => Promise.resolve(DEPTH),
  })
  return { ...scenario, operators }
}

test('reading blocks again records and credits what was missed, once, and leaves what is known', async () => {
  await using scenario = await startRescanned()
  const { db, alice, bob } = scenario
  await scenario.deposit(alice, 'USDT', 100n * WHOLE)
  await scenario.deposit(bob, 'JU', 3n * WHOLE)
  const missedTx = await chain.send(alice, scenario.gateway, '0x', 7n)
  await scenario.mineAndFollow()
  // As after a node that left the log out.
  const { numDeletedRows } = await db
    .deleteFrom('chain_event')
    .where('tx_hash', '=', missedTx)
    .executeTakeFirstOrThrow()
  expect(numDeletedRows).toBe(1n)
  await scenario.mineAndFollow(2 * DEPTH)
  expect(await scenario.credit()).toEqual({ credited: 0, failed: 0 })
  expect(await scenario.reconcile()).toMatchObject({ finding: expect.stringContaining('JU') })
  const eventsBefore = await db.selectFrom('chain_event').selectAll().orderBy('id').execute()

  const head = await chain.client.getBlockNumber()
  const to = head - BigInt(DEPTH)
  await expect(rescan(scenario, scenario.startBlock, to + 1n)).rejects.toThrow('later ones are not final yet')
  await expect(rescan(scenario, scenario.startBlock - 1n, to)).rejects.toThrow(`blocks ${scenario.startBlock} to`)
  await expect(rescan(scenario, head + 1n, head + 5n)).rejects.toThrow(`newest block is ${head}`)
  await expect(rescan(scenario, 9n, 8n)).rejects.toThrow('comes after')
  await expect(rescan(scenario, 0n, 100_000n)).rejects.toThrow('at most 100000 blocks')

  // Two operators at once, and one of them again.
  const both = await Promise.all([1, 2].map(() => rescan(scenario, scenario.startBlock, to)))
  expect(both).toContainEqual(
    expect.objectContaining({ known: 2, recorded: 1, missed: `0.000000000000000007 JU ${missedTx}` }),
  )
  expect(both).toContainEqual(expect.objectContaining({ known: 3, recorded: 0, missed: '', recordedButNotOnChain: '' }))
  expect(await rescan(scenario, scenario.startBlock, to)).toMatchObject({ known: 3, recorded: 0 })
  const eventsAfter = await db.selectFrom('chain_event').selectAll().orderBy('id').execute()
  expect(eventsAfter.slice(0, -1)).toEqual(eventsBefore)
  expect(eventsAfter.at(-1)).toMatchObject({ tx_hash: missedTx, state: 'recorded', amount: 7n, payer: alice })

  expect(await scenario.credit()).toEqual({ credited: 1, failed: 0 })
  expect((await scenario.balances(alice, 'JU')).available).toBe(7n)
  expect(await scenario.reconcile()).toMatchObject({ paused: false, finding: null })
  await scenario.expectSound()
})

test('a recorded payment that the node does not have is named and kept', async () => {
  await using scenario = await startRescanned()
  const { db, alice } = scenario
  await scenario.deposit(alice, 'USDT', 100n * WHOLE)
  await scenario.mineAndFollow(2 * DEPTH)
  const phantom = `0x${'7'.repeat(64)}`
  const { id: known, ...real } = await db.selectFrom('chain_event').selectAll().limit(1).executeTakeFirstOrThrow()
  await db
    .insertInto('chain_event')
    .values({ ...real, tx_hash: phantom, state: 'recorded', outcome: null, credited_at: null })
    .execute()
  const to = (await chain.client.getBlockNumber()) - BigInt(DEPTH)
  expect(await rescan(scenario, scenario.startBlock, to)).toMatchObject({ recorded: 0, recordedButNotOnChain: phantom })
  expect(await db.selectFrom('chain_event').select(['id', 'state']).where('id', '=', known).execute()).toEqual([
    { id: known, state: 'credited' },
  ])
  expect(await db.selectFrom('chain_event').selectAll().where('tx_hash', '=', phantom).execute()).toMatchObject([
    { state: 'recorded' },
  ])
})

const wordOf = (amount: bigint) => amount.toString(16).padStart(64, '0')

test('what one operator’s own node makes up is recorded and never counts', async () => {
  const paid = 7n * WHOLE
  await using liar = await startLyingProxy(
    chain.url,
    otherResults(({ method }, { result }) =>
      method === 'eth_getLogs'
        ? (JSON.parse(JSON.stringify(result).replaceAll(wordOf(paid), wordOf(900n * WHOLE))) as unknown)
        : undefined,
    ),
  )
  const client = createChainClient({ network: testNetwork, rpcUrl: liar.url, ...patientClient })
  await using scenario = await startRescanned(client as typeof chain.client)
  const { db, alice, gateway, startBlock } = scenario
  const missedTx = await chain.send(alice, gateway, '0x', paid)
  await scenario.mineAndFollow()
  await db.deleteFrom('chain_event').where('tx_hash', '=', missedTx).execute()
  await scenario.mineAndFollow(2 * DEPTH)
  const to = (await chain.client.getBlockNumber()) - BigInt(DEPTH)
  expect(await rescan(scenario, startBlock, to)).toMatchObject({ recorded: 1, missed: `900 JU ${missedTx}` })
  expect(await scenario.credit()).toEqual({ credited: 0, failed: 0 })
  expect(await db.selectFrom('chain_event').select('id').where('tx_hash', '=', missedTx).execute()).toEqual([])
  expect(scenario.log()).toContain('crediting.payment-denied')
  await scenario.reconcile()
  expect((await scenario.balances(alice, 'JU')).available).toBe(0n)
})
