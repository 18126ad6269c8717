import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import { assetsByAddress } from '@candela/server/chain/follow/read/decode'
import { chainReader } from '@candela/server/chain/follow/read/read-chain'
import { readPaymentsAgain, recordMissed } from '@candela/server/chain/follow/rescan'
import { transaction } from '@candela/server/db/open'
import { systemIds } from '@candela/server/kernel/ids'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { testMemo } from '@candela/server/ledger/testing/testing-memo'
import { watchLoans } from '@candela/server/modules/lending/loan/watch/watch-loans'
import { createProject } from '@candela/server/modules/lending/project/manage-projects'
import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { listDisputes } from '@candela/server/chain/nodes/disputes'
import { WHOLE } from '@candela/server/modules/power/testing'
import type { TestChain } from '@candela/testing/chain/test-chain'
import { type Call, type LieAbout, otherResults } from '@candela/testing/proxies/lying-proxy'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { readPauseReason } from '@candela/server/modules/reconcile/pause'
import { agreement } from '@candela/server/chain/nodes/agree'
import { composeContractWatch } from '@candela/server/jobs/compose-attest'
import { exitReader } from '@candela/server/modules/proof/read-exit'
import { readIsForeign } from '@candela/server/modules/proof/attest/watch-contract'
import { readCap } from '@candela/server/modules/withdraw/contract-caps'
import { encodeFunctionData, numberToHex, toFunctionSelector } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DEPTH, type PayoutScenario, startPayoutScenario } from '../payouts-scenario.ts'
import { honest, startThreeNodes, type ThreeNodes } from './three-nodes.ts'

let chain: TestChain
let nodes: ThreeNodes
beforeAll(async () => {
  nodes = await startThreeNodes()
  chain = nodes.chain
})
afterEach(() => {
  nodes.firstTells = honest
})
afterAll(() => nodes.stop())

/** The first of the nodes is the one that is followed. */
const start = (count: number) =>
  startPayoutScenario(chain, nodes.urls.slice(0, count), nodes.urls[0], { isSmall: true })

const paid = 10n * WHOLE
const invented = 500n * WHOLE
const wordOf = (amount: bigint) => amount.toString(16).padStart(64, '0')
const isHeld = ({ method, params }: Call, gateway: string) =>
  method === 'eth_getBalance' && String(params[0]).toLowerCase() === gateway

/** A node on which more was paid, and on which the contract holds as much more. */
const saysMore = ({ gateway }: PayoutScenario): LieAbout =>
  otherResults((call, { result }) => {
    if (call.method === 'eth_getLogs')
      return JSON.parse(JSON.stringify(result).replaceAll(wordOf(paid), wordOf(invented))) as unknown
    return isHeld(call, gateway) ? numberToHex(BigInt(String(result)) + invented - paid) : undefined
  })

/** Alice, who runs the first node, pays in and withdraws; bob's money is there to be taken. */
async function payAndWithdraw(scenario: PayoutScenario): Promise<string | null> {
  await scenario.deposit(scenario.bob, 'JU', 900n * WHOLE)
  nodes.firstTells = saysMore(scenario)
  await chain.pay({ from: scenario.alice, amount: paid, asset: NATIVE_ASSET, to: scenario.gateway })
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  const { available } = await scenario.balances(scenario.alice, 'JU')
  if (available === 0n) return null
  const { withdrawalNo } = await scenario.apply(scenario.alice, 'JU', invented)
  await scenario.payOut()
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  return withdrawalNo
}

/** As `chain rescan` does. Returns how many payments were missed. */
async function rescan(scenario: PayoutScenario): Promise<number> {
  const { db, gateway, startBlock } = scenario
  const { number } = await chain.client.getBlock()
  await scenario.mineAndFollow(DEPTH)
  const reader = chainReader(scenario.nodes.client, gateway, [chain.usdt, chain.hash])
  const assets = assetsByAddress({ usdt: chain.usdt, hash: chain.hash })
  const blocks = { from: startBlock, to: number }
  const payments = await readPaymentsAgain({ reader, gateway, assets }, blocks)
  const found = await transaction(db, (tx) => recordMissed(tx, blocks, payments, DEPTH))
  return found.result === 'done' ? found.missed.length : -1
}

describe('a small payment', () => {
  test('that the followed node invents is paid out where it is the only one, and nothing of it is credited where there are others', async () => {
    for (const count of [1, 2, 3]) {
      await using scenario = await start(count)
      const withdrawalNo = await payAndWithdraw(scenario)
      const held = await scenario.balanceOn('JU', scenario.gateway)
      const right = 900n * WHOLE + paid
      expect([count, withdrawalNo !== null, held < right]).toEqual([count, count === 1, count === 1])
      if (count === 1) continue
      expect(scenario.log()).toContain(count === 2 ? 'nodes.disagree' : 'crediting.payment-denied')
      expect((await listDisputes(scenario.db)).length).toBe(count === 2 ? 1 : 0)
      // Without the lie nothing of it is left: the books agree with the chain, and withdrawals go on.
      nodes.firstTells = honest
      if (count === 2) continue
      await scenario.reconcile()
      expect(await readPauseReason(scenario.db, scenario.clock.now())).toBeNull()
      // The amount that was really paid is recorded when the blocks are read again.
      expect(await rescan(scenario)).toBe(1)
      await scenario.credit()
      expect((await scenario.balances(scenario.alice, 'JU')).available).toBe(paid)
      await scenario.expectSound()
    }
  })
})

/** A node without logs, on which the contract holds what was taken from it. */
const hides = ({ gateway }: PayoutScenario, taken: bigint): LieAbout =>
  otherResults((call, { result }) => {
    if (call.method === 'eth_getLogs') return []
    if (isHeld(call, gateway)) return numberToHex(BigInt(String(result)) + taken)
    const isBlock = call.method === 'eth_getBlockByHash' || call.method === 'eth_getBlockByNumber'
    return isBlock && result !== null ? { ...(result as object), logsBloom: `0x${'0'.repeat(512)}` } : undefined
  })

/** A thief has the payer's key. */
async function steal(scenario: PayoutScenario, amount: bigint): Promise<void> {
  const args = [`0x${'a'.repeat(64)}`, NATIVE_ASSET, scenario.stranger, amount] as const
  const serializedTransaction = await privateKeyToAccount(scenario.key).signTransaction({
    chainId: CHAIN_ID,
    nonce: 0,
    gasPrice: 10n ** 10n,
    gas: 300_000n,
    to: scenario.gateway,
    data: encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'pay', args }),
  })
  await chain.client.sendRawTransaction({ serializedTransaction })
}

test('what was taken from the contract is hidden by the followed node where it is the only one, and pauses withdrawals where there are others', async () => {
  for (const [count, found] of [
    [1, null],
    [2, /^no comparison of the last/],
    [3, /^the books and the chain differ/],
  ] as const) {
    await using scenario = await start(count)
    await scenario.deposit(scenario.bob, 'JU', 900n * WHOLE)
    await scenario.reconcile()
    expect(await readPauseReason(scenario.db, scenario.clock.now())).toBeNull()
    nodes.firstTells = hides(scenario, 700n * WHOLE)
    await steal(scenario, 700n * WHOLE)
    for (let minute = 0; minute < 20; minute++) {
      await chain.client.increaseTime({ seconds: 60 })
      await scenario.mineAndFollow()
      await scenario.reconcile()
    }
    nodes.firstTells = honest
    expect(await scenario.balanceOn('JU', scenario.gateway)).toBe(200n * WHOLE)
    const reason = await readPauseReason(scenario.db, scenario.clock.now())
    if (found === null) expect(reason).toBeNull()
    else expect(reason).toMatch(found)
  }
})

/** A node on which the contract is in exit mode, pays nothing out, and has an attestation of somebody else. */
const saysItIsOver = otherResults(({ method, params }, { result }) => {
  const [call] = params as [{ data?: string }?]
  if (method !== 'eth_call') return undefined
  const asked = call?.data?.slice(0, 10)
  if (asked === toFunctionSelector('exitedAt()')) return `0x${'1'.padStart(64, '0')}`
  if (asked === toFunctionSelector('dailyCap(address)')) return `0x${'0'.repeat(64)}`
  if (asked === toFunctionSelector('lastAttestation()'))
    return `0x${'e'.repeat(64)}${wordOf(1n)}${String(result).slice(130)}`
  return undefined
})

test('that the contract is in exit mode, pays nothing or was attested by a stranger is believed of one node where it is the only one', async () => {
  for (const count of [1, 2, 3]) {
    await using scenario = await start(count)
    const { db, clock, gateway, testLog: log } = scenario
    const contracts = { gateway, usdt: chain.usdt, hash: chain.hash }
    const watch = composeContractWatch({
      db,
      client: scenario.nodes.client,
      agree: count === 1 ? undefined : agreement({ db, clock, log }, scenario.nodes),
      config: { ...contracts, confirmations: { normal: DEPTH, large: DEPTH, largeAbove: 0n } },
      clock,
      log,
    })
    const seen = async () => [await exitReader(db, clock)(), await readIsForeign(db), (await readCap(db, 'JU')) === 0n]
    await watch()
    expect(await seen()).toEqual([false, false, false])
    nodes.firstTells = saysItIsOver
    await watch()
    nodes.firstTells = honest
    const isBelieved = count === 1
    expect([count, ...(await seen())]).toEqual([count, isBelieved, isBelieved, isBelieved])
  }
})

/** Alice has a loan at its clearing line, which the desk can buy. Resolves to its number. */
async function loanAtItsLine(scenario: PayoutScenario): Promise<string> {
  const { db, clock, handlers, contextOf, memberOf, alice, bob, prices } = scenario
  const [borrower, lender] = [contextOf(memberOf(alice)), contextOf(memberOf(bob))]
  const ids = systemIds(clock)
  const requestId = () => requestIdNamed(`loan ${ids.uuid()}`, clock.now())
  await scenario.deposit(alice, 'JU', 400n * WHOLE)
  await scenario.deposit(bob, 'USDT', 2_000n * WHOLE)
  const leg = {
    debit: memberAccount(memberOf(bob), 'memberAvailable', 'USDT'),
    credit: platformAccount('deskInventory', 'USDT'),
    amount: 1_000n * WHOLE,
  }
  const projectNo = ids.orderNumber()
  const name = { zh: '借款', tw: '借款', en: 'Loan' }
  const lines = { rate: 90_000, initialRate: 500_000, safetyLine: 700_000, clearingLine: 800_000 }
  await transaction(db, async (tx) => {
    await post(tx, { id: ids.uuid(), kind: 'deposit', legs: [leg], memo: testMemo(), occurredAt: clock.now() })
    const project = { name, information: name, collateral: 'JU' as const, total: 10_000n * WHOLE, ...lines }
    await createProject(tx, projectNo, project, clock.now())
  })
  await handlers['POST finance/transferIn']({ amount: 1_000n * WHOLE, requestId: requestId() }, lender)
  const asked = { projectNo, amount: 400n * WHOLE, collateral: 400n * WHOLE, days: 30, requestId: requestId() }
  const { loan } = await handlers['POST lending/borrow'](asked, borrower)
  prices.JU = (12n * WHOLE) / 10n
  return loan.loanNo
}

test('a repayment that the followed node makes larger in each block keeps a sale away for twice the confirmations where two others deny it, and waits for operators where one does', async () => {
  for (const [count, isSold] of [
    [2, false],
    [3, true],
  ] as const) {
    await using scenario = await startPayoutScenario(chain, nodes.urls.slice(0, count), null)
    const { db, clock, alice, gateway } = scenario
    const reference = await loanAtItsLine(scenario)
    nodes.firstTells = otherResults(({ method }, { result }) =>
      method === 'eth_getLogs'
        ? (JSON.parse(JSON.stringify(result).replaceAll(wordOf(WHOLE), wordOf(invented))) as unknown)
        : undefined,
    )
    let sold = 0
    let blocks = 0
    for (; sold === 0 && blocks < 4 * DEPTH; blocks++) {
      await chain.pay({ key: 'repay', amount: WHOLE, from: alice, customer: alice, reference, to: gateway })
      await scenario.mineAndFollow()
      await scenario.credit()
      sold = await watchLoans({ db, clock, ids: systemIds(clock) })
    }
    nodes.firstTells = honest
    expect([count, sold, (await listDisputes(db)).length > 0]).toEqual([count, isSold ? 1 : 0, !isSold])
    // The first block has the payment and keeps the sale away.
    expect(blocks).toBeGreaterThan(1)
    if (isSold) expect(blocks).toBeLessThanOrEqual(2 * DEPTH)
  }
})
