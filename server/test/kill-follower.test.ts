import { setTimeout as sleep } from 'node:timers/promises'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { NATIVE_ASSET } from '@candela/protocol/action-data'
import { type AssetCode, assetCodes } from '@candela/protocol/assets'
import { paymentPostingId } from '@candela/server/chain/credit'
import { startTestChain, type TestChain } from '@candela/server/chain/testing-chain'
import type { Database } from '@candela/server/db/open'
import { createTestDatabase } from '@candela/server/db/testing'
import { must } from '@candela/server/kernel/assert'
import { systemClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { auditLedger } from '@candela/server/ledger/audit'
import { accountBalance } from '@candela/server/ledger/balances'
import { platformAccount } from '@candela/server/ledger/chart'
import { getOrder } from '@candela/server/modules/power/get-order'
import { addMember, addPlan } from '@candela/server/modules/power/testing'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { environmentOf, Server, temporaryFolder } from './server-process.ts'

const KILLS = 50
const PAYMENTS = 200

/** The seed decides what is paid by whom and when each kill comes; what the machine does in between stays its own. */
const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const random = mulberry32(seed)
const amount = (): bigint => 1n + BigInt(Math.floor(random() * 1_000_000))
const below = (limit: number): number => Math.floor(random() * limit)

function mulberry32(start: number): () => number {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Sends one payment after the other of every kind, and remembers what should become of each. */
async function preparePayments(chain: TestChain, db: Database) {
  const [alice, bob, stranger] = chain.payers.slice(0, 3) as [Hex, Hex, Hex]
  const aliceId = await addMember(db, alice)
  await addMember(db, bob)
  const planId = await addPlan(db, { totalUnits: 10_000 })
  const setting = { key: 'openOrders', value: '1000', updated_at: systemClock.now() }
  await db.insertInto('setting').values(setting).execute()
  const outcomes = new Map<string, string>()
  let orders = 0
  const makeOrder = () =>
    getOrder(
      {
        db,
        ids: systemIds(systemClock),
        contracts: { gateway: chain.gateway, usdt: chain.usdt },
        readPrice: () => Promise.resolve(null),
        isChainBehind: () => Promise.resolve(false),
      },
      { planId: Number(planId), units: 1 + below(3), asset: 'USDT', requestId: `request-${++orders}` },
      { memberId: aliceId, now: systemClock.now() },
    )
  const payOrder = async () => {
    const { order } = await makeOrder()
    const { to, data, value } = must(order.transaction, 'it can be paid')
    return chain.send(alice, to as Hex, data as Hex, BigInt(value))
  }
  const kinds: [expected: string, send: () => Promise<Hex>][] = [
    ['order', payOrder],
    ['order', payOrder],
    ['balance', () => chain.pay({ amount: amount(), from: alice })],
    ['balance', () => chain.pay({ amount: amount(), asset: chain.hash, from: bob })],
    ['balance', () => chain.send(bob, chain.gateway, '0x', amount())],
    ['suspense', () => chain.pay({ amount: amount(), asset: NATIVE_ASSET, from: stranger })],
    ['balance', () => chain.pay({ key: 'buyPower', reference: 'NO-SUCH-ORDER', amount: amount(), from: bob })],
    [
      'balance',
      async () => {
        const { order } = await makeOrder()
        return chain.pay({ key: 'buyPower', reference: order.orderNo, amount: amount(), from: alice })
      },
    ],
  ]
  return {
    outcomes,
    aliceId,
    async send(): Promise<void> {
      const [expected, send] = must(kinds[below(kinds.length)], 'a kind')
      outcomes.set(await send(), expected)
    },
  }
}

async function gatewayBalance(chain: TestChain, asset: AssetCode): Promise<bigint> {
  if (asset === 'JU') return chain.client.getBalance({ address: chain.gateway })
  const address = asset === 'USDT' ? chain.usdt : chain.hash
  return chain.client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [chain.gateway] })
}

const creditedSoFar = async (db: Database): Promise<number> =>
  (await db.selectFrom('chain_event').select('id').where('state', '=', 'credited').execute()).length

/**
 * A life of the server, killed at a random instant: on its way up, or at work. Returns whether it was killed; a start
 * that found the database still held by its dead predecessor ends by itself and does not count.
 */
async function liveAndDie(env: Record<string, string>, start_ms: number): Promise<boolean> {
  await using server = new Server(env)
  if (random() < 0.5) {
    await server.listening
    await sleep(below(400))
  } else {
    // The follower is at work well before the server listens.
    await sleep(start_ms * (0.3 + 0.9 * random()))
  }
  if (server.isGone) {
    if (!server.output.includes('another server is running')) throw new Error(`the server ended: ${server.output}`)
    return false
  }
  await server.end('SIGKILL')
  return true
}

/** How long a start takes on this machine now. */
async function measureStart(env: Record<string, string>): Promise<number> {
  await using server = new Server(env)
  const before_ms = performance.now()
  await server.listening
  if (server.isGone) throw new Error(`the server ended: ${server.output}`)
  return performance.now() - before_ms
}

test('50 kills while 200 payments arrive: every payment is credited exactly once', { timeout: 300_000 }, async () => {
  process.stdout.write(`kill-follower: KILL_SEED=${seed}\n`)
  await using chain = await startTestChain()
  await using database = await createTestDatabase()
  await using cache = await temporaryFolder()
  const { db } = database
  const env = await environmentOf(chain, database, cache.path)
  const payments = await preparePayments(chain, db)
  const start_ms = Math.min(await measureStart(env), await measureStart(env))

  const lives: number[] = []
  const killed = new AbortController()
  const kill = async () => {
    try {
      for (let kills = 0; kills < KILLS; lives.push(await creditedSoFar(db))) {
        if (await liveAndDie(env, start_ms)) kills += 1
      }
    } finally {
      killed.abort()
    }
  }
  // Payments come for as long as there are kills: how many are due follows from how many lives there were.
  const pay = async () => {
    while (!killed.signal.aborted) {
      const due = Math.min(PAYMENTS, Math.ceil((PAYMENTS * (lives.length + 1)) / KILLS))
      while (payments.outcomes.size < due) {
        await payments.send()
        if (random() < 0.4) await chain.mine()
      }
      await chain.client.mine({ blocks: 1 })
      await sleep(100)
    }
  }
  await Promise.all([kill(), pay()])
  expect(payments.outcomes.size).toBe(PAYMENTS)
  // The test has power only if there was much to lose: many lives in which something was credited before the kill.
  const productive = lives.filter((credited, life) => credited > (lives[life - 1] ?? 0)).length
  process.stdout.write(`kill-follower: ${productive} of ${lives.length} lives credited something before their kill\n`)
  expect(productive).toBeGreaterThan(KILLS / 5)

  await chain.mine(3)
  await using last = new Server(env)
  for (let wait = 0; wait < 600 && (await creditedSoFar(db)) < PAYMENTS; wait++) {
    if (last.isGone) throw new Error(`the last server ended: ${last.output}`)
    await sleep(50)
  }
  await last.end('SIGTERM')
  await expectEveryPaymentOnce(chain, db, BigInt(must(env['START_BLOCK'], 'set above')), payments.outcomes)
  await expectPowerToMatch(db, payments.aliceId)
})

async function expectEveryPaymentOnce(
  chain: TestChain,
  db: Database,
  fromBlock: bigint,
  outcomes: ReadonlyMap<string, string>,
): Promise<void> {
  const logs = await chain.client.getLogs({ address: chain.gateway, fromBlock, toBlock: 'latest' })
  expect(logs).toHaveLength(PAYMENTS)
  const events = await db.selectFrom('chain_event').selectAll().orderBy('block_number').orderBy('log_index').execute()
  const rows = events.map((event) => [event.tx_hash, event.log_index, event.block_hash, event.state, event.outcome])
  expect(rows).toEqual(
    logs.map((log) => [
      log.transactionHash,
      log.logIndex,
      log.blockHash,
      'credited',
      outcomes.get(log.transactionHash),
    ]),
  )
  const postings = await db.selectFrom('ledger_posting').select('id').execute()
  const ids = logs.map(({ transactionHash }) => paymentPostingId({ txHash: transactionHash, txPosition: 0 }, 0))
  expect(postings.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  expect(await auditLedger(db)).toEqual([])
  for (const asset of assetCodes) {
    expect(-(await accountBalance(db, platformAccount('custody', asset)))).toBe(await gatewayBalance(chain, asset))
  }
}

/** Each order that was paid is active once, and the member's power is the sum of these orders. */
async function expectPowerToMatch(db: Database, memberId: bigint): Promise<void> {
  const settled = await db.selectFrom('chain_event').select('reference').where('outcome', '=', 'order').execute()
  const active = await db.selectFrom('power_order').selectAll().where('state', '=', 'active').execute()
  expect(active.map((order) => order.order_no).toSorted()).toEqual(settled.map(({ reference }) => reference).toSorted())
  const units = active.reduce((sum, order) => sum + order.units, 0n)
  const power = await db
    .selectFrom('member_power')
    .selectAll()
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  expect(power.active_units).toBe(units)
  const log = await db.selectFrom('power_log').select('units').where('member_id', '=', memberId).execute()
  expect(log.reduce((sum, change) => sum + change.units, 0n)).toBe(units)
  expect(log).toHaveLength(active.length)
}
