import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '@candela/server/db/open'
import { patientPool } from '@candela/testing/postgres/test-database'
import { must } from '@candela/server/kernel/assert'
import { silentLog } from '@candela/server/kernel/log'
import { HANGS_AFTER_MS } from '@candela/testing/limits'
import { WHOLE } from '@candela/server/modules/power/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../server/simulate/run/random.ts'
import {
  expectBooksToMatch,
  expectEveryCommandOnce,
  expectEveryPaymentOnce,
  expectEveryPayoutOnce,
  expectPowerToMatch,
  isQuiescent,
} from '../../server/test/faults/kill-checks.ts'
import { callServer, type Client, numberOf, Workload } from '../../server/test/faults/kill-workload.ts'
import { type Deployment, readDeployment } from '../deploy/deploy.ts'
import { type Fault, faultsWith } from './faults/faults.ts'
import { ANSWER_MS, chainOf, type ClusterChain, makeMembers } from './faults/people.ts'
import { mark, untilPaymentsGoOn, untilPayoutUnderWay } from './faults/progress.ts'
import { Visitor } from './faults/visitor.ts'
import { type CuttableNetwork, openNetworks, whyNoNetworks } from './network.ts'
import { needs } from '@candela/testing/process/needs'
import { clusterPrograms } from './programs.ts'
import { type Cluster, startCluster } from './start-cluster.ts'

/** A whole cluster that members use while one part after the other is lost. */

/** The faults whose name has this in it; all of them without it. */
const ONLY = process.env['CLUSTER_FAULTS'] ?? ''
/** How often each fault comes. */
const ROUNDS = Number(process.env['CLUSTER_ROUNDS'] ?? 1)
/** Seed of what members do. The timing of the processes is not controlled. */
const seed = Number(process.env['CLUSTER_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
/**
 * So long money may stand still. Only where it is asked for, for a machine that does nothing else: the times are printed, and a busy
 * machine is no fault of the cluster's.
 */
const GOES_ON_WITHIN_MS = Number(process.env['CLUSTER_WITHIN_MS'] ?? HANGS_AFTER_MS)
/** So much is acknowledged after a loss, while the part is still gone. */
const ACKNOWLEDGED_WITHOUT = 20
/** So many of each log are printed after a failure. */
const LINES_OF_A_LOG = 150
/** So that three members do not take all of a small machine. */
const PAUSE_MS = 250

let folder: string
let cluster: Cluster
let network: CuttableNetwork | null = null
let faults: Readonly<Record<string, Fault>>
let deployment: Deployment
const givingUp = new AbortController()
const lines: string[] = []
const print = (line: string) => process.stdout.write(`cluster-faults: ${line}\n`)

beforeAll(async () => {
  // A folder of mkdtemp is for its owner alone, and as root the parts are run by "nobody".
  folder = await mkdtemp(join(tmpdir(), 'candela-faults-'))
  await chmod(folder, 0o755)
  const env = { NODE_ENV: 'development', RATE_LIMIT_SCALE: '1000', SEED_HISTORY: 'off', RECONCILE_INTERVAL_S: '5' }
  const why = await whyNoNetworks()
  if (why === undefined) network = await openNetworks(['pg1', 'pg2', 'pg3'])
  else print(`the primary is not cut off: ${why}`)
  faults = faultsWith(network)
  const options = { env, folder, log: (line: string) => lines.push(line), signal: givingUp.signal }
  cluster = await startCluster({ ...options, ...(network === null ? {} : { network }) })
  deployment = must(await readDeployment(join(folder, 'deployment.json')), 'the cluster has its own chain')
})
afterAll(async () => {
  givingUp.abort()
  await cluster?.stop()
  await network?.close()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})

/** A connection that is opened when it is needed: the primary changes. */
async function read<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({ url: cluster.database.directUrl, log: silentLog(), poolSize: 2, ...patientPool })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** Prints what Patroni did last: the logs go with the folder. */
async function printLogs(): Promise<void> {
  for (const name of ['patroni1', 'patroni2', 'patroni3']) {
    const text = await readFile(join(folder, 'database', 'logs', `${name}.log`), 'utf8')
    print(`${name}:\n${text.split('\n').slice(-LINES_OF_A_LOG).join('\n')}`)
  }
}

async function startLoad(chain: ClusterChain): Promise<{ workload: Workload; visitor: Visitor; paidBefore: string[] }> {
  const clients = await makeMembers(cluster.url, cluster.rpcUrl, deployment)
  const { planId, paidBefore } = await read(async (db) => {
    // A few members do the work of many.
    const settings = {
      openOrders: '1000',
      openDeposits: '10000',
      transfersPerDay: '1000000',
      freeCommandsPerDay: '1000000',
    }
    const updated_at = new Date()
    await db
      .insertInto('setting')
      .values(Object.entries(settings).map(([key, value]) => ({ key, value, updated_at })))
      .execute()
    const plan = await db.selectFrom('power_plan').select('id').orderBy('id').executeTakeFirstOrThrow()
    const events = await db.selectFrom('chain_event').select('tx_hash').where('action', '<>', 'paid').execute()
    return { planId: plan.id, paidBefore: events.map(({ tx_hash }) => tx_hash) }
  })
  const parts = { base: cluster.url, chain, mine: null, clients, planId, random: seededRandom(seed) }
  const workload = new Workload({ ...parts, pause_ms: PAUSE_MS, answer_ms: ANSWER_MS })
  // The desk's stock, whose payer is no member.
  for (const hash of paidBefore) workload.expect(hash as `0x${string}`, 'suspense')
  await payIn(chain, workload, clients)
  await quiesce(workload)
  const visitor = new Visitor(cluster.url, must(clients[0], 'there are members').address, chain.gateway, print)
  workload.start()
  visitor.start()
  return { workload, visitor, paidBefore }
}

/** Deposits more for every member than it can spend. */
async function payIn(chain: ClusterChain, workload: Workload, clients: readonly Client[]): Promise<void> {
  for (const { address } of clients) {
    workload.expect(await chain.pay({ asset: chain.usdt, amount: 50_000n * WHOLE, from: address }), 'balance')
    workload.expect(await chain.pay({ asset: chain.hash, amount: 10_000n * WHOLE, from: address }), 'balance')
  }
}

const quiesce = (workload: Workload) =>
  expect
    .poll(() => read((db) => isQuiescent(db, workload.outcomes.size)), {
      interval: 200,
      message: 'no payment or withdrawal stays open',
    })
    .toBe(true)

/** Loses a part, shows that money goes on to move without it, and has it back. @returns what there is to say of it */
async function lose(name: string, workload: Workload): Promise<string> {
  const fault = must(faults[name], 'it is listed')
  if (fault.stopsLoops) await read(untilPayoutUnderWay)
  const { what, restore } = await fault.strike(cluster)
  const since_ms = performance.now()
  const since = fault.stopsLoops ? await read(mark) : null
  const written = workload.firstAcknowledged(since_ms)
  const write_ms = (await written) - since_ms
  const went = since === null ? {} : await read((db) => untilPaymentsGoOn(db, since))
  await workload.untilAcknowledged(ACKNOWLEDGED_WITHOUT)
  await restore()
  const times = { write_ms, ...went }
  for (const [time, ms] of Object.entries(times))
    expect([name, time, ms < GOES_ON_WITHIN_MS]).toEqual([name, time, true])
  const texts = Object.entries(times).map(([time, ms]) => `${time} ${ms.toFixed(0)}`)
  return `${name} (${what}): ${texts.join(', ')}, whole after ${((performance.now() - since_ms) / 1000).toFixed(1)} s`
}

/** Counts what a server has read from a standby so far; 0 while it uses none. */
const readsOf = async (metricsUrl: string): Promise<number> => {
  const text = await (await fetch(metricsUrl)).text()
  if (!text.includes('\ncandela_standby_unused 0\n')) return 0
  return Number(/candela_standby_reads_total\{from="standby"\} (\d+)/.exec(text)?.[1] ?? 0)
}

test(
  'each api server reads public figures from a standby, also when one of the two is lost',
  needs(...clusterPrograms),
  async () => {
    const apis = cluster.servers.filter(({ name }) => name.startsWith('api'))
    const reads = async () => {
      await Promise.all(apis.map(({ url }) => callServer(url, 'GET home/public', {})))
      return Promise.all(apis.map(({ metricsUrl }) => readsOf(metricsUrl)))
    }
    const least = async () => Math.min(...(await reads()))
    await expect.poll(least).toBeGreaterThan(0)
    const standby = must(
      (await cluster.database.members()).find(({ role }) => role === 'replica'),
      'one of the standbys is not synchronous',
    )
    const before = Math.max(...(await reads()))
    await cluster.database.killPostgres(standby.name)
    await expect.poll(least).toBeGreaterThan(before)
    await cluster.database.ready()
  },
)

test(
  'through the loss of any one part money goes on to move, and nothing acknowledged is lost or done twice',
  { ...needs(...clusterPrograms), timeout: (ROUNDS * Object.keys(faultsWith(null)).length + 4) * 2 * HANGS_AFTER_MS },
  async ({ onTestFailed }) => {
    onTestFailed(printLogs)
    print(`CLUSTER_ROUNDS=${ROUNDS} CLUSTER_SEED=${seed}`)
    const chain = chainOf(cluster.rpcUrl, deployment)
    const { workload, visitor } = await startLoad(chain)
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of Object.keys(faults)) if (name.includes(ONLY)) print(await lose(name, workload))
    }
    await Promise.all([workload.stop(), visitor.stop()])
    const { acknowledged, outcomes, lostAnswers } = workload
    const { signIns, reads, refused } = visitor.visits
    print(
      `${acknowledged.length} commands acknowledged, ${outcomes.size} payments, ${lostAnswers} calls without an answer, ${signIns} sign-ins, ${reads} reads, ${refused} refused`,
    )
    // There must have been something to lose.
    expect(lostAnswers).toBeGreaterThan(0)
    expect(Math.min(signIns, reads, refused)).toBeGreaterThan(0)

    await quiesce(workload)
    for (const { key, client, input, number } of acknowledged) {
      const again = await callServer(cluster.url, key, input, client.token)
      expect([again?.code, again === null ? '' : numberOf(key, again.data)]).toEqual([200, number])
    }
    const startBlock = BigInt(deployment.startBlock)
    await read(async (db) => {
      // The refused commands are not among them: there is no more than these commands.
      await expectEveryCommandOnce(db, acknowledged)
      await expectEveryPaymentOnce(chain, db, startBlock, outcomes)
      await expectEveryPayoutOnce(chain, db, startBlock)
      await expectPowerToMatch(db)
      await expectBooksToMatch(chain, db)
    })
  },
)
