import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import type { Data } from '@candela/protocol/endpoints'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { must } from '@candela/server/kernel/assert'
import { withFixedPrices } from '@candela/server/chain/price/testing/fixed-prices'
import { createChainClient } from '@candela/server/chain/client'
import { patientClient, type TestChain, testNetwork } from '@candela/testing/chain/test-chain'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '@candela/server/kernel/clock'
import { auditLedger } from '@candela/server/ledger/audit'
import { accountBalance, memberBalances } from '@candela/server/ledger/balances'
import { platformAccount, type PlatformAccountName } from '@candela/server/ledger/chart'
import { readOrders } from '@candela/server/modules/power/orders/read-orders'
import { addMember, addPlan, unitsLeft, WHOLE } from '@candela/server/modules/power/testing'
import type { Hex } from 'viem'
import { expect } from 'vitest'
import { createService } from '@candela/testing/server/service'

/** Blocks that a payment of these tests needs, its own among them. */
export const DEPTH = 3
export type MadeOrder = Data<'POST power/getOrder'>
type Scenario = Awaited<ReturnType<typeof startScenario>>
export type { Scenario }

/**
 * The service on an empty database and on a chain that other scenarios may have used before; a test runs its work step by
 * step. Alice and Bob have accounts, the stranger has none. The clock is at the time of the last block.
 */
export async function startScenario(chain: TestChain) {
  const database = await createTestDatabase()
  const clock = fakeClock()
  const startBlock = (await chain.client.getBlockNumber()) + 1n
  const balancesBefore = await gatewayBalances(chain)
  const client = createChainClient({ network: testNetwork, rpcUrl: chain.url, ...patientClient })
  const prices: { ju: bigint | null } = { ju: 2n * WHOLE }
  const fixed = () => ({ JU: prices.ju === null ? null : { average: prices.ju }, HASH: null })
  const db = withFixedPrices(database.db, fixed, clock)
  const { gateway, usdt, hash } = chain
  const { handlers, chainWork, runTask, contextOf, startFollowing } = createService({
    db,
    clock,
    client,
    network: testNetwork,
    contracts: { gateway, usdt, hash },
    confirmations: { normal: DEPTH, large: DEPTH, largeAbove: 10_000n * WHOLE },
  })
  await startFollowing(startBlock)
  const [alice, bob, stranger] = chain.payers.slice(0, 3) as [Hex, Hex, Hex]
  const ids = new Map([
    [bob, await addMember(db, bob)],
    [alice, await addMember(db, alice)],
  ])
  const memberOf = (address: Hex) => must(ids.get(address), `${address} has an account`)
  const planId = await addPlan(db)

  const syncClock = async () => {
    const { timestamp } = await chain.client.getBlock()
    clock.set(new Date(Number(timestamp) * 1_000))
  }
  /** Mines what waits, and reads the chain up to its head. */
  const mineAndFollow = async (blocks = 1) => {
    await chain.mine(blocks)
    await syncClock()
    while (await chainWork.follow());
  }
  await mineAndFollow()

  let requests = 0
  return {
    chain,
    /** The same, with the prices that are observed. */
    observedDb: database.db,
    db,
    ownerDb: database.owner,
    url: database.url,
    clock,
    prices,
    alice,
    bob,
    stranger,
    memberOf,
    planId,
    mineAndFollow,
    credit: () => chainWork.credit(100),
    /** Books dust of days that are over. Resolves to the number of sums. */
    bookDust: async () => (await runTask('book-dust'))['sums'],
    /** Cancels unpaid orders. Resolves to how many. */
    sweep: async () => (await runTask('cancel-unpaid-orders'))['cancelled'],
    /** Sweeps what costs its maker nothing. */
    sweepFree: () => runTask('sweep-free-rows'),
    /** Lets so many seconds pass on the chain, and reads it. */
    async wait(seconds: number) {
      const { timestamp } = await chain.client.getBlock()
      await chain.client.setNextBlockTimestamp({ timestamp: timestamp + BigInt(seconds) })
      await mineAndFollow()
    },
    /** 4 units for 100 USDT, or 50 JU at the first price. */
    order: (asset: 'JU' | 'USDT' = 'USDT', owner: Hex = alice): Promise<MadeOrder> =>
      handlers['POST power/getOrder'](
        { planId: Number(planId), units: 4, asset, requestId: requestIdNamed(`request-${++requests}`, clock.now()) },
        contextOf(memberOf(owner)),
      ),
    /** Sends exactly what the order says, as a wallet does. */
    payExactly({ order: { orderNo, transaction: call } }: MadeOrder, from: Hex = alice): Promise<Hex> {
      const { to, data, value } = must(call, `order ${orderNo} was payable when it was made`)
      return chain.send(from, to as Hex, data as Hex, BigInt(value))
    },
    payNatively: (amount: bigint, from: Hex): Promise<Hex> => chain.send(from, chain.gateway, '0x', amount),
    async orderNow({ order }: MadeOrder, owner: Hex = alice) {
      const filter = { memberId: memberOf(owner), orderNo: order.orderNo, limit: 1, now: clock.now() }
      const [found] = await readOrders(db, { gateway, usdt }, filter)
      return must(found, 'the order is there').order
    },
    events: () => db.selectFrom('chain_event').selectAll().orderBy('block_number').orderBy('log_index').execute(),
    unitsLeft: () => unitsLeft(db, planId),
    platform: (name: PlatformAccountName, asset: AssetCode) => accountBalance(db, platformAccount(name, asset)),
    async available(address: Hex, asset: AssetCode) {
      return (await memberBalances(db, memberOf(address)))[asset].available
    },
    /** The journal is sound, and custody is to the base unit what the contract got since the scenario began. */
    async expectBooksToMatchTheChain() {
      expect(await auditLedger(db)).toEqual([])
      const now = await gatewayBalances(chain)
      for (const asset of assetCodes) {
        const custody = await accountBalance(db, platformAccount('custody', asset))
        expect([asset, -custody]).toEqual([asset, now[asset] - balancesBefore[asset]])
      }
    },
    [Symbol.asyncDispose]: () => database.drop(),
  }
}

async function gatewayBalances({ client, gateway, usdt, hash }: TestChain): Promise<Record<AssetCode, bigint>> {
  const balanceOf = (address: Hex) =>
    client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [gateway] })
  const [JU, USDT, HASH] = await Promise.all([
    client.getBalance({ address: gateway }),
    balanceOf(usdt),
    balanceOf(hash),
  ])
  return { JU, USDT, HASH }
}

/** The address that the contract knows an asset by. */
export const assetAddress = ({ usdt, hash }: TestChain, asset: AssetCode): Hex =>
  asset === 'JU' ? NATIVE_ASSET : asset === 'USDT' ? usdt : hash
