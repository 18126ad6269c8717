import {
  type ConfirmedPayment,
  type SettlePayments,
  creditPayments,
} from '@candela/server/chain/crediting/credit-payments'
import { createChainClient } from '@candela/server/chain/client'
import { type Database, transaction, type Tx } from '@candela/server/db/open'
import { post } from '@candela/server/ledger/post'
import { postedOf } from '@candela/server/modules/withdraw/change-state'
import { holdPosting, revertedPosting } from '@candela/server/modules/withdraw/postings'
import { withFixedPrices } from '@candela/server/chain/price/testing/fixed-prices'
import { settlePayments } from '@candela/server/modules/crediting/settle-payments'
import { sql } from 'kysely'
import { lendForReplay, lentForReplay, withoutLending } from './without-lending.ts'
import { createService } from '@candela/testing/server/service'
import { constantPrices, network as networkConfig } from '../run/server-process.ts'
import { addMembers, addPlan, type Simulation } from '../run/simulation.ts'

/**
 * Follows the final chain from its beginning with an empty database that has only the requests (members, orders, deposits,
 * withdrawals).
 * @returns descriptions of the balances that differ from those of the simulation
 */
export async function replay(simulation: Simulation, empty: Database): Promise<string[]> {
  const { db, clock, log, contracts, confirmations, network, chain } = simulation
  const priced = withFixedPrices(empty, () => constantPrices, clock)
  await addMembers(empty)
  await addPlan(empty)
  await copyRequests(db, empty)
  await lendForReplay(simulation, empty)
  const client = createChainClient({
    network: networkConfig,
    rpcUrl: `http://replay-${simulation.seed}.simulated`,
    retries: 0,
    fetchFn: (url, init) => network.request(url, init?.body as string),
  })
  const parts = { clock, log, client, network: networkConfig, contracts, confirmations }
  const { startFollowing, chainWork } = createService({ db: priced, ...parts })
  await startFollowing(101n)
  while (await chainWork.follow());
  const settle = withHolds(simulation, settlePayments)
  for (;;) {
    const { credited, failed } = await creditPayments({ db: priced, clock, log, batchSize: 1 }, settle)
    if (failed > 0) return ['a payment cannot be settled in the replay']
    if (credited === 0) break
  }
  await postKeptFees(simulation, empty)
  const [first, second] = [await withoutLending(db, await balances(db)), await balances(empty)]
  for (const [account, amount] of lentForReplay(simulation)) second.set(account, (second.get(account) ?? 0n) - amount)
  return [...new Set([...first.keys(), ...second.keys()])]
    .filter((account) => (first.get(account) ?? 0n) !== (second.get(account) ?? 0n))
    .map(
      (account) =>
        `account ${account} has ${first.get(account)} and, after the replay up to block ${chain.head.number}, ${second.get(account)}`,
    )
}

/** Copies orders and deposits in the state in which they were requested. */
async function copyRequests(from: Database, to: Database): Promise<void> {
  const orders = await from.selectFrom('power_order').selectAll().orderBy('id').execute()
  if (orders.length > 0) {
    const rows = orders.map(({ id: _id, ...order }) => ({
      ...order,
      state: 'pending' as const,
      is_reserved: true,
      settled_at: null,
      starts_on: null,
      ends_on: null,
      chain_event_id: null,
    }))
    await to.insertInto('power_order').values(rows).execute()
    await sql`update power_plan set units_left = units_left - ${orders.length}, units_reserved = ${orders.length}`.execute(
      to,
    )
  }
  const deposits = await from.selectFrom('deposit').selectAll().orderBy('id').execute()
  if (deposits.length > 0)
    await to
      .insertInto('deposit')
      .values(deposits.map(({ id: _id, ...row }) => row))
      .execute()
}

/** Places the hold of a withdrawal before its payout is settled, as the request did. */
function withHolds({ db }: Simulation, settle: SettlePayments): SettlePayments {
  return async (tx, payments, now) => {
    for (const payment of payments) if (payment.action === 'paid') await hold(db, tx, payment)
    return settle(tx, payments, now)
  }
}

/** Posts what the log of the chain does not show: fees of payments that reverted, which `keptFeesAreRight` checks. */
async function postKeptFees({ db, clock }: Simulation, empty: Database): Promise<void> {
  const rows = await db
    .selectFrom('withdrawal')
    .selectAll()
    .where('state', '=', 'failed')
    .where('reason', '=', 'reverted')
    .execute()
  for (const row of rows) {
    await transaction(empty, async (tx) => {
      await post(tx, holdPosting(postedOf(row), clock.now()))
      await post(tx, revertedPosting(postedOf(row), '', clock.now()))
    })
  }
}

async function hold(from: Database, tx: Tx, { reference, blockAt }: ConfirmedPayment): Promise<void> {
  const row = await from.selectFrom('withdrawal').selectAll().where('payout_id', '=', reference).executeTakeFirst()
  if (row === undefined) return
  const { id: _id, payout_amount: _generated, ...terms } = row
  const queued = { ...terms, state: 'queued' as const, payer: null, nonce: null }
  await tx.insertInto('withdrawal').values(queued).execute()
  await post(tx, holdPosting(postedOf(row), blockAt))
}

async function balances(db: Database): Promise<Map<bigint, bigint>> {
  const rows = await db.selectFrom('ledger_balance').select(['account', 'balance']).execute()
  return new Map(rows.filter(({ balance }) => balance !== 0n).map(({ account, balance }) => [account, balance]))
}
