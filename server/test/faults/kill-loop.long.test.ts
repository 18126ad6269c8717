import { setTimeout as sleep } from 'node:timers/promises'
import { startTestChain, type TestChain, attesterKey, payerKey } from '@candela/testing/chain/test-chain'
import { migrate } from '@candela/server/db/migrate'
import { must } from '@candela/server/kernel/assert'
import { HANGS_AFTER_MS } from '@candela/testing/limits'
import { addMember, addPlan, WHOLE } from '@candela/server/modules/power/testing'
import type { Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type Random, seededRandom } from '../../simulate/run/random.ts'
import { callServer, type Client, signIn, Workload, numberOf } from './kill-workload.ts'
import { RestartableService, type KillTarget, killTargets } from './restartable-service.ts'
import {
  expectBooksToMatch,
  expectEveryCommandOnce,
  expectEveryPaymentOnce,
  expectEveryPayoutOnce,
  expectPowerToMatch,
  isQuiescent,
} from './kill-checks.ts'
import { environmentOf, temporaryFolder } from '@candela/testing/server/server-process'

/** A small number by default; `KILLS=100` for the complete run. */
const KILLS = Number(process.env['KILLS'] ?? 8)
/** Seed of what is killed and what clients do. The timing of the processes is not controlled. */
const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const CLIENTS = 4
const print = (line: string) => process.stdout.write(`kill-loop: ${line}\n`)

/** Adds members with funded accounts of the chain. They sign in when the server runs. */
async function makeClients(
  chain: TestChain,
  service: RestartableService,
): Promise<{ clients: Client[]; planId: bigint }> {
  return service.read(async (db) => {
    await migrate(db)
    const planId = await addPlan(db, { totalUnits: 1_000_000 })
    // A few clients do the work of many.
    const settings = { openOrders: '1000', openDeposits: '10000', transfersPerDay: '1000000' }
    const updated_at = new Date()
    await db
      .insertInto('setting')
      .values(Object.entries(settings).map(([key, value]) => ({ key, value, updated_at })))
      .execute()
    const clients: Client[] = []
    for (let nth = 0; nth < CLIENTS; nth++) {
      const account = mnemonicToAccount('test test test test test test test test test test test junk', {
        addressIndex: nth + 1,
      })
      const address = account.address.toLowerCase() as Hex
      expect(address).toBe(chain.payers[nth])
      const stranger = must(chain.payers[CLIENTS + nth], 'anvil has ten accounts')
      clients.push({ account, address, stranger, memberId: await addMember(db, address), token: '' })
    }
    return { clients, planId }
  })
}

/** Deposits more for every client than it can spend. */
async function payIn(chain: TestChain, workload: Workload, clients: readonly Client[]): Promise<void> {
  for (const { address } of clients) {
    for (const asset of [chain.usdt, chain.hash]) {
      workload.expect(await chain.pay({ asset, amount: 5_000_000n * WHOLE, from: address }), 'balance')
    }
  }
}

async function quiesce(chain: TestChain, service: RestartableService, workload: Workload): Promise<void> {
  const isDone = async () => {
    service.expectToRun()
    await chain.client.mine({ blocks: 1 })
    return service.read((db) => isQuiescent(db, workload.outcomes.size))
  }
  await expect.poll(isDone, { interval: 100, message: 'no payment or withdrawal stays open' }).toBe(true)
}

/** Waits for work, and gives up on what hangs and when the server ends by itself. */
async function whileRunning(service: RestartableService, failure: string, work: () => Promise<void>): Promise<void> {
  const failed = Promise.withResolvers<never>()
  const late = setTimeout(() => failed.reject(new Error(failure)), HANGS_AFTER_MS)
  const watch = setInterval(() => {
    try {
      service.expectToRun()
    } catch (error) {
      failed.reject(error)
    }
  }, 5)
  try {
    await Promise.race([work(), failed.promise])
  } finally {
    clearInterval(watch)
    clearTimeout(late)
  }
}

/** Kills repeatedly while the workload runs. Returns what was killed and how long its recovery took, in ms. */
async function killRepeatedly(
  service: RestartableService,
  workload: Workload,
  random: Random,
): Promise<[KillTarget, number][]> {
  const recoveries: [KillTarget, number][] = []
  for (let kills = 0; kills < KILLS;) {
    const target = random.weighted(killTargets)
    const since_ms = await service.kill(target)
    kills += target === 'starting' || target === 'everything' ? 2 : 1
    // However slow the service is, there is something to lose again before the next kill.
    const more = 4 + random.below(30)
    const failure = `too little is acknowledged after the kill: ${target}`
    await whileRunning(service, failure, async () => {
      const first_ms = await workload.firstAcknowledged(since_ms)
      recoveries.push([target, first_ms - since_ms])
      await workload.untilAcknowledged(more)
    })
    await sleep(random.below(20))
  }
  return recoveries
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

function printTimes(name: string, times: readonly number[]): void {
  const [middle, worst] = [median(times), Math.max(...times)].map((ms) => ms.toFixed(0))
  print(`${name}: ${times.length} recoveries, median ${middle} ms, worst ${worst} ms`)
}

/** How long they took is a measurement: `tests/bench/recovery.ts` reads the last of these lines and holds it against its limit. */
function report(recoveries: readonly [KillTarget, number][]): void {
  for (const target of Object.keys(killTargets) as KillTarget[]) {
    const times = recoveries.filter(([killed]) => killed === target).map(([, ms]) => ms)
    if (times.length > 0) printTimes(target, times)
  }
  printTimes(
    'all',
    recoveries.map(([, ms]) => ms),
  )
}

test(
  `${KILLS} kills of server and Postgres: nothing acknowledged is lost, nothing is done twice`,
  // Each recovery has its own limit.
  { timeout: (KILLS + 3) * HANGS_AFTER_MS },
  async () => {
    print(`KILLS=${KILLS} KILL_SEED=${seed}`)
    const random = seededRandom(seed)
    await using chain = await startTestChain()
    await using data = await temporaryFolder()
    await using service = await RestartableService.start(data.path, random)
    const env: Record<string, string> = {
      ...(await environmentOf(chain, service)),
      PAYER_KEY: payerKey,
      ATTESTER_KEY: attesterKey,
      RATE_LIMIT_SCALE: '1000',
      // Blocks come ten times as fast as on the real chain.
      MAX_LAG_BLOCKS: '300',
      // So that the loops of a new process run before the next kill.
      LEASE_MS: '600',
    }
    const { clients, planId } = await makeClients(chain, service)
    await service.serve(env)
    const base = `http://127.0.0.1:${must(env['PORT'], 'set above')}`
    for (const client of clients) await signIn(base, client)
    // By the clock of this machine: a second for each of these blocks would put the chain minutes ahead, and prices out of use.
    const mine = () => chain.client.mine({ blocks: 1 })
    const workload = new Workload({ base, chain, mine, clients, planId, random })
    await payIn(chain, workload, clients)
    await quiesce(chain, service, workload)

    workload.start()
    const recoveries = await killRepeatedly(service, workload, random)
    await workload.stop()
    report(recoveries)
    const { acknowledged, outcomes, lostAnswers } = workload
    print(
      `${acknowledged.length} commands acknowledged, ${outcomes.size} payments, ${lostAnswers} calls without an answer`,
    )
    // There must have been something to lose.
    expect(lostAnswers).toBeGreaterThan(recoveries.length)
    expect(acknowledged.length).toBeGreaterThan(3 * recoveries.length)

    await quiesce(chain, service, workload)
    for (const { key, client, input, number } of acknowledged.slice(-20)) {
      const again = await callServer(base, key, input, client.token)
      expect([again?.code, again === null ? '' : numberOf(key, again.data)]).toEqual([200, number])
    }
    const output = await service.stopServer()
    for (const key of [payerKey, attesterKey]) expect(output).not.toContain(key.slice(2))
    const startBlock = BigInt(must(env['START_BLOCK'], 'set above'))
    await service.read(async (db) => {
      await expectEveryCommandOnce(db, acknowledged)
      await expectEveryPaymentOnce(chain, db, startBlock, outcomes)
      await expectEveryPayoutOnce(chain, db, startBlock)
      await expectPowerToMatch(db)
      await expectBooksToMatch(chain, db)
    })
  },
)
