import { erc20Abi } from '@candela/protocol/abi/erc20'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { assetCodes } from '@candela/protocol/money/assets'
import { paymentPostingId } from '@candela/server/chain/crediting/credit-payments'
import type { Database } from '@candela/server/db/open'
import { auditLedger } from '@candela/server/ledger/audit'
import { accountBalance } from '@candela/server/ledger/balances'
import { platformAccount } from '@candela/server/ledger/chart'
import { sql } from 'kysely'
import type { PublicClient } from 'viem'
import { expect } from 'vitest'
import type { Acknowledged, CommandKey, PaymentChain } from './kill-workload.ts'

/** Checks of database and chain, after all work is done, for what a kill could have lost or done twice. */

/** The chain that is compared with the database. */
export type CheckedChain = Pick<PaymentChain, 'gateway' | 'hash' | 'usdt'> & {
  client: Pick<PublicClient, 'getBalance' | 'getBlockNumber' | 'getContractEvents' | 'readContract'>
}

/** True when every payment is credited and no withdrawal is open. */
export async function isQuiescent(db: Database, payments: number): Promise<boolean> {
  const { rows } = await sql<{ open: number; credited: number }>`select
    (select count(*)::int from chain_event where state <> 'credited')
      + (select count(*)::int from withdrawal where state in ('review', 'queued', 'sending')) as open,
    (select count(*)::int from chain_event where action <> 'paid') as credited`.execute(db)
  return rows[0]?.open === 0 && rows[0].credited === payments
}

/** So many blocks are asked for at once: the answer for a long test is larger than viem takes. */
const BLOCKS_AT_ONCE = 500n

/** All events of this name, oldest first. */
async function readEvents<Name extends 'TransactionDetails' | 'Paid'>(
  { client, gateway }: CheckedChain,
  eventName: Name,
  fromBlock: bigint,
) {
  const last = await client.getBlockNumber({ cacheTime: 0 })
  const read = (from: bigint) => {
    const end = from + BLOCKS_AT_ONCE - 1n
    const range = { fromBlock: from, toBlock: end < last ? end : last }
    return client.getContractEvents({ address: gateway, abi: paymentGatewayAbi, eventName, ...range })
  }
  const found: Awaited<ReturnType<typeof read>> = []
  for (let from = fromBlock; from <= last; from += BLOCKS_AT_ONCE) found.push(...(await read(from)))
  return found
}

/** Every payment is credited once, with the expected outcome and one posting. */
export async function expectEveryPaymentOnce(
  chain: CheckedChain,
  db: Database,
  fromBlock: bigint,
  outcomes: ReadonlyMap<string, string>,
): Promise<void> {
  const logs = await readEvents(chain, 'TransactionDetails', fromBlock)
  expect(logs).toHaveLength(outcomes.size)
  const events = await db
    .selectFrom('chain_event')
    .selectAll()
    .where('action', '<>', 'paid')
    .orderBy('block_number')
    .orderBy('log_index')
    .execute()
  expect(events.map((row) => [row.tx_hash, row.log_index, row.block_hash, row.state, row.outcome])).toEqual(
    logs.map((log) => [
      log.transactionHash,
      log.logIndex,
      log.blockHash,
      'credited',
      outcomes.get(log.transactionHash),
    ]),
  )
  const postings = await db
    .selectFrom('ledger_posting')
    .select(['id', 'kind', 'occurred_at', 'memo'])
    .where('kind', 'not in', ['withdrawal-hold', 'withdrawal', 'transfer', 'desk-stock'])
    .execute()
  const ids = logs.map(({ transactionHash }) => paymentPostingId({ txHash: transactionHash, txPosition: 0 }, 0))
  const known = new Set(ids)
  // With its memo, because among thousands an id says nothing.
  expect(postings.filter(({ id }) => !known.has(id))).toEqual([])
  expect(postings.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
}

/** Every withdrawal is done and was paid once by the contract; with those of attestations, nonces are unique and without gaps. */
export async function expectEveryPayoutOnce(chain: CheckedChain, db: Database, fromBlock: bigint): Promise<void> {
  const paid = await readEvents(chain, 'Paid', fromBlock)
  const rows = await db.selectFrom('withdrawal').selectAll().execute()
  expect(rows.filter(({ state }) => state !== 'done')).toEqual([])
  expect(paid.map(({ args }) => String(args.id)).toSorted()).toEqual(rows.map((row) => row.payout_id).toSorted())
  const attestations = await db.selectFrom('attestation').select('nonce').execute()
  // The payer and the attester count their own.
  expectWithoutGap(rows)
  expectWithoutGap(attestations)
}

function expectWithoutGap(rows: readonly { nonce: bigint | null }[]): void {
  const nonces = rows.map(({ nonce }) => Number(nonce)).toSorted((a, b) => a - b)
  expect(nonces).toEqual(nonces.map((_nonce, index) => index))
}

export async function expectBooksToMatch(chain: CheckedChain, db: Database): Promise<void> {
  expect(await auditLedger(db)).toEqual([])
  for (const asset of assetCodes) {
    const address = asset === 'USDT' ? chain.usdt : chain.hash
    const held =
      asset === 'JU'
        ? await chain.client.getBalance({ address: chain.gateway })
        : await chain.client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [chain.gateway] })
    expect([asset, -(await accountBalance(db, platformAccount('custody', asset)))]).toEqual([asset, held])
  }
}

/** Reads the numbers of all rows that a kind of command has made. */
const numbersOf: Record<CommandKey, (db: Database) => Promise<string[]>> = {
  'POST withdraw/apply': async (db) =>
    (await db.selectFrom('withdrawal').select('withdrawal_no as number').execute()).map(({ number }) => number),
  'POST deposit/getOrder': async (db) =>
    (await db.selectFrom('deposit').select('deposit_no as number').execute()).map(({ number }) => number),
  'POST power/getOrder': async (db) =>
    (await db.selectFrom('power_order').select('order_no as number').execute()).map(({ number }) => number),
  'POST transfer/index': async (db) =>
    (await db.selectFrom('ledger_posting').select('memo').where('kind', '=', 'transfer').execute()).map(
      ({ memo }) => (memo as { transferNo: string }).transferNo,
    ),
}

/** Every acknowledged command has its row, and no command has two, including those whose responses were lost. */
export async function expectEveryCommandOnce(db: Database, acknowledged: readonly Acknowledged[]): Promise<void> {
  let commands = 0
  for (const [key, read] of Object.entries(numbersOf) as [CommandKey, (db: Database) => Promise<string[]>][]) {
    const found = await read(db)
    const present = new Set(found)
    expect([key, found.length - present.size]).toEqual([key, 0])
    const own = acknowledged.filter((one) => one.key === key)
    expect([key, own.filter(({ number }) => !present.has(number))]).toEqual([key, []])
    expect([key, new Set(own.map(({ number }) => number)).size]).toEqual([key, own.length])
    commands += found.length
  }
  const requests = await db.selectFrom('request_log').select('request_key').execute()
  expect(commands).toBe(requests.length)
}

/** Each paid order is active once, and a member's power is the sum of these orders. */
export async function expectPowerToMatch(db: Database): Promise<void> {
  const settled = await db.selectFrom('chain_event').select('reference').where('outcome', '=', 'order').execute()
  const active = await db.selectFrom('power_order').selectAll().where('state', '=', 'active').execute()
  expect(active.map((order) => order.order_no).toSorted()).toEqual(settled.map(({ reference }) => reference).toSorted())
  const members = await db.selectFrom('member_power').selectAll().execute()
  for (const { member_id, active_units } of members) {
    const own = active.filter((order) => order.member_id === member_id)
    expect(active_units).toBe(own.reduce((sum, order) => sum + order.units, 0n))
    const log = await db.selectFrom('power_log').select('units').where('member_id', '=', member_id).execute()
    expect(log).toHaveLength(own.length)
  }
  expect(members.length).toBeGreaterThan(0)
}
