import { freePort } from '@candela/testing/process/ports'
import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { transferTypedData } from '@candela/protocol/chain/typed-data'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { must } from '@candela/server/kernel/assert'
import { addMember, WHOLE } from '@candela/server/modules/power/testing'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environmentOf, Server } from '@candela/testing/server/server-process'
import { startTestChain, type TestChain, attesterKey, payerKey } from '@candela/testing/chain/test-chain'
import { type Fault, startFaultyProxy } from '@candela/testing/proxies/faulty-proxy'
import { type Loss, startCuttableProxy } from './cuttable-proxy.ts'
import { expectBooksToMatch, expectEveryPayoutOnce } from './kill-checks.ts'
import { callServer, type Client, signIn } from './kill-workload.ts'

/** Several server processes on one database, of which the one that has the lease is killed, paused or cut off. */

/** How long the loops may stand still when their server is gone. */
const TAKEOVER_LIMIT_MS = 5_000

type Person = Pick<Client, 'account' | 'address' | 'memberId' | 'token'>

let chain: TestChain
let database: TestDatabase
let env: Record<string, string>
let api: { server: Server; base: string }
let alice: Person
let bob: Person
let nextRequest = 0
/** Decides what the node's proxy does to a call; each test sets its own. */
let decide: (method: string) => Fault = () => 'pass'
let node: Awaited<ReturnType<typeof startFaultyProxy>>

beforeAll(async () => {
  ;[chain, database] = await Promise.all([startTestChain(), createTestDatabase()])
  node = await startFaultyProxy(chain.url, (method) => decide(method))
  const base = await environmentOf(chain, database)
  env = {
    ...base,
    PAYER_KEY: payerKey,
    ATTESTER_KEY: attesterKey,
    RPC_URL: node.url,
    RATE_LIMIT_SCALE: '1000',
    RECONCILE_INTERVAL_S: '1',
    MAX_LAG_BLOCKS: '300',
  }
  api = await startApi()
  ;[alice, bob] = [await join(1), await join(2)]
})
afterAll(async () => {
  await api?.server.end('SIGKILL')
  await node?.[Symbol.asyncDispose]()
  await chain?.stop()
  await database?.drop()
})

async function startApi(settings: Record<string, string> = {}) {
  const PORT = String(await freePort())
  const server = new Server({ ...env, ...settings, ROLE: 'api', PORT, PAYER_KEY: '', ATTESTER_KEY: '' })
  await server.listening
  expect(server.output).toContain('"listening"')
  return { server, base: `http://127.0.0.1:${PORT}` }
}

/** A worker, and where its metrics are. */
async function startWorker(settings: Record<string, string> = {}): Promise<Server & { metrics: string }> {
  const METRICS_PORT = String(await freePort())
  const server = new Server({ ...env, ROLE: 'worker', METRICS_PORT, ...settings })
  await server.listening
  return Object.assign(server, { metrics: `http://127.0.0.1:${METRICS_PORT}/metrics` })
}

async function join(addressIndex: number): Promise<Person> {
  const account = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex })
  const address = account.address.toLowerCase() as Hex
  const person = { account, address, memberId: await addMember(database.db, address), token: '' }
  await signIn(api.base, person)
  return person
}

const lease = async () => {
  const { rows } = await sql<{ holder: string; number: bigint }>`select holder, number from lease`.execute(database.db)
  return rows[0]
}
const leads = async ({ child }: Server): Promise<boolean> => (await lease())?.holder.endsWith(` ${child.pid}`) === true

/** Two workers, the first of which leads. */
async function startPair(first: Record<string, string> = {}) {
  const leader = await startWorker(first)
  await expect.poll(() => leads(leader)).toBe(true)
  const standby = await startWorker()
  await expect.poll(() => standby.output).toContain('lease.held-elsewhere')
  const end = async () => {
    // One that is stopped by SIGSTOP is ended by SIGKILL all the same.
    await Promise.all([leader.end('SIGKILL'), standby.end('SIGKILL')])
    await sql`update lease set expires_at = clock_timestamp()`.execute(database.db)
  }
  return { leader, standby, [Symbol.asyncDispose]: end }
}

/** Waits until the other has taken the lease. In milliseconds since `since_ms`. */
async function takenOver(by: Server, since_ms: number): Promise<number> {
  await expect.poll(() => leads(by), { interval: 20 }).toBe(true)
  return performance.now() - since_ms
}

async function deposit(person: Person, amount: bigint): Promise<void> {
  const balance = async () => {
    const { data } = must(await callServer(api.base, 'GET user/info', {}, person.token), 'the api answers')
    const { balances } = data as { balances: { asset: string; available: string }[] }
    return Number(
      must(
        balances.find(({ asset }) => asset === 'USDT'),
        'each asset has a balance',
      ).available,
    )
  }
  const before = await balance()
  await chain.pay({ asset: chain.usdt, amount: amount * WHOLE, from: person.address })
  await withBlocks(async () => (await balance()) === before + Number(amount))
}

/** Mines a block after the other until it is so. */
async function withBlocks(isSo: () => Promise<boolean>): Promise<void> {
  const mineAndLook = async () => {
    await chain.client.mine({ blocks: 1 })
    return isSo()
  }
  await expect.poll(mineAndLook, { interval: 100 }).toBe(true)
}

async function withdraw(person: Person): Promise<void> {
  const input = { asset: 'USDT', amount: '7', requestId: requestIdNamed(`withdrawal-${++nextRequest}`, new Date()) }
  // Refused (5033) until the books were compared with the chain.
  await withBlocks(async () => {
    const answer = await callServer(api.base, 'POST withdraw/apply', input, person.token)
    if (answer !== null && answer.code !== 200) throw new Error(`${answer.code} ${answer.message}`)
    return answer !== null
  })
}

const isPaid = async (): Promise<boolean> => {
  const open = await database.db.selectFrom('withdrawal').select('id').where('state', '<>', 'done').execute()
  return open.length === 0
}

/** Each withdrawal was paid once, and the books are those of the chain. */
async function expectOnce(): Promise<void> {
  await withBlocks(isPaid)
  const startBlock = BigInt(must(env['START_BLOCK'], 'set above'))
  await expectEveryPayoutOnce(chain, database.db, startBlock)
  await expectBooksToMatch(chain, database.db)
}

const heldBy = async (server: { metrics: string }): Promise<string | undefined> =>
  /^candela_lease_held (\d)$/m.exec(await (await fetch(server.metrics)).text())?.[1]

test('starts at the same moment on an empty database bring it to the latest schema once', async () => {
  await using empty = await createTestDatabase({ asOwner: true })
  await sql`drop schema public cascade`.execute(empty.db)
  await sql`create schema public`.execute(empty.db)
  const servers = await Promise.all([
    startApi({ DATABASE_URL: empty.url }),
    startApi({ DATABASE_URL: empty.url }),
    startWorker({ DATABASE_URL: empty.url }),
  ])
  const outputs = servers.map((one) => ('server' in one ? one.server.output : one.output))
  expect(outputs.map((output) => output.includes('"listening"'))).toEqual([true, true, true])
  expect(outputs.filter((output) => output.includes('database.migrated'))).toHaveLength(1)
  await Promise.all(servers.map((one) => ('server' in one ? one.server : one).end('SIGKILL')))
})

describe('roles', () => {
  test('two that answer calls and one that works: what one was told the other shows, and only the worker works', async () => {
    const second = await startApi()
    try {
      expect(await lease()).toBeUndefined()
      const worker = await startWorker()
      await deposit(alice, 100n)
      const deadline = new Date(Date.now() + 500_000)
      const terms = {
        from: alice.address,
        to: bob.address,
        asset: 'USDT',
        amount: 7n * WHOLE,
        requestId: requestIdNamed('transfer', new Date()),
        deadline,
      } as const
      const signature = await alice.account.signTypedData(transferTypedData(terms, chain.gateway))
      const input = {
        to: bob.address,
        asset: 'USDT',
        amount: '7',
        requestId: terms.requestId,
        deadline: deadline.toISOString(),
        signature,
      }
      const made = must(await callServer(api.base, 'POST transfer/index', input, alice.token), 'the first answers')
      expect(made.code).toBe(200)
      const repeated = must(
        await callServer(second.base, 'POST transfer/index', input, alice.token),
        'the second answers',
      )
      expect(repeated).toEqual(made)
      const seen = must(await callServer(second.base, 'GET user/info', {}, bob.token), 'the second answers')
      const { balances } = seen.data as { balances: { asset: string; available: string }[] }
      expect(balances.find(({ asset }) => asset === 'USDT')).toMatchObject({ available: '7' })

      const origin = new URL(worker.metrics).origin
      expect(await (await fetch(`${origin}/healthz`)).json()).toEqual({ alive: true })
      await expect.poll(async () => (await fetch(`${origin}/readyz`)).status).toBe(200)
      expect(await (await fetch(`${origin}/api/v1/home/public`)).text()).toContain('candela_lease_held 1')
      await worker.end('SIGTERM')
    } finally {
      await second.server.end('SIGTERM')
    }
    // Given back when the worker stopped, not left to expire.
    const { rows } = await sql`select from lease where expires_at > clock_timestamp()`.execute(database.db)
    expect(rows).toEqual([])
  })
})

describe('the one that leads', () => {
  test('is killed: the other follows, credits and pays within five seconds', async () => {
    await using pair = await startPair()
    const { leader, standby } = pair
    expect(await Promise.all([heldBy(leader), heldBy(standby)])).toEqual(['1', '0'])
    const number = must(await lease(), 'it leads').number
    leader.child.kill('SIGKILL')
    expect(await takenOver(standby, performance.now())).toBeLessThan(TAKEOVER_LIMIT_MS)
    expect((await lease())?.number).toBe(number + 1n)
    await expect.poll(() => heldBy(standby)).toBe('1')
    await deposit(alice, 20n)
    await withdraw(alice)
    await expectOnce()
  })

  test('is paused when a payout is stored and not sent: the other sends it, and the first does nothing when it goes on', async () => {
    await using pair = await startPair()
    const { leader, standby } = pair
    let paused_ms = 0
    decide = (method) => {
      if (method !== 'eth_sendRawTransaction' || paused_ms > 0) return 'pass'
      leader.child.kill('SIGSTOP')
      paused_ms = performance.now()
      return 'hangUp'
    }
    await withdraw(alice)
    await expect.poll(() => paused_ms).toBeGreaterThan(0)
    const stored = await database.db
      .selectFrom('payout_transaction')
      .select(['hash', 'broadcast_at'])
      .orderBy('nonce', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(stored.broadcast_at).toBeNull()
    await expect(chain.client.getTransaction({ hash: stored.hash as Hex })).rejects.toThrow('could not be found')
    expect(await takenOver(standby, paused_ms)).toBeLessThan(TAKEOVER_LIMIT_MS)
    await expectOnce()
    const sends: string[] = []
    decide = (method) => {
      if (method === 'eth_sendRawTransaction') sends.push(method)
      return 'pass'
    }
    leader.child.kill('SIGCONT')
    await expect.poll(() => leader.output).toContain('lease.lost')
    await expect.poll(() => leader.output.split('lease.held-elsewhere').length).toBe(2)
    expect(sends).toEqual([])
    await withdraw(bob)
    await expectOnce()
    expect(sends).toHaveLength(1)
    expect(await heldBy(leader)).toBe('0')
  })

  test('is paused when a payout is signed and not stored: what it has signed is lost, and the other pays', async () => {
    decide = () => 'pass'
    await using pair = await startPair()
    const { leader, standby } = pair
    await deposit(alice, 20n)
    const waiting = async () => {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_locks where relation = 'payout_transaction'::regclass and not granted`.execute(database.db)
      return rows[0]?.pid
    }
    const before = await database.db.selectFrom('payout_transaction').select('hash').execute()
    let paused_ms = 0
    const pid = await database.db.transaction().execute(async (tx) => {
      await sql`lock table payout_transaction in share mode`.execute(tx)
      await withdraw(alice)
      await expect.poll(waiting).toBeDefined()
      const found = await waiting()
      leader.child.kill('SIGSTOP')
      paused_ms = performance.now()
      return found
    })
    // Now it is stored in a transaction of which only the commit is missing.
    const state = async () => {
      const { rows } = await sql<{ state: string }>`select state from pg_stat_activity where pid = ${pid}`.execute(
        database.db,
      )
      return rows[0]?.state
    }
    await expect.poll(state, { interval: 5 }).toBe('idle in transaction')
    expect(await takenOver(standby, paused_ms)).toBeLessThan(TAKEOVER_LIMIT_MS)
    await expectOnce()
    leader.child.kill('SIGCONT')
    await expect.poll(() => leader.output).toContain('lease.lost')
    await expect.poll(() => leader.output.split('lease.held-elsewhere').length).toBe(2)
    const after = await database.db.selectFrom('payout_transaction').select('hash').execute()
    expect(after).toHaveLength(before.length + 1)
    await withdraw(alice)
    await expectOnce()
  })

  test.each<Loss>(['closed', 'silent'])(
    'loses its database (%s): the other takes over, and the first waits when it has it again',
    async (loss) => {
      decide = () => 'pass'
      await using proxy = await startCuttableProxy(database.url)
      await using pair = await startPair({ DATABASE_URL: proxy.url })
      const { leader, standby } = pair
      await deposit(alice, 20n)
      proxy.lose(loss)
      expect(await takenOver(standby, performance.now())).toBeLessThan(TAKEOVER_LIMIT_MS)
      await withdraw(alice)
      await expectOnce()
      expect(leader.output).not.toContain('lease.lost')
      proxy.mend()
      await expect.poll(() => leader.output).toContain('lease.lost')
      await expect.poll(() => leader.output.split('lease.held-elsewhere').length).toBe(2)
      expect(leader.isGone).toBe(false)
      standby.child.kill('SIGTERM')
      await expect.poll(() => leads(leader)).toBe(true)
      await deposit(bob, 20n)
      await withdraw(bob)
      await expectOnce()
    },
  )
})
