import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import { needs } from '@candela/testing/process/needs'
import { migrate } from '@candela/server/db/migrate'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { must } from '@candela/server/kernel/assert'
import { addPlan, WHOLE } from '@candela/server/modules/power/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectBooksToMatch, expectEveryPayoutOnce } from '../faults/kill-checks.ts'
import { callServer } from '../faults/kill-workload.ts'
import { environmentOf, Server, temporaryFolder } from '@candela/testing/server/server-process'
import { startTestChain, type TestChain, attesterKey, payerKey } from '@candela/testing/chain/test-chain'
import { type Api, call, join, type Person, startApi, startWorker, transferInput, usdtOf } from './people.ts'
import { checkOutPrevious, copyMigrations, type PreviousVersion } from './previous-version.ts'

/**
 * The previous version's servers beside those of this one, on a database that this one has migrated, and on one that has a
 * later migration than both.
 */

const LEASE_MS = 3_000

let previous: PreviousVersion | undefined
let chain: TestChain
let database: TestDatabase
let temporary: Awaited<ReturnType<typeof temporaryFolder>>
let env: Record<string, string>
const running: Server[] = []

beforeAll(async () => {
  ;[previous, chain, database, temporary] = await Promise.all([
    checkOutPrevious(),
    startTestChain(),
    createTestDatabase({ asOwner: true }),
    temporaryFolder(),
  ])
  const base = await environmentOf(chain, database)
  const keys = { PAYER_KEY: payerKey, ATTESTER_KEY: attesterKey }
  env = { ...base, ...keys, RATE_LIMIT_SCALE: '1000', RECONCILE_INTERVAL_S: '1', MAX_LAG_BLOCKS: '300' }
  if (previous?.goesOnBesideNewer === true) await migrateFurther(`works from ${before()} on`)
})
afterAll(async () => {
  await Promise.all(running.map((server) => server.end('SIGKILL')))
  await chain?.stop()
  await database?.drop()
  await previous?.[Symbol.asyncDispose]()
  await temporary?.[Symbol.asyncDispose]()
})

const before = () => String(must(previous, 'it is there').lastMigration).padStart(4, '0')

/** Applies a migration that neither version knows: one that widens what there is. */
async function migrateFurther(previousVersion: string): Promise<void> {
  const folder = joinPath(temporary.path, 'migrations')
  await mkdir(folder)
  await copyMigrations(folder)
  await writeFile(
    joinPath(folder, '9000_wider.sql'),
    `-- previous version: ${previousVersion}
     create table invented (id bigint primary key);
     alter table withdrawal add column invented text;
     alter table member add column invented bigint not null default 7;`,
  )
  await migrate(database.db, folder)
  await rm(folder, { recursive: true })
}

/** The first migration beside which the previous version may not run; undefined when there is none. */
async function stoppedFirst(): Promise<string | undefined> {
  const { lastMigration: last, goesOnBesideNewer } = must(previous, 'it is there')
  const newer = await database.db
    .selectFrom('schema_migration')
    .select(['name', 'works_from'])
    .where('number', '>', last)
    .orderBy('number')
    .execute()
  return newer.find(({ works_from: from }) => !goesOnBesideNewer || from === null || from > last)?.name
}

async function start<T extends Server | Api>(starting: Promise<T>): Promise<T> {
  const started = await starting
  running.push(started instanceof Server ? started : started.server)
  return started
}

const leads = async ({ child }: Server): Promise<boolean> => {
  const { rows } = await sql<{ holder: string }>`select holder from lease where expires_at > clock_timestamp()`.execute(
    database.db,
  )
  return rows[0]?.holder.endsWith(` ${child.pid}`) === true
}

/** Mines a block after the other until it is so. */
const withBlocks = (isSo: () => Promise<boolean>) =>
  expect
    .poll(
      async () => {
        await chain.client.mine({ blocks: 1 })
        return isSo()
      },
      { interval: 100 },
    )
    .toBe(true)

async function deposit(person: Person, amount: number, seenBy: Api): Promise<void> {
  const known = await usdtOf(seenBy, person)
  await chain.pay({ asset: chain.usdt, amount: BigInt(amount) * WHOLE, from: person.address })
  await withBlocks(async () => (await usdtOf(seenBy, person)) === known + amount)
}

/** Stops the worker that leads. @returns milliseconds until the other one leads */
async function handOver(from: Server, to: Server): Promise<number> {
  await expect.poll(() => to.output).toContain('lease.held-elsewhere')
  const since_ms = performance.now()
  from.child.kill('SIGTERM')
  await expect.poll(() => leads(to), { interval: 10 }).toBe(true)
  const took_ms = performance.now() - since_ms
  expect(await from.exited).toBe(0)
  return took_ms
}

test(
  'both answer, and the worker of either leads: money moves through both, and the books are those of the chain',
  needs('git', 'tar'),
  async ({ skip, annotate }) => {
    skip(previous === undefined, 'needs the history of git: the clone has none')
    const { program, commit, goesOnBesideNewer } = must(previous, 'it was not skipped')
    const alone = await stoppedFirst()
    skip(alone !== undefined, `${alone} says that the version before it must be stopped`)
    await annotate(
      `previous version: ${commit}, ${goesOnBesideNewer ? 'with' : 'without'} a later migration than its own`,
    )
    const oldApi = await start(startApi(env, program))
    const newApi = await start(startApi(env))
    expect(oldApi.server.child.spawnargs).toContain(program)
    expect(newApi.server.child.spawnargs).not.toContain(program)
    const alice = await join(database.db, oldApi, 1)
    const bob = await join(database.db, newApi, 2)
    const planId = await addPlan(database.db)

    const oldWorker = await start(startWorker(env, program))
    await expect.poll(() => leads(oldWorker)).toBe(true)
    await deposit(alice, 100, newApi)
    await deposit(bob, 100, oldApi)

    let requests = 0
    const transfer = async (through: Api, other: Api, [from, to]: [Person, Person], amount: number) => {
      const input = await transferInput(chain, {
        from,
        to,
        amount,
        requestId: requestIdNamed(`transfer-${++requests}-x`, new Date()),
      })
      const made = await call(through, 'POST transfer/index', input, from)
      // Repeated at the other version it is the same one.
      expect(await call(other, 'POST transfer/index', input, from)).toEqual(made)
    }
    const order = async (through: Api, other: Api, person: Person) => {
      const input = {
        planId: String(planId),
        units: '1',
        asset: 'USDT',
        requestId: requestIdNamed(`order-${++requests}-xxx`, new Date()),
      }
      const made = await call<{ order: { orderNo: string } }>(through, 'POST power/getOrder', input, person)
      const listed = await call<{ items: { orderNo: string }[] }>(other, 'GET power/orderList', {}, person)
      expect(listed.items.map(({ orderNo }) => orderNo)).toContain(made.order.orderNo)
    }
    const withdraw = async (through: Api, person: Person) => {
      const input = { asset: 'USDT', amount: '7', requestId: requestIdNamed(`withdrawal-${++requests}`, new Date()) }
      // Refused (5033) until the books were compared with the chain.
      await withBlocks(
        async () => (await callServer(through.base, 'POST withdraw/apply', input, person.token)) !== null,
      )
      await withBlocks(async () => {
        const open = await database.db.selectFrom('withdrawal').select('id').where('state', '<>', 'done').execute()
        return open.length === 0
      })
    }
    const expectSame = async (person: Person) => {
      const [one, other] = [
        await call(oldApi, 'GET statement/list', {}, person),
        await call(newApi, 'GET statement/list', {}, person),
      ]
      expect(one).toEqual(other)
    }
    const everything = async () => {
      await transfer(oldApi, newApi, [alice, bob], 5)
      await transfer(newApi, oldApi, [bob, alice], 3)
      await order(oldApi, newApi, alice)
      await order(newApi, oldApi, bob)
      await withdraw(oldApi, alice)
      await withdraw(newApi, bob)
      await expectSame(alice)
      await expectSame(bob)
    }
    await everything()

    const newWorker = await start(startWorker(env))
    const there_ms = await handOver(oldWorker, newWorker)
    await deposit(alice, 20, oldApi)
    await everything()

    const oldAgain = await start(startWorker(env, program))
    const back_ms = await handOver(newWorker, oldAgain)
    await deposit(bob, 20, newApi)
    await everything()

    await annotate(`taken over after ${Math.round(there_ms)} ms, and back after ${Math.round(back_ms)} ms`)
    expect(Math.max(there_ms, back_ms)).toBeLessThan(LEASE_MS)
    await expectEveryPayoutOnce(chain, database.db, BigInt(must(env['START_BLOCK'], 'it is set')))
    await expectBooksToMatch(chain, database.db)
  },
)

test('this version starts beside a later migration that says so, and not beside one that does not', async () => {
  await using later = await createTestDatabase({ asOwner: true })
  const { rows } = await sql<{ last: number }>`select max(number) as last from schema_migration`.execute(later.db)
  const add = (number: number, worksFrom: number | null) =>
    sql`
      insert into schema_migration (number, name, hash, works_from)
      values (${number}, ${`${number}_invented.sql`}, 'x', ${worksFrom})`.execute(later.db)
  await add(9001, must(rows[0], 'it is migrated').last)
  const beside = await start(startApi({ ...env, DATABASE_URL: later.url }))
  expect(beside.server.output).toContain('"newer":["9001_invented.sql"]')
  await add(9002, null)
  const refused = new Server({ ...env, ROLE: 'api', DATABASE_URL: later.url })
  expect(await refused.exited).toBe(1)
  expect(refused.output).toContain(
    'candela: the database has migration 9002_invented.sql, which this version does not know',
  )
})
