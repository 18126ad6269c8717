import { startAnvil } from '@candela/devnet/anvil'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../db/testing.ts'
import { systemClock } from '../kernel/clock.ts'
import { silentLog } from '../kernel/log.ts'
import { platformAccount } from '../ledger/chart.ts'
import { createChainClient } from './client.ts'
import { paymentPostingId, type SettlePayments } from './credit.ts'
import { startChain } from './start-chain.ts'
import { readFollowerStatus } from './status.ts'
import { startTestChain, type TestChain, testNetwork } from './testing-chain.ts'

const unit = 10n ** 18n
let chain: TestChain
let contracts: Parameters<typeof startChain>[0]['contracts']
beforeAll(async () => {
  chain = await startTestChain()
  const pairs = await chain.openPairs({ hash: unit, hashUsdt: unit, ju: unit, juUsdt: unit })
  const { gateway, usdt, hash, wju } = chain
  contracts = { gateway, usdt, hash, wju, ...pairs }
})
afterAll(() => chain.stop())

const toSuspense: SettlePayments = (_tx, payments) =>
  Promise.resolve(
    payments.map((payment) => {
      const { asset, amount } = payment
      const legs = [{ debit: platformAccount('custody', asset), credit: platformAccount('suspense', asset), amount }]
      const posting = {
        id: paymentPostingId(payment, 0),
        kind: 'suspense',
        legs,
        memo: {},
        occurredAt: payment.blockAt,
      }
      return { eventId: payment.eventId, outcome: 'suspense', postings: [posting] }
    }),
  )

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('it did not happen within ten seconds')
}

const start = (db: Awaited<ReturnType<typeof createTestDatabase>>['db'], rpcUrl: string, startBlock: bigint) =>
  startChain({
    db,
    clock: systemClock,
    log: silentLog(),
    client: createChainClient({ network: testNetwork, rpcUrl, retries: 0, timeout_ms: 2000 }),
    settle: toSuspense,
    contracts,
    startBlock,
    confirmations: { normal: 2, large: 4, largeAbove: 10n * unit },
    pollInterval_ms: 20,
    priceInterval_ms: 20,
  })

test('payments are followed, valued at observed prices and credited, until it is stopped', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const running = await start(db, chain.url, (await chain.client.getBlockNumber()) + 1n)
  await until(async () => (await db.selectFrom('price_observation').select('asset').execute()).length === 2)
  await chain.pay({ asset: chain.hash, amount: 9n * unit })
  await chain.pay({ asset: chain.hash, amount: 11n * unit })
  await chain.mine(2)
  const states = async () =>
    (await db.selectFrom('chain_event').select(['state', 'confirmations_needed']).orderBy('id').execute()).map(
      (event) => `${event.state} at ${event.confirmations_needed}`,
    )
  await until(async () => (await states())[0] === 'credited at 2')
  expect(await states()).toEqual(['credited at 2', 'recorded at 4'])
  await chain.mine(2)
  await until(async () => (await states())[1] === 'credited at 4')
  expect(running.failures()).toEqual({ following: null, crediting: null, pricing: null })
  await running.stop()
  const followed = (await readFollowerStatus(db, systemClock.now()))?.followed
  await chain.mine()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect((await readFollowerStatus(db, systemClock.now()))?.followed).toBe(followed)
})

test('a node on another chain, without the contract, or away: nothing is taken from it', async () => {
  await using database = await createTestDatabase()
  const other = await startAnvil({ chainId: 31_337 })
  const empty = await startAnvil()
  try {
    for (const [url, reason] of [
      [other.url, 'the node is on chain 31337, not 210000'],
      [empty.url, `no contract at the gateway's address ${chain.gateway}`],
      ['http://127.0.0.1:9', 'chain id: no connection'],
    ] as const) {
      const running = await start(database.db, url, 1n)
      await until(() =>
        Promise.resolve(running.failures().following === reason && running.failures().pricing === reason),
      )
      await running.stop()
    }
    expect(await readFollowerStatus(database.db, systemClock.now())).toMatchObject({ followed: 0n, head: 0n })
  } finally {
    await Promise.all([other.stop(), empty.stop()])
  }
})

test('settings for another contract than the database follows are refused at once', async () => {
  await using database = await createTestDatabase()
  const running = await start(database.db, chain.url, 1n)
  await running.stop()
  const gateway: Hex = chain.usdt
  const mine = contracts
  contracts = { ...contracts, gateway }
  await expect(start(database.db, chain.url, 1n)).rejects.toThrow('this database follows contract')
  contracts = mine
})
