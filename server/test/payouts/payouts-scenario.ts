import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET, rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { type FixedPrice, withFixedPrices } from '@candela/server/chain/price/testing/fixed-prices'
import type { ConfirmationRule } from '@candela/server/chain/crediting/confirmations'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { createChainClient } from '@candela/server/chain/client'
import { agreement } from '@candela/server/chain/nodes/agree'
import { openNodes } from '@candela/server/chain/nodes/nodes'
import { loadSigner } from '@candela/server/chain/signer'
import { ROLE } from '@candela/testing/chain/gateway'
import { patientClient, type TestChain, testNetwork } from '@candela/testing/chain/test-chain'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { must } from '@candela/server/kernel/assert'
import { fakeClock } from '@candela/server/kernel/clock'
import { keptLog } from '@candela/testing/server/kept-log'
import { Secret } from '@candela/server/kernel/secret'
import { auditLedger } from '@candela/server/ledger/audit'
import { accountBalance, memberBalances } from '@candela/server/ledger/balances'
import { platformAccount, type PlatformAccountName } from '@candela/server/ledger/chart'
import { addMember, WHOLE } from '@candela/server/modules/power/testing'
import { transaction } from '@candela/server/db/open'
import { post } from '@candela/server/ledger/post'
import { transferPosting } from '@candela/server/modules/transfer/postings'
import { payOut } from '@candela/server/modules/withdraw/payout/pay-out'
import type { PayoutDeps } from '@candela/server/modules/withdraw/payout/payout-deps'
import { readLastReconciliation } from '@candela/server/modules/reconcile/pause'
import { readWithdrawals } from '@candela/server/modules/withdraw/read-withdrawals'
import { DAY_MS } from '@candela/protocol/units'
import { randomBytes } from 'node:crypto'
import { encodeAbiParameters, encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { expect } from 'vitest'
import { createService } from '@candela/testing/server/service'

/** Blocks that a payment of these tests needs, its own among them. */
export const DEPTH = 3
const cap = 1_000n * WHOLE
const rule = { normal: DEPTH, large: DEPTH, largeAbove: 10_000n * WHOLE }

export type PayoutScenario = Awaited<ReturnType<typeof startPayoutScenario>>

/** A contract of this scenario's own, whose payer is a key of its own and that may pay 1,000 of each asset a day. */
async function deployGateway(chain: TestChain, roles: Record<'payer' | 'standbyPayer' | 'attester', Hex>) {
  const deployed = await chain.deployGateway({ ...roles, caps: [cap, cap, cap] })
  for (const token of [chain.usdt, chain.hash]) {
    for (const owner of chain.payers.slice(0, 3)) {
      const args = [deployed.gateway, maxUint256] as const
      await chain.send(owner, token, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }))
    }
  }
  for (const address of Object.values(roles)) await chain.client.setBalance({ address, value: 100n * WHOLE })
  await chain.mine()
  return deployed
}

const newKey = (): Hex => `0x${randomBytes(32).toString('hex')}`
const signerOf = (key: Hex) => loadSigner({ kind: 'value', value: new Secret(key) })

/** The price that it has, or had before it was paused; null where nothing is known. */
const fixedOf = (price: bigint | null, paused: bigint | null): FixedPrice | null => {
  if (price !== null) return { average: price }
  return paused === null ? null : { average: paused, is: 'halted' }
}

/**
 * The service on an empty database and a contract of its own; a test runs its work step by step. The clock is at the time of
 * the last block. Payouts and reconciliation use the node at `url`, or several nodes, of which the first that works is asked; the
 * chain is followed at `followedUrl`, or where it is null by the nodes of `url`.
 */
export async function startPayoutScenario(
  chain: TestChain,
  url: string | readonly string[] = chain.url,
  followedUrl: string | null = chain.url,
  /** `isSmall`: every payment is a small one, for which fewer blocks are waited. */
  { isSmall = false, ...other }: { isSmall?: boolean } & Partial<ConfirmationRule> = {},
) {
  const confirmations = { ...rule, ...(isSmall ? { large: 10 * DEPTH } : {}), ...other }
  const key = newKey()
  const [signer, standbySigner, attester] = await Promise.all([key, newKey(), newKey()].map(signerOf))
  if (signer === undefined || standbySigner === undefined || attester === undefined) throw new Error('a signer each')
  const payer = signer.address
  const roles = { payer, standbyPayer: standbySigner.address, attester: attester.address }
  const { gateway, startBlock } = await deployGateway(chain, roles)
  const database = await createTestDatabase()
  const clock = fakeClock()
  const { log, lines } = keptLog('info')
  const nodes = openNodes({
    network: testNetwork,
    nodes: [url].flat().map((each) => ({ url: each, provider: null })),
    ...patientClient,
    ...(typeof url === 'string' ? { timeout_ms: 3000 } : {}),
    maxHeadAge_s: 120,
    clock,
    log,
  })
  const client =
    followedUrl === null
      ? nodes.client
      : createChainClient({ network: testNetwork, rpcUrl: followedUrl, ...patientClient })
  const prices: Record<'JU' | 'HASH', bigint | null> = { JU: 2n * WHOLE, HASH: WHOLE }
  /** The prices that limits count by while a price is null; null itself where nothing is known. */
  const pausedPrices: Record<'JU' | 'HASH', bigint | null> = { JU: null, HASH: null }
  const fixed = () => ({ JU: fixedOf(prices.JU, pausedPrices.JU), HASH: fixedOf(prices.HASH, pausedPrices.HASH) })
  const db = withFixedPrices(database.db, fixed, clock)
  const { handlers, chainWork, payoutWork, contextOf, startFollowing } = createService({
    db,
    clock,
    client,
    network: testNetwork,
    contracts: { gateway, usdt: chain.usdt, hash: chain.hash },
    confirmations,
    log,
    payoutClient: nodes.client,
    agree: nodes.all.length > 1 ? agreement({ db, clock, log }, nodes) : undefined,
  })
  // The deposits of tests are fresh money; its share is what `queue/fresh-money.long.test.ts` is about.
  await db.insertInto('setting').values({ key: 'freshCapPercent', value: '100', updated_at: clock.now() }).execute()
  await startFollowing(startBlock)
  const [alice, bob, stranger] = chain.payers.slice(0, 3) as [Hex, Hex, Hex]
  const ids = new Map([
    [alice, await addMember(db, alice)],
    [bob, await addMember(db, bob)],
  ])
  const memberOf = (address: Hex) => must(ids.get(address), `${address} has an account`)
  const payoutDeps = (overrides: Partial<PayoutDeps> = {}): PayoutDeps => ({
    ...payoutWork.payoutDeps(signer),
    ...overrides,
  })
  const addressOf: Record<AssetCode, Hex> = { JU: NATIVE_ASSET, USDT: chain.usdt, HASH: chain.hash }

  const follow = async () => {
    const { timestamp } = await chain.client.getBlock()
    clock.set(new Date(Number(timestamp) * 1_000))
    while (await chainWork.follow());
  }
  const mineAndFollow = async (blocks = 1) => {
    await chain.mine(blocks)
    await follow()
  }
  const credit = () => chainWork.credit(100)
  const balanceOn = (asset: AssetCode, address: Hex): Promise<bigint> =>
    asset === 'JU'
      ? chain.client.getBalance({ address })
      : chain.client.readContract({
          address: addressOf[asset],
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [address],
        })
  await mineAndFollow()

  /** Lets the chain come to the time that a test has set its clock to. */
  const mineAtClock = async () => {
    const timestamp = BigInt(Math.floor(clock.now().getTime() / 1_000))
    if ((await chain.client.getBlock()).timestamp >= timestamp) return
    await chain.client.setNextBlockTimestamp({ timestamp })
    await mineAndFollow()
  }
  /** Compares as the service's own loop does each minute: withdrawals need a recent comparison. */
  const compareWhenOld = async () => {
    // Several times, because some tests have a node that does not do its part.
    for (let attempt = 0; attempt < 20; attempt++) {
      const last = await readLastReconciliation(db)
      if (last !== undefined && clock.now().getTime() - last.at.getTime() <= 300_000) return
      await mineAtClock()
      await payoutWork.reconcile().catch(() => undefined)
    }
  }
  const switchToStandby = encodeFunctionData({
    abi: paymentGatewayAbi,
    functionName: 'switchToStandby',
    args: [ROLE.payer],
  })
  const afterNotice = async () => {
    const { timestamp } = await chain.client.getBlock()
    await chain.client.setNextBlockTimestamp({ timestamp: timestamp + BigInt((7 * DAY_MS) / 1_000) })
    await mineAndFollow()
  }
  let requests = 0
  const applyNow = async (
    owner: Hex,
    asset: AssetCode,
    amount: bigint,
    more: { requestId?: string; fee?: string } = {},
  ) => {
    const input = { asset, amount, requestId: requestIdNamed(`request-${++requests}`, clock.now()), ...more }
    const { withdrawal } = await handlers['POST withdraw/apply'](input, contextOf(memberOf(owner)))
    return withdrawal
  }
  /** A new member with a wallet of its own, and with money that alice has given to it. */
  const addGuest = async (given: Partial<Record<AssetCode, bigint>>): Promise<Hex> => {
    const guest: Hex = `0x${randomBytes(20).toString('hex')}`
    const id = await addMember(db, guest)
    ids.set(guest, id)
    for (const asset of assetCodes) {
      const transfer = {
        transferNo: `T${++requests}`,
        sender: { id: memberOf(alice), uid: memberOf(alice), address: alice },
        recipient: { id, uid: id, address: guest },
        requestId: requestIdNamed(`gift-${requests}`, clock.now()),
        asset,
        amount: given[asset] ?? 0n,
        deadline: clock.now(),
        signature: `0x${'00'.repeat(65)}` as const,
      }
      if (transfer.amount > 0n) await transaction(db, (tx) => post(tx, transferPosting(transfer, clock.now())))
    }
    return guest
  }
  return {
    chain,
    /** The same, with the prices that are observed. */
    observedDb: database.db,
    nodes,
    db,
    handlers,
    contextOf,
    addGuest,
    ownerDb: database.owner,
    url: database.url,
    clock,
    key,
    payer,
    /** The standby of the payer, which can take over at once. */
    standbySigner,
    /** The contract's attester. */
    attester,
    gateway,
    startBlock,
    alice,
    bob,
    stranger,
    memberOf,
    prices,
    pausedPrices,
    payoutDeps,
    follow,
    mineAndFollow,
    mineAtClock,
    credit,
    balanceOn,
    addressOf,
    testLog: log,
    log: () => lines.join(''),
    /** Sends a call of the owner's to the contract. */
    owner: (data: Hex) => chain.send(chain.deployer, gateway, data),
    /** The standby becomes the payer. */
    switchPayer: () => chain.send(chain.deployer, gateway, switchToStandby),
    /** Another account becomes the standby, which can take over when this returns: seven days later. */
    async nameStandby(account: Hex) {
      const args = [ROLE.payer, account] as const
      const name = encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'nameStandby', args })
      await chain.mined(await chain.send(chain.deployer, gateway, name))
      await afterNotice()
    },
    /** The cap of an asset becomes that, after the seven days of its notice. */
    async raiseCap(asset: AssetCode, amount: bigint) {
      const args = [addressOf[asset], amount] as const
      const announce = encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'announceRaise', args })
      await chain.mined(await chain.send(chain.deployer, gateway, announce))
      await afterNotice()
      const raise = encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'raiseCap', args: [addressOf[asset]] })
      await chain.mined(await chain.send(chain.deployer, gateway, raise))
    },
    /** Pays money in and waits until it is on the balance. */
    async deposit(owner: Hex, asset: AssetCode, amount: bigint) {
      const data = encodeAbiParameters(rechargeDataTypes, [amount, addressOf[asset], owner, ''])
      const call = encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'recharge', args: ['deposit', data] })
      await chain.send(owner, gateway, call, asset === 'JU' ? amount : 0n)
      await mineAndFollow(DEPTH)
      expect(await credit()).toMatchObject({ failed: 0 })
    },
    apply: async (owner: Hex, asset: AssetCode, amount: bigint, more: { requestId?: string; fee?: string } = {}) => {
      await compareWhenOld()
      return applyNow(owner, asset, amount, more)
    },
    quote: async (owner: Hex, asset: AssetCode, amount: bigint) => {
      await compareWhenOld()
      return handlers['GET withdraw/quote']({ asset, amount }, contextOf(memberOf(owner)))
    },
    /** Without a comparison before it. */
    applyNow,
    takeBack: async (owner: Hex, withdrawalNo: string, requestId?: string) => {
      const input = { withdrawalNo, requestId: requestId ?? requestIdNamed(`request-${++requests}`, clock.now()) }
      return (await handlers['POST withdraw/cancel'](input, contextOf(memberOf(owner)))).withdrawal
    },
    async payOut(overrides: Partial<PayoutDeps> = {}) {
      const deps = payoutDeps(overrides)
      await compareWhenOld()
      while (await payOut(deps));
    },
    async withdrawal(withdrawalNo: string) {
      const [found] = await readWithdrawals(db, { withdrawalNo, limit: 1 }, rule)
      return must(found, `${withdrawalNo} exists`)
    },
    async state(withdrawalNo: string) {
      const [found] = await readWithdrawals(db, { withdrawalNo, limit: 1 }, rule)
      return found?.withdrawal.state
    },
    transactions: () => db.selectFrom('payout_transaction').selectAll().orderBy('nonce').orderBy('gas_price').execute(),
    reconcile: () => payoutWork.reconcile(),
    solvency: async () => (await handlers['GET solvency/now']({}, contextOf(memberOf(alice)))).now,
    platform: (name: PlatformAccountName, asset: AssetCode) => accountBalance(db, platformAccount(name, asset)),
    balances: async (owner: Hex, asset: AssetCode) => (await memberBalances(db, memberOf(owner)))[asset],
    /** Gas price of what waits in the node's pool, so that blocks can be made to leave it out. */
    setBaseFee: (fee: bigint) => chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: fee }),
    paidEvents: () => db.selectFrom('chain_event').selectAll().where('action', '=', 'paid').execute(),
    /**
     * The journal is sound; what custody says is to the base unit what the contract holds; every nonce is given once
     * and without gaps; the contract has paid exactly what is done, and what operators have explained.
     */
    async expectSound() {
      expect(await auditLedger(db)).toEqual([])
      for (const asset of assetCodes) {
        const custody = await accountBalance(db, platformAccount('custody', asset))
        expect([asset, -custody]).toEqual([asset, await balanceOn(asset, gateway)])
      }
      const rows = await db.selectFrom('withdrawal').selectAll().execute()
      const given = rows.flatMap(({ nonce }) => (nonce === null ? [] : [nonce])).toSorted((a, b) => Number(a - b))
      expect(given).toEqual(given.map((_nonce, index) => (given[0] ?? 0n) + BigInt(index)))
      const logs = await chain.client.getContractEvents({
        address: gateway,
        abi: paymentGatewayAbi,
        eventName: 'Paid',
        fromBlock: startBlock,
      })
      const done = rows.filter(({ state }) => state === 'done').map(({ payout_id }) => payout_id)
      const explained = await db
        .selectFrom('chain_payment')
        .select('reference')
        .where('outcome', '=', 'explained')
        .execute()
      const known = [...done, ...explained.map(({ reference }) => reference)]
      expect(logs.map(({ args }) => String(args.id)).toSorted()).toEqual(known.toSorted())
      const held = rows.filter(({ state }) => state === 'review' || state === 'queued' || state === 'sending')
      for (const asset of assetCodes) {
        const waiting = held.filter((row) => row.asset === asset).reduce((sum, { amount }) => sum + amount, 0n)
        let balance = 0n
        for (const id of ids.values()) balance += (await memberBalances(db, id))[asset].held
        expect([asset, balance]).toEqual([asset, waiting])
      }
      expect(lines.join('')).not.toContain(key.slice(2))
    },
    [Symbol.asyncDispose]: () => database.drop(),
  }
}

/** Code that refuses native currency: it reverts at once. */
export const refusingCode: Hex = '0x60006000fd'
