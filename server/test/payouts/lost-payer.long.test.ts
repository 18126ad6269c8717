import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { assetsByAddress } from '@candela/server/chain/follow/read/decode'
import { createChainClient } from '@candela/server/chain/client'
import { WHOLE } from '@candela/server/modules/power/testing'
import { startOperators, type TestOperators } from '@candela/server/operator/testing-operators'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { patientClient, startTestChain, type TestChain, testNetwork } from '@candela/testing/chain/test-chain'
import { DEPTH, type PayoutScenario, startPayoutScenario } from './payouts-scenario.ts'
import { asked, die, Killed } from './payouts-steps.ts'
import { payOut } from '@candela/server/modules/withdraw/payout/pay-out'
import { UNDECIDED } from '@candela/server/modules/withdraw/payout/lost/end-dead-payouts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

type WithOperators = { operators: TestOperators }

/** `payer end-lost`, given by two. Resolves to what it prints. */
const endLost = ({ operators }: WithOperators, payer: string): Promise<unknown> =>
  operators.both('payer', 'end-lost', payer)

async function startWithOperators() {
  const scenario = await startPayoutScenario(chain)
  const operators = await startOperators(scenario.url, scenario.clock, {
    openChain: () =>
      Promise.resolve({
        client: createChainClient({ network: testNetwork, rpcUrl: chain.url, ...patientClient }),
        gateway: scenario.gateway,
        hash: chain.hash,
        assets: () => assetsByAddress(chain),
        signer: () => Promise.reject(new Error('signs nothing')),
      }),
    depth: () => Promise.resolve(DEPTH),
  })
  return { ...scenario, operators }
}

/** A withdrawal that is signed, and whose payer has no gas left and a key that nobody has any more. */
async function stuckWithdrawal(scenario: PayoutScenario): Promise<string> {
  const number = await asked(scenario)
  await scenario.payOut()
  const [sent] = await scenario.transactions()
  await chain.client.dropTransaction({ hash: sent?.hash as Hex })
  await chain.client.setBalance({ address: scenario.payer, value: 0n })
  await scenario.mineAndFollow()
  return number
}

test('withdrawals of a lost key stay as they are until the operator ends them, when another payer is final', async () => {
  await using scenario = await startWithOperators()
  const number = await stuckWithdrawal(scenario)
  const signer = scenario.standbySigner
  await expect(endLost(scenario, scenario.payer)).rejects.toThrow('the contract still lets this payer pay')
  await scenario.switchPayer()
  await scenario.mineAndFollow()
  for (let block = 1; block < DEPTH; block++) {
    await expect(endLost(scenario, scenario.payer)).rejects.toThrow('wait until that is final')
    await scenario.mineAndFollow()
  }
  // Nothing else ends it: the new key cannot use the old nonce.
  for (let round = 0; round < 3; round++) {
    scenario.clock.advance(60_000)
    await scenario.payOut({ signer })
    await scenario.mineAndFollow(DEPTH)
  }
  expect(await scenario.state(number)).toBe('sending')
  await expect(endLost(scenario, scenario.stranger)).rejects.toThrow('has signed nothing')
  expect(await endLost(scenario, scenario.payer)).toEqual({ payer: scenario.payer, ended: [number], leftAlone: [] })
  expect((await scenario.withdrawal(number)).withdrawal).toMatchObject({ state: 'failed', reason: 'unpaid' })
  expect(await scenario.balances(scenario.alice, 'USDT')).toEqual({ available: 100n * WHOLE, held: 0n })
  const audit = await scenario.db
    .selectFrom('operator_audit')
    .select(['operator', 'input'])
    .where('command', '=', 'payer end-lost')
    .orderBy('id')
    .execute()
  const input = { payer: scenario.payer }
  expect(audit).toEqual([
    { operator: 'ada', input },
    { operator: 'bob', input },
  ])

  // Somebody has kept its transaction, and pays for its gas: it is mined and moves nothing.
  const [sent] = await scenario.transactions()
  await chain.client.setBalance({ address: scenario.payer, value: WHOLE })
  await scenario.payoutDeps().chain.send(sent?.raw ?? '')
  await scenario.mineAndFollow(DEPTH)
  const receipt = await scenario.payoutDeps().chain.receipt(sent?.hash ?? '')
  expect(receipt).toMatchObject({ succeeded: false })
  expect(await scenario.reconcile()).toMatchObject({ finding: null })

  // The new key pays. The old one never signs again, though the owner names it once more.
  const next = await scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)
  await scenario.payOut({ signer })
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  expect(await scenario.state(next.withdrawalNo)).toBe('done')
  await scenario.nameStandby(scenario.payer)
  await scenario.switchPayer()
  await scenario.mineAndFollow()
  const last = await scenario.apply(scenario.alice, 'USDT', 10n * WHOLE)
  await scenario.payOut()
  expect(await scenario.withdrawal(last.withdrawalNo)).toMatchObject({
    lastFailure: expect.stringContaining('was given up as lost'),
    withdrawal: { state: 'queued' },
  })
})

test('one that the contract has paid is left alone, whether its payment is recorded or not', async () => {
  await using scenario = await startWithOperators()
  const number = await asked(scenario)
  await scenario.payOut()
  await scenario.mineAndFollow()
  await scenario.switchPayer()
  await scenario.mineAndFollow(DEPTH)
  const why = async () => (await endLost(scenario, scenario.payer)) as { ended: string[]; leftAlone: unknown[] }
  expect(await why()).toMatchObject({
    ended: [],
    leftAlone: [{ withdrawalNo: number, why: 'its payment is recorded' }],
  })
  await scenario.db.deleteFrom('chain_event').where('action', '=', 'paid').execute()
  expect(await why()).toMatchObject({
    ended: [],
    leftAlone: [{ withdrawalNo: number, why: 'the contract says that it was paid' }],
  })
  expect((await scenario.balances(scenario.alice, 'USDT')).held).toBe(40n * WHOLE)
})

test('nothing is ended while crediting is halted or the follower is behind', async () => {
  await using scenario = await startWithOperators()
  const number = await stuckWithdrawal(scenario)
  await scenario.switchPayer()
  await scenario.mineAndFollow(DEPTH)
  const cursor = (change: { halted_reason?: string | null; head?: bigint }) =>
    scenario.db.updateTable('chain_cursor').set(change).execute()
  const { head } = await scenario.db.selectFrom('chain_cursor').select('head').executeTakeFirstOrThrow()
  await cursor({ halted_reason: 'a test' })
  await expect(endLost(scenario, scenario.payer)).rejects.toThrow('crediting is halted (a test)')
  await cursor({ halted_reason: null, head: head + 100n })
  await expect(endLost(scenario, scenario.payer)).rejects.toThrow('the follower is behind')
  expect(await scenario.state(number)).toBe('sending')
  await cursor({ head })
  expect(await endLost(scenario, scenario.payer)).toMatchObject({ ended: [number] })
})

test('one that the contract has paid in a block that is not followed yet is left alone', async () => {
  await using scenario = await startWithOperators()
  const number = await stuckWithdrawal(scenario)
  await scenario.switchPayer()
  await scenario.mineAndFollow(DEPTH)
  // The owner names the old payer once more, for as long as its old transaction needs.
  await scenario.nameStandby(scenario.payer)
  await scenario.switchPayer()
  await chain.mine()
  const [sent] = await scenario.transactions()
  await chain.client.setBalance({ address: scenario.payer, value: WHOLE })
  await scenario.payoutDeps().chain.send(sent?.raw ?? '')
  await chain.mine()
  await scenario.owner(encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'removePayer' }))
  await chain.mine()
  expect(await endLost(scenario, scenario.payer)).toMatchObject({
    ended: [],
    leftAlone: [{ withdrawalNo: number, why: 'the contract says that it was paid' }],
  })
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  expect(await scenario.state(number)).toBe('done')
})

test('what became of a nonce that nobody can tell any more is decided by two operators', async () => {
  await using scenario = await startWithOperators()
  const number = await asked(scenario)
  const deps = scenario.payoutDeps()
  // Signed, and lost before a node had it; somebody else uses the nonce.
  await expect(payOut({ ...deps, chain: { ...deps.chain, send: die } })).rejects.toThrow(Killed)
  const [ours] = await scenario.transactions()
  const end = (usedBy: string) => scenario.operators.both('withdrawal', 'end', number, '--used-by', usedBy)
  const { hash, raw } = await deps.signer.sign({
    nonce: 0n,
    gasPrice: 10n ** 10n,
    gas: 21_000n,
    to: scenario.bob,
    data: '0x',
  })
  await scenario.mineAndFollow(DEPTH)
  await expect(end(hash)).rejects.toThrow('is not used in a final block')
  await deps.chain.send(raw)
  // The first of all blocks that are kept is after it: nobody looked while there was one before.
  await scenario.mineAndFollow(60)
  await scenario.payOut()
  const waiting = await scenario.withdrawal(number)
  expect([waiting.withdrawal.state, waiting.lastFailure]).toEqual(['sending', UNDECIDED])
  expect(scenario.log()).toContain('payout.undecided')
  await expect(end(ours?.hash ?? '')).rejects.toThrow('is its own transaction')
  await expect(end('0x12')).rejects.toThrow('is not the hash of a transaction')
  expect(await end(hash)).toMatchObject({ number, usedBy: hash })
  expect((await scenario.withdrawal(number)).withdrawal).toMatchObject({ state: 'failed', reason: 'unpaid' })
  await expect(end(hash)).rejects.toThrow('whose payment is signed and not over')
  await scenario.expectSound()
})
