/**
 * Measures what following the chain safely costs over only fetching, decoding and inserting. Prints payments per second, medians over
 * interleaved rounds on one chain and one Postgres with fsync on, and the ratio.
 *
 *   npx node tests/bench/follower.ts [--payments 100000] [--rounds 5]
 *
 * follower: the service's work from the contract's first block to the head: links and hashes checked, worth looked up,
 * rows, block and cursor in one transaction a range, the next range fetched while one is written. bare: the same logs
 * and blocks, decoded by the same library and inserted into the same tables, as many a transaction as the follower
 * takes, the next range fetched while one is written as well, and nothing checked or remembered.
 * crediting: the follower, then the ledger with the product's own rules, until every payment is credited.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadArtifact } from '@candela/contracts/artifacts.ts'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { parseRemark } from '@candela/protocol/chain/action-data'
import { createChainClient } from '@candela/server/chain/client'
import { assetsByAddress, paymentTopic } from '@candela/server/chain/follow/read/decode'
import { startTestChain, type TestChain, testNetwork } from '@candela/testing/chain/test-chain'
import { createService } from '@candela/testing/server/service'
import { startEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { migrate } from '@candela/server/db/migrate'
import { type Database, openDatabase, transaction } from '@candela/server/db/open'
import { systemClock } from '@candela/server/kernel/clock'
import { silentLog } from '@candela/server/kernel/log'
import { auditLedger } from '@candela/server/ledger/audit'
import { sql } from 'kysely'
import {
  type Abi,
  decodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  numberToHex,
  type RpcLog,
} from 'viem'
import { median, print, seconds } from './support/figures.ts'
import { readFlags } from '../../scripts/usage.ts'

const { values: flags } = readFlags(import.meta.filename, {
  options: {
    payments: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
  },
})
const transactionDetails = getAbiItem({ abi: paymentGatewayAbi, name: 'TransactionDetails' })
const perTransaction = 20
const perBlock = 500
const blocks = Math.ceil(Number(flags.payments) / perBlock)
const payments = blocks * perBlock
const rounds = Number(flags.rounds)
/** As many blocks a range as the follower comes to take by itself: about 5,000 payments. */
const bareWidth = 10n
const confirmations = { normal: 12, large: 30, largeAbove: 10_000n * 10n ** 18n }

/** Puts the payments on the chain, and enough blocks behind them that all are deep. */
async function fillChain(chain: TestChain, startBlock: bigint): Promise<void> {
  const artifact = await loadArtifact('PaymentBurst')
  const abi = artifact.abi as Abi
  const deployed = await chain.mined(
    await chain.send(chain.deployer, null, encodeDeployData({ abi, bytecode: artifact.bytecode })),
  )
  const burst = deployed.contractAddress as Hex
  const value = BigInt((perTransaction * (perTransaction + 1)) / 2)
  for (let block = 0; block < blocks; block++) {
    for (let sent = 0; sent < perBlock; sent += perTransaction) {
      const customer = chain.payers[(sent / perTransaction) % chain.payers.length] as Hex
      const args = [chain.gateway, customer, BigInt(perTransaction)]
      await chain.send(chain.deployer, burst, encodeFunctionData({ abi, functionName: 'burst', args }), value)
    }
    await chain.mine()
  }
  await chain.mine(2 * confirmations.large + 1)
  const logs = await countPayments(chain, startBlock)
  if (logs !== payments) throw new Error(`the chain holds ${logs} payments instead of ${payments}`)
}

async function countPayments(chain: TestChain, startBlock: bigint): Promise<number> {
  let count = 0
  const head = await chain.client.getBlockNumber()
  for (let from = startBlock; from <= head; from += bareWidth) {
    count += (await fetchLogs(chain, from, from + bareWidth - 1n)).length
  }
  return count
}

const fetchLogs = (chain: TestChain, from: bigint, to: bigint): Promise<RpcLog[]> =>
  readClient(chain).request({
    method: 'eth_getLogs',
    params: [
      { address: chain.gateway, topics: [paymentTopic], fromBlock: numberToHex(from), toBlock: numberToHex(to) },
    ],
  })

/** As the follower reads: requests of one tick travel together. */
const readClient = (chain: TestChain) =>
  createChainClient({ network: testNetwork, rpcUrl: chain.url, retries: 0, timeout_ms: 30_000 })

/** Fetch, decode, insert, and nothing else. The next range is fetched while one is written, as the follower does it. */
async function bareLoop(chain: TestChain, db: Database, startBlock: bigint): Promise<void> {
  const client = readClient(chain)
  const head = await client.getBlockNumber()
  const last = head - 2n * BigInt(confirmations.large)
  const fetchFrom = (from: bigint) => {
    const to = from + bareWidth - 1n < last ? from + bareWidth - 1n : last
    const range = fetchRange(chain, client, from, to)
    // Awaited after the range before it is written; its failure is told there.
    range.catch(() => undefined)
    return range
  }
  let fetched = fetchFrom(startBlock)
  for (let from = startBlock; from <= last; from += bareWidth) {
    const range = await fetched
    if (from + bareWidth <= last) fetched = fetchFrom(from + bareWidth)
    await writeRange(db, range)
  }
}

async function fetchRange(chain: TestChain, client: ReturnType<typeof readClient>, from: bigint, to: bigint) {
  const assets = assetsByAddress(chain)
  const logs = await fetchLogs(chain, from, to)
  const numbers = [...new Set([...logs.map(({ blockNumber }) => blockNumber), numberToHex(to)])] as Hex[]
  const headers = await Promise.all(
    numbers.map((number) => client.request({ method: 'eth_getBlockByNumber', params: [number, false] })),
  )
  const times = new Map(headers.map((block) => [block?.number, new Date(Number(block?.timestamp) * 1000)]))
  const rows = logs.map((log) => {
    const [tokens, amounts, remark, people] = decodeAbiParameters(transactionDetails.inputs, log.data)
    const parsed = parseRemark(remark)
    return {
      log,
      at: times.get(log.blockNumber),
      action: parsed?.key ?? 'unknown',
      reference: parsed?.reference ?? remark,
      asset: assets.get(String(tokens[0])) ?? 'JU',
      amount: amounts[0],
      payer: people[0]?.toLowerCase(),
      customer: people[1]?.toLowerCase(),
    }
  })
  const block = headers.at(-1)
  return { rows, to, hash: block?.hash, parentHash: block?.parentHash, at: times.get(block?.number) }
}

const writeRange = (
  db: Database,
  { rows, to, hash, parentHash, at }: Awaited<ReturnType<typeof fetchRange>>,
): Promise<void> =>
  transaction(db, async (tx) => {
    await sql`
      insert into chain_event (tx_hash, log_index, tx_position, block_number, block_hash, block_at, action, reference,
        asset, amount, payer, customer, confirmations_needed)
      select * from unnest(
        ${rows.map(({ log }) => log.transactionHash)}::text[],
        ${rows.map(({ log }) => Number(log.logIndex))}::integer[],
        ${rows.map(({ log }) => Number(log.logIndex))}::integer[],
        ${rows.map(({ log }) => Number(log.blockNumber))}::bigint[],
        ${rows.map(({ log }) => log.blockHash)}::text[],
        ${rows.map((row) => row.at)}::timestamptz[],
        ${rows.map(({ action }) => action)}::text[],
        ${rows.map(({ reference }) => reference)}::text[],
        ${rows.map(({ asset }) => asset)}::text[],
        ${rows.map(({ amount }) => amount)}::numeric[],
        ${rows.map(({ payer }) => payer)}::text[],
        ${rows.map(({ customer }) => customer)}::text[],
        ${rows.map(() => 12)}::integer[]
      )`.execute(tx)
    await sql`
      insert into chain_block (number, hash, parent_hash, at) values (${to}, ${hash}, ${parentHash}, ${at})`.execute(tx)
  })

type ChainWork = ReturnType<typeof createService>['chainWork']

async function follow(work: ChainWork): Promise<void> {
  while (await work.follow());
}

async function creditAll(work: ChainWork): Promise<void> {
  while ((await work.credit(1000)).credited > 0);
}

/** Nothing that was measured counts unless the rows are right. */
async function check(db: Database, expected: { credited: number }): Promise<void> {
  const { rows } = await sql<{ events: bigint; amounts: bigint; credited: bigint }>`
    select count(*) as events, sum(amount) as amounts, count(*) filter (where state = 'credited') as credited
    from chain_event`.execute(db)
  const amounts = BigInt(payments / perTransaction) * BigInt((perTransaction * (perTransaction + 1)) / 2)
  const [row] = rows
  if (Number(row?.events) !== payments || row?.amounts !== amounts || Number(row.credited) !== expected.credited) {
    throw new Error(`wrong rows: ${row?.events} events, ${row?.amounts} base units, ${row?.credited} credited`)
  }
  if (expected.credited > 0 && (await auditLedger(db)).length > 0) throw new Error('the ledger does not add up')
}

const member = (address: Hex) => ({
  address,
  inviter_id: null,
  invitation_code: `B${address.slice(-10).toUpperCase()}`,
  joined_at: systemClock.now(),
})

/** The schema with the payers' accounts, as a template for the database of each round. */
async function makeTemplate(chain: TestChain, url: (database?: string) => string, cluster: Database): Promise<void> {
  await sql`create database template_follower`.execute(cluster)
  const db = openDatabase({ url: url('template_follower'), log: silentLog(), poolSize: 1 })
  await migrate(db)
  await db.insertInto('member').values(chain.payers.map(member)).execute()
  await db.destroy()
}

type Round = (db: Database) => Promise<number>

async function inFreshDatabase(url: (database?: string) => string, cluster: Database, round: Round): Promise<number> {
  await sql`create database round_follower template template_follower`.execute(cluster)
  const db = openDatabase({ url: url('round_follower'), log: silentLog(), poolSize: 4 })
  try {
    return await round(db)
  } finally {
    await db.destroy()
    await sql`drop database round_follower with (force)`.execute(cluster)
    await sql`checkpoint`.execute(cluster)
  }
}

async function measure(chain: TestChain, startBlock: bigint, url: (database?: string) => string, cluster: Database) {
  const followerRound: Round = async (db) => {
    const client = readClient(chain)
    const contracts = { gateway: chain.gateway, usdt: chain.usdt, hash: chain.hash }
    const service = createService({ db, clock: systemClock, client, network: testNetwork, contracts, confirmations })
    await service.startFollowing(startBlock)
    const took = await seconds(() => follow(service.chainWork))
    await check(db, { credited: 0 })
    const took_crediting = await seconds(() => creditAll(service.chainWork))
    crediting.push(payments / (took + took_crediting))
    await check(db, { credited: payments })
    return payments / took
  }
  const bareRound: Round = async (db) => {
    const took = await seconds(() => bareLoop(chain, db, startBlock))
    await check(db, { credited: 0 })
    return payments / took
  }
  const follower: number[] = []
  const bare: number[] = []
  const crediting: number[] = []
  const ratios: number[] = []
  // The first round warms caches and code and does not count.
  for (let round = 0; round <= rounds; round++) {
    const all = [followerRound, bareRound]
    // The order alternates.
    const figures = new Map<Round, number>()
    for (const one of round % 2 === 0 ? all : all.toReversed()) {
      figures.set(one, await inFreshDatabase(url, cluster, one))
    }
    const [ours = 0, theirs = 0] = all.map((one) => figures.get(one))
    if (round === 0) {
      crediting.length = 0
      continue
    }
    follower.push(ours)
    bare.push(theirs)
    ratios.push(ours / theirs)
    print(
      `round ${round}: follower ${ours.toFixed(0)}/s, bare ${theirs.toFixed(0)}/s, ratio ${(ours / theirs).toFixed(3)}`,
    )
  }
  print(`follower: median ${median(follower).toFixed(0)} payments/s recorded`)
  print(`bare loop: median ${median(bare).toFixed(0)} payments/s`)
  print(`recorded and credited: median ${median(crediting).toFixed(0)} payments/s`)
  print(`ratio follower / bare: median ${median(ratios).toFixed(3)} (aim: at least 0.85)`)
}

const folder = await mkdtemp(join(tmpdir(), 'candela-bench-'))
const postgres = await startEmbeddedPostgres({ folder })
const cluster = openDatabase({ url: postgres.url(), log: silentLog(), poolSize: 1 })
const chain = await startTestChain()
try {
  const startBlock = (await chain.client.getBlockNumber()) + 1n
  const filling = await seconds(() => fillChain(chain, startBlock))
  print(`${payments} payments in ${blocks} blocks on chain after ${filling.toFixed(1)} s`)
  const url = (database?: string) => postgres.url(database)
  await makeTemplate(chain, url, cluster)
  await measure(chain, startBlock, url, cluster)
} finally {
  await chain.stop()
  await cluster.destroy()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
