import { CHAIN_ID } from '@candela/protocol/chain/network'
import { expect } from 'vitest'
import { transaction } from '@candela/server/db/open'
import { createTestDatabase } from '../postgres/test-database.ts'
import { fakeClock } from '@candela/server/kernel/clock'
import { silentLog } from '@candela/server/kernel/log'
import { auditLedger } from '@candela/server/ledger/audit'
import { platformAccount } from '@candela/server/ledger/chart'
import { createChainClient } from '@candela/server/chain/client'
import {
  type ConfirmedPayment,
  creditPayments,
  paymentPostingId,
  type SettlePayments,
} from '@candela/server/chain/crediting/credit-payments'
import { assetsByAddress } from '@candela/server/chain/follow/read/decode'
import { initialSyncState, type FollowDeps, followOnce } from '@candela/server/chain/follow/follow-blocks'
import { chainReader } from '@candela/server/chain/follow/read/read-chain'
import { startFollowing } from '@candela/server/chain/follow/start-following'
import { readFollowerStatus } from '@candela/server/chain/follow/status'
import { patientClient, type TestChain, testNetwork } from './test-chain.ts'
import { testMemo } from '@candela/server/ledger/testing/testing-memo'

const unit = 10n ** 18n
const confirmations = { normal: 2, large: 5, largeAbove: 10_000n * unit }

/** Puts every payment into suspense: where money goes is not what is tested here. */
export const toSuspense: SettlePayments = (_tx, payments) =>
  Promise.resolve(
    payments.map((payment) => ({ eventId: payment.eventId, outcome: 'suspense', postings: [postingOf(payment)] })),
  )

export const postingOf = (payment: ConfirmedPayment) => ({
  id: paymentPostingId(payment, 0),
  kind: 'suspense' as const,
  legs: [
    {
      debit: platformAccount('custody', payment.asset),
      credit: platformAccount('suspense', payment.asset),
      amount: payment.amount,
    },
  ],
  memo: { ...testMemo(payment.reference), txHash: payment.txHash },
  occurredAt: payment.blockAt,
})

export type Following = Awaited<ReturnType<typeof startFollowingChain>>

/** A fresh database that follows the chain from where it is now. */
export async function startFollowingChain(chain: TestChain, options: { url?: string; startBlock?: bigint } = {}) {
  const database = await createTestDatabase()
  const { db } = database
  const clock = fakeClock()
  const client = createChainClient({
    network: testNetwork,
    rpcUrl: options.url ?? chain.url,
    ...patientClient,
  })
  const startBlock = options.startBlock ?? (await chain.client.getBlockNumber()) + 1n
  const deps: FollowDeps = {
    db,
    reader: chainReader(client, chain.gateway, [chain.usdt, chain.hash]),
    clock,
    log: silentLog(),
    gateway: chain.gateway,
    assets: assetsByAddress(chain),
    confirmations,
  }
  await transaction(db, (tx) =>
    startFollowing(tx, { chainId: CHAIN_ID, gateway: chain.gateway, startBlock }, clock.now()),
  )
  const sync = initialSyncState()
  return {
    db,
    deps,
    clock,
    startBlock,
    sync,
    async follow() {
      while (await followOnce(deps, sync));
    },
    credit: (by: SettlePayments = toSuspense) => creditPayments({ db, clock, log: silentLog(), batchSize: 50 }, by),
    events: () => db.selectFrom('chain_event').selectAll().orderBy('block_number').orderBy('log_index').execute(),
    status: async () => {
      const status = await readFollowerStatus(db, clock.now())
      if (status === null) throw new Error('no cursor')
      return status
    },
    [Symbol.asyncDispose]: () => database.drop(),
  }
}

/** Reads from the chain itself what was paid since the setting began, another way than the follower does. */
export async function paidOnChain(chain: TestChain, setting: Following) {
  const logs = await chain.client.getLogs({ address: chain.gateway, fromBlock: setting.startBlock, toBlock: 'latest' })
  return logs.map((log) => `${log.transactionHash}/${log.blockHash}/${log.logIndex}`)
}

/** Names rows as `paidOnChain` names logs. */
export const recordedKeys = (events: { tx_hash: string; block_hash: string; log_index: number }[]) =>
  events.map((event) => `${event.tx_hash}/${event.block_hash}/${event.log_index}`)

/** Every credited event has one posting, and the ledger holds nothing else. */
export async function expectCreditedOnce(setting: Following) {
  const events = await setting.events()
  const credited = events.filter(({ state }) => state === 'credited')
  const postings = await setting.db.selectFrom('ledger_posting').select('id').execute()
  const expected = credited.map((event) =>
    paymentPostingId({ txHash: event.tx_hash, txPosition: event.tx_position }, 0),
  )
  expect(postings.map(({ id }) => id).toSorted()).toEqual(expected.toSorted())
  expect(await auditLedger(setting.db)).toEqual([])
}
