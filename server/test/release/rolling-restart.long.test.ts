import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram } from '@candela/testing/process/debian-programs'
import { needs } from '@candela/testing/process/needs'
import { freePort } from '@candela/testing/process/ports'
import { endpointRoute } from '@candela/protocol/endpoint'
import { transaction } from '@candela/server/db/open'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { systemClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { WHOLE } from '@candela/server/modules/power/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testMemo } from '../../src/ledger/testing/testing-memo.ts'
import { environmentOf, temporaryFolder } from '@candela/testing/server/server-process'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { type Api, join, type Person, startApi, startApiAt, startWorker, transferInput, usdtOf } from './people.ts'

/** Servers that are stopped with SIGTERM one after the other, while calls come. */

const DRAIN_MS = 4_000

let chain: TestChain
let database: TestDatabase
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let env: Record<string, string>
let alice: Person
let bob: Person
let keeper: Api
/** Follows the chain, without which no server is ready. */
let worker: Awaited<ReturnType<typeof startWorker>>

beforeAll(async () => {
  ;[chain, database, folder] = await Promise.all([
    startTestChain(),
    createTestDatabase({ asOwner: true }),
    temporaryFolder(),
  ])
  env = { ...(await environmentOf(chain, database)), RATE_LIMIT_SCALE: '100000', TRUST_PROXY: '127.0.0.1' }
  await chain.mine(3)
  // Before the servers read it.
  await database.db
    .insertInto('setting')
    .values({ key: 'transfersPerDay', value: '1000000', updated_at: new Date() })
    .execute()
  ;[keeper, worker] = await Promise.all([startApi(env), startWorker(env)])
  ;[alice, bob] = [await join(database.db, keeper, 1), await join(database.db, keeper, 2)]
  const leg = {
    debit: platformAccount('custody', 'USDT'),
    credit: memberAccount(alice.memberId, 'memberAvailable', 'USDT'),
    amount: 100_000n * WHOLE,
  }
  const posting = { kind: 'deposit' as const, legs: [leg], memo: testMemo(), occurredAt: new Date() }
  await transaction(database.db, (tx) => post(tx, { id: systemIds(systemClock).uuid(), ...posting }))
  const isReady = async () => {
    await chain.mine(1)
    return (await fetch(`${keeper.base}/readyz`)).status
  }
  while ((await isReady()) !== 200) await sleep(50)
})
afterAll(async () => {
  await Promise.all([keeper?.server, worker].map((server) => server?.end('SIGKILL')))
  await chain?.stop()
  await database?.drop()
  await folder?.[Symbol.asyncDispose]()
})

const settingsAt = (port: number) => ({ ...env, PORT: String(port), DRAIN_MS: String(DRAIN_MS) })

/** Transfers that were answered with code 200, in what a server has written. */
const answered = (text = '') => text.match(/"route":"POST transfer\/index","code":200/g)?.length ?? 0

type Line = { time: number; event?: string; route?: string; code?: number; durationMs?: number }

/** Counts those of these transfers that came after the server was told to stop. */
function begunWhileStopping(text = ''): number {
  const lines = text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))
  const stopped_ms = lines.find(({ event }) => event === 'server.stop-requested')?.time ?? Infinity
  const good = lines.filter(({ route, code }) => route === 'POST transfer/index' && code === 200)
  return good.filter(({ time, durationMs = Infinity }) => time - durationMs > stopped_ms).length
}

let requests = 0

/**
 * Alice gives Bob 1. Resolves to what was wrong with the answer; null for a good one.
 * @param onClose called when the answer asks to close its connection @throws when there is no answer
 */
async function transferAt(base: string, onClose?: () => void): Promise<string | null> {
  const input = await transferInput(chain, {
    from: alice,
    to: bob,
    amount: 1,
    requestId: requestIdNamed(`transfer-${++requests}`, new Date()),
  })
  const { path } = endpointRoute('POST transfer/index')
  const body = new URLSearchParams(input)
  const response = await fetch(`${base}${path}`, { method: 'POST', body, headers: { authorization: alice.token } })
  const text = await response.text()
  if (response.headers.get('connection') === 'close') onClose?.()
  return response.status === 200 && text.includes('"code":200') ? null : `${response.status} ${text}`
}

/** Sends one after the other from several clients until it is stopped. */
function startCalls(send: () => Promise<string | null>) {
  const counts = { good: 0 }
  const over = new AbortController()
  const problems: string[] = []
  const client = async () => {
    while (!over.signal.aborted && problems.length === 0) {
      const problem = await send().catch((error: Error) => `${error.message} ${String(error.cause)}`)
      if (problem === null) counts.good += 1
      else problems.push(problem)
      await sleep(10)
    }
  }
  const clients = Array.from({ length: 6 }, client)
  return {
    problems,
    good: () => counts.good,
    more: async (count: number) => {
      const goal = counts.good + count
      while (counts.good < goal && problems.length === 0) await sleep(5)
    },
    stop: async () => {
      over.abort()
      await Promise.all(clients)
    },
  }
}

async function startProxy(ports: readonly number[]) {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const template = await readFile(joinPath(import.meta.dirname, '../../../deploy/proxy/haproxy.cfg'), 'utf8')
  const text = template
    .replace(/^ *bind :80\n/m, '')
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
    .replace(/^ *http-request redirect .*\n/m, '')
    .replace(/^ *http-request deny deny_status 403 .*\n/m, '')
    .replace(/127\.0\.0\.1:8405/, `127.0.0.1:${metricsPort}`)
    .replaceAll('127.0.0.1:8210', `127.0.0.1:${ports[0]}`)
    .replaceAll('10.0.0.12:8210', `127.0.0.1:${ports[1]}`)
    .replaceAll(/^.*10\.0\.0\.13:8210.*\n/gm, '')
  const file = joinPath(folder.path, 'haproxy.cfg')
  await writeFile(file, text)
  const child = spawn(findProgram('haproxy') ?? 'haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const isUp = async (name: string): Promise<boolean> => {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    return metrics.includes(`haproxy_server_status{proxy="candela",server="${name}",state="UP"} 1`)
  }
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { base: `http://127.0.0.1:${port}`, isUp, [Symbol.asyncDispose]: stop }
}

test(
  'behind the proxy each server is replaced by another one, and no call fails',
  needs('haproxy'),
  async ({ annotate }) => {
    const ports = [await freePort(), await freePort()] as const
    const servers = await Promise.all(ports.map((port) => startApiAt(settingsAt(port))))
    await using proxy = await startProxy(ports)
    const isUp = (name: string) => expect.poll(() => proxy.isUp(name).catch(() => false)).toBe(true)
    await Promise.all(['api1', 'api2'].map(isUp))
    const before = await usdtOf(keeper, bob)
    const calls = startCalls(() => transferAt(proxy.base))
    try {
      for (const [at, port] of ports.entries()) {
        await calls.more(50)
        const old = servers[at]?.server
        expect(answered(old?.output)).toBeGreaterThan(5)
        const since_ms = performance.now()
        old?.child.kill('SIGTERM')
        expect(await old?.exited).toBe(0)
        // Until the proxy has noticed it goes on to answer.
        expect(begunWhileStopping(old?.output)).toBeGreaterThan(0)
        await annotate(`stopped after ${Math.round(performance.now() - since_ms)} ms`)
        await calls.more(50)
        servers[at] = await startApiAt(settingsAt(port))
        await isUp(`api${at + 1}`)
      }
      await calls.more(50)
    } finally {
      await calls.stop()
      await Promise.all(servers.map(({ server }) => server.end('SIGKILL')))
    }
    expect(calls.problems).toEqual([])
    // Each was done, once.
    expect(await usdtOf(keeper, bob)).toBe(before + calls.good())
    await annotate(`${calls.good()} calls`)
  },
)

test('a money command that is under way when its server is told to stop is done, and answered', async () => {
  const api = await startApi({ ...env, DRAIN_MS: '500' })
  const before = await usdtOf(keeper, bob)
  const waiting = async () => {
    const { rows } = await sql`
      select from pg_locks where relation = 'ledger_posting'::regclass and not granted`.execute(database.db)
    return rows.length
  }
  let sent: Promise<string | null> | undefined
  await transaction(database.db, async (tx) => {
    await sql`lock table ledger_posting in share mode`.execute(tx)
    sent = transferAt(api.base)
    await expect.poll(waiting).toBeGreaterThan(0)
    api.server.child.kill('SIGTERM')
    // Until it takes no more connections.
    await expect
      .poll(() =>
        fetch(`${api.base}/healthz`).then(
          () => true,
          () => false,
        ),
      )
      .toBe(false)
    expect(api.server.isGone).toBe(false)
  })
  expect(await sent).toBe(null)
  expect(await api.server.exited).toBe(0)
  expect(await usdtOf(keeper, bob)).toBe(before + 1)
})

test('while it drains it answers, says that it is not ready, and keeps no connection', async () => {
  const api = await startApi({ ...env, DRAIN_MS: '60000' })
  try {
    const ready = await fetch(`${api.base}/healthz`)
    expect(ready.headers.get('connection')).toBe('keep-alive')
    api.server.child.kill('SIGTERM')
    const state = async () => {
      const response = await fetch(`${api.base}/readyz`)
      return [response.status, await response.json()]
    }
    await expect.poll(state).toEqual([503, { ready: false, parts: { process: { ok: false, stopping: true } } }])
    expect(await transferAt(api.base)).toBe(null)
    const answer = await fetch(`${api.base}/healthz`)
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  } finally {
    await api.server.end('SIGKILL')
  }
})

test('a client that goes to another server when one asks it to close its connection loses no call', async () => {
  const settings = { ...env, DRAIN_MS: '2000' }
  const servers = await Promise.all([startApi(settings), startApi(settings)])
  const before = await usdtOf(keeper, bob)
  let turn = 0
  const calls = startCalls(() => {
    const asked = turn
    return transferAt(servers[asked % 2]?.base ?? '', () => (turn = asked + 1))
  })
  try {
    for (let round = 0; round < 3; round++) {
      await calls.more(30)
      const stopped = servers[round % 2]
      stopped?.server.child.kill('SIGTERM')
      expect(await stopped?.server.exited).toBe(0)
      expect(turn).toBe(round + 1)
      await calls.more(30)
      servers[round % 2] = await startApi(settings)
    }
  } finally {
    await calls.stop()
    await Promise.all(servers.map(({ server }) => server.end('SIGKILL')))
  }
  expect(calls.problems).toEqual([])
  expect(await usdtOf(keeper, bob)).toBe(before + calls.good())
})
