import { createTestDatabase, lockWaits, type TestDatabase } from '@candela/testing/postgres/test-database'
import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { codes } from '@candela/protocol/codes/codes'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChainClient } from '../../chain/client.ts'
import { askContractOn } from '../../chain/signature/ask-contract.ts'
import type { Prices } from '../../chain/price/price.ts'
import { type ForCalls, openForCalls, partOf, NoTurn } from '../../db/for-calls.ts'
import { advisoryLocks } from '../../db/advisory-locks.ts'
import { isLockTimeout, openPool, transaction, type Tx } from '../../db/open.ts'
import { isAppError } from '../../kernel/errors.ts'
import { fakeClock } from '../../kernel/clock.ts'
import { systemIds } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { takeFromHour } from '../../modules/exchange/desk-limit.ts'
import { lockFund } from '../../modules/fund/read-fund.ts'
import { addMember, addPlan } from '../../modules/power/testing.ts'
import { lockPlan } from '../../modules/power/plans/plan.ts'
import { lockProject } from '../../modules/lending/project/lend.ts'
import { createProject, newProject } from '../../modules/lending/project/manage-projects.ts'
import { handlersForCalls } from './handlers-for-calls.ts'

const POOL = 12
const now = new Date('2026-03-01T12:00:00Z')
const contract = (digit: string) => `0x${digit.repeat(40)}` as const

let own: TestDatabase
let calls: ForCalls
let memberId: bigint
beforeAll(async () => {
  own = await createTestDatabase()
  calls = openForCalls({ url: own.url, log: silentLog(), poolSize: POOL })
  memberId = await addMember(own.db, contract('a'))
})
afterAll(async () => {
  await calls.reads.destroy()
  await own.drop()
})

/** Holds what the statement locks while the work runs. */
async function holding<T>(statement: string, work: () => Promise<T>): Promise<T> {
  return transaction(own.db, async (tx) => {
    await sql.raw(statement).execute(tx)
    return work()
  })
}

function handlersOf() {
  const clock = fakeClock(now.toISOString())
  const network = {
    chainId: `0x${CHAIN_ID.toString(16)}`,
    chainName: 'none',
    nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
    rpcUrls: [],
    blockExplorerUrls: [],
  }
  const chain = {
    gateway: contract('c'),
    usdt: contract('d'),
    hash: contract('e'),
    confirmations: { normal: 12, large: 30, largeAbove: 10n ** 22n },
    maxHeadAge_s: 60,
    maxLag_blocks: 60,
  }
  const client = createChainClient({ network, rpcUrl: 'http://127.0.0.1:9', retries: 0 })
  const config = {
    network,
    walletConnect: null,
    signIn: { domain: 'candela.test', uri: 'https://candela.test' },
    chain,
  }
  return handlersForCalls(
    { config, askContract: askContractOn(client), ids: systemIds(clock), log: silentLog() },
    calls,
  )
}

test('while somebody holds the fund, commands are told to come again, and reads go on', async () => {
  const handlers = handlersOf()
  const context = {
    lang: 'en' as const,
    callId: 'call',
    now,
    clientAddress: '127.0.0.1',
    userAgent: '',
    memberId,
    sessionId: '1',
  }
  let asked = 0
  const move = () =>
    handlers['POST finance/transferIn'](
      { amount: 10n ** 18n, requestId: requestIdNamed(String((asked += 1)), now) },
      context,
    )
  await holding('select from fund for update', async () => {
    const commands = Array.from({ length: 2 * POOL }, move)
    const ended = Promise.allSettled(commands)
    let isOver = false
    void ended.then(() => (isOver = true))
    // As many as may wait for it: three quarters of the connections.
    await expect.poll(() => lockWaits(own.db), { interval: 5 }).toBe(9)
    const reads = await Promise.all(Array.from({ length: 2 * POOL }, () => handlers['GET finance/info']({}, context)))
    expect([reads.length, isOver]).toEqual([2 * POOL, false])
    const reasons = (await ended).map((one) => (one.status === 'rejected' ? (one.reason as unknown) : 'done'))
    expect(reasons.filter((reason) => !isAppError(reason, codes.slowDown))).toEqual([])
  })
  // Now it is free: the command is refused for what it is.
  await expect(move()).rejects.toMatchObject({ code: codes.notEnoughBalance })
})

test('nothing that many calls lock is waited for without end', async () => {
  const { db } = own
  const planId = await addPlan(db)
  const text = { zh: '借款', tw: '借款', en: 'Loan' }
  const lines = { initialRate: '0.5', safetyLine: '0.7', clearingLine: '0.8' }
  const terms = { collateral: 'HASH', total: '1000', rate: '0.05', ...lines }
  const project = newProject.parse({ name: text, information: text, ...terms })
  await transaction(db, (tx) => createProject(tx, 'PROJECT1', project, now))
  const prices = { JU: null, HASH: null } as unknown as Prices
  const limits = { prices, hourBps: 1_000, now }
  const locks: Record<string, [statement: string, lock: (tx: Tx) => Promise<unknown>]> = {
    fund: ['select from fund for update', lockFund],
    project: ['select from project for update', (tx) => lockProject(tx, 'PROJECT1')],
    plan: ['select from power_plan for update', (tx) => lockPlan(tx, Number(planId))],
    desk: [
      `select pg_advisory_xact_lock(${advisoryLocks.desk}, hashtext('HASH'))`,
      (tx) => takeFromHour(tx, { from: 'USDT', to: 'HASH', fromPrice: 1n }, 1n, limits),
    ],
  }
  const { reads, commands } = openForCalls({ url: own.url, log: silentLog(), poolSize: POOL, lockTimeout_ms: 20 })
  for (const [what, [statement, lock]] of Object.entries(locks)) {
    const failure = await holding(statement, () =>
      transaction(commands, lock).then(
        () => 'not waited for',
        (error: unknown) => error,
      ),
    )
    expect({ what, waited: isLockTimeout(failure) }).toEqual({ what, waited: true })
  }
  await reads.destroy()
})

test('a part of a pool gives each connection to who waited longest, and nobody waits for ever', async () => {
  const pool = openPool(silentLog(), { connectionString: own.url, max: 4 })
  const part = partOf(pool, 2, 1)
  const [first, second] = [await part.connect(), await part.connect()]
  await expect(part.connect()).rejects.toBeInstanceOf(NoTurn)
  const patient = partOf(pool, 1)
  const held = await patient.connect()
  const order: number[] = []
  const waiting = [1, 2].map(async (nth) => {
    const client = await patient.connect()
    order.push(nth)
    client.release()
  })
  held.release()
  await Promise.all(waiting)
  expect(order).toEqual([1, 2])
  first.release()
  second.release()
  await pool.end()
})
