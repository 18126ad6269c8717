import { freePort } from '@candela/testing/process/ports'
import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { transferTypedData } from '@candela/protocol/chain/typed-data'
import { type Database, transaction } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import { systemIds } from '@candela/server/kernel/ids'
import { systemClock } from '@candela/server/kernel/clock'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { addMember, addressOf, WHOLE } from '@candela/server/modules/power/testing'
import type { Key } from '@candela/protocol/endpoints'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testMemo } from '../../src/ledger/testing/testing-memo.ts'
import { callServer, signIn } from '../faults/kill-workload.ts'
import { environmentOf, Server } from '@candela/testing/server/server-process'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { type Replicated, startReplicated } from './replicated.ts'

/** Two server processes with a standby: what a member is shown by one and then by the other. */

type Api = { server: Server; base: string; metrics: string }

let chain: TestChain
let pair: Replicated
let one: Api
let other: Api
const account = (addressIndex: number) => {
  const made = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex })
  return { account: made, address: made.address.toLowerCase() as Hex, memberId: 0n, token: '' }
}
const [alice, bob] = [account(1), account(2)]

beforeAll(async () => {
  ;[chain, pair] = await Promise.all([startTestChain(), startReplicated()])
  const base = await environmentOf(chain, { url: pair.url })
  const start = async (ROLE: 'all' | 'api'): Promise<Api> => {
    const [PORT, METRICS_PORT] = [String(await freePort()), String(await freePort())]
    const env = { ...base, ROLE, PORT, METRICS_PORT, DATABASE_READ_URL: pair.standbyUrl, RATE_LIMIT_SCALE: '1000' }
    const server = new Server(env)
    await server.listening
    expect(server.output).toContain('"listening"')
    return { server, base: `http://127.0.0.1:${PORT}`, metrics: `http://127.0.0.1:${METRICS_PORT}/metrics` }
  }
  ;[one, other] = await Promise.all([start('all'), start('api')])
  const ids = systemIds(systemClock)
  for (const person of [alice, bob]) {
    person.memberId = await addMember(pair.primary, person.address)
    const legs = [
      {
        debit: platformAccount('custody', 'USDT'),
        credit: memberAccount(person.memberId, 'memberAvailable', 'USDT'),
        amount: 1_000n * WHOLE,
      },
    ]
    const memo = { ...testMemo(), txHash: `0x${'ab'.repeat(32)}` }
    const posting = { id: ids.uuid(), kind: 'deposit' as const, legs, memo, occurredAt: new Date() }
    await transaction(pair.primary, (tx) => post(tx, posting))
    await signIn(one.base, person)
  }
})
afterAll(async () => {
  await Promise.all([one, other].map((api) => api?.server.end('SIGKILL')))
  await chain?.stop()
  await pair?.[Symbol.asyncDispose]()
})

const figure = async ({ metrics }: Api, name: string): Promise<number> => {
  const text = await (await fetch(metrics)).text()
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return line === undefined ? 0 : Number(line.slice(name.length))
}
const readsFrom = (api: Api, from: 'standby' | 'primary') => figure(api, `candela_standby_reads_total{from="${from}"}`)
const said = () => other.server.output.split('standby.unused').length - 1
const untilUsed = async () => {
  for (const api of [one, other]) await expect.poll(() => figure(api, 'candela_standby_unused')).toBe(0)
}

const call = async <T>({ base }: Api, key: Key, input: Record<string, string> = {}, token?: string): Promise<T> => {
  const answer = must(await callServer(base, key, input, token), `${key} is answered`)
  expect(answer).toMatchObject({ code: 200 })
  return answer.data as T
}

let lastRequest = 0
/** Alice gives Bob so much. */
async function transfer(api: Api, amount: number): Promise<void> {
  const requestId = requestIdNamed(`transfer-${++lastRequest}`, new Date())
  const deadline = new Date(Date.now() + 400_000)
  const terms = {
    from: alice.address,
    to: bob.address,
    asset: 'USDT',
    amount: BigInt(amount) * WHOLE,
    requestId,
    deadline,
  } as const
  const signature = await alice.account.signTypedData(transferTypedData(terms, chain.gateway))
  const input = { to: bob.address, asset: 'USDT', amount: String(amount), requestId, signature }
  await call(api, 'POST transfer/index', { ...input, deadline: deadline.toISOString() }, alice.token)
}

type List = { items: { amount: string }[]; nextCursor: string }
/** Reads Bob's statement but for the newest line, which the other server is asked for first. */
async function olderLines(): Promise<string[]> {
  const first = await call<List>(one, 'GET statement/list', { limit: '1' }, bob.token)
  const second = await call<List>(other, 'GET statement/list', { limit: '50', cursor: first.nextCursor }, bob.token)
  return second.items.map(({ amount }) => amount)
}

const postings = async (db: Database): Promise<number> => {
  const { n } = await db
    .selectFrom('ledger_posting')
    .select(sql<bigint>`count(*)`.as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

test('old pages and rankings come from the standby; a paused one shows nobody an older state', async () => {
  await untilUsed()
  for (const amount of [1, 2, 3]) await transfer(one, amount)
  const before = await readsFrom(other, 'standby')
  expect(await olderLines()).toEqual(['2', '1', '1000'])
  await call(other, 'GET user/todayPerformanceRank', {}, bob.token)
  // And nothing else is: not a first page, not a balance.
  const [atOne, atOther] = [await readsFrom(one, 'standby'), await readsFrom(other, 'standby')]
  expect(atOther).toBe(before + 2)
  for (const key of ['GET statement/list', 'GET user/info'] as const) await call(one, key, {}, bob.token)
  expect(await readsFrom(one, 'standby')).toBe(atOne)

  await pair.pause()
  try {
    for (const amount of [4, 5, 6]) await transfer(other, amount)
    // The standby's answer would have missed all three.
    expect(await postings(pair.primary)).toBe((await pair.onStandby(postings)) + 3)
    expect(await olderLines()).toEqual(['5', '4', '3', '2', '1', '1000'])
    for (const api of [one, other]) await expect.poll(() => figure(api, 'candela_standby_unused')).toBe(1)
    await transfer(one, 7)
    expect(await olderLines()).toEqual(['6', '5', '4', '3', '2', '1', '1000'])
  } finally {
    await pair.resume()
  }
  await untilUsed()
  const again = await readsFrom(other, 'standby')
  await transfer(other, 8)
  expect(await olderLines()).toEqual(['7', '6', '5', '4', '3', '2', '1', '1000'])
  expect(await readsFrom(other, 'standby')).toBe(again + 1)
})

test('public figures come from the standby, and from the primary while the standby is too old', async () => {
  await untilUsed()
  const accounts = async () => (await call<{ accounts: number }>(other, 'GET home/public')).accounts
  const before = await readsFrom(other, 'standby')
  const known = await accounts()
  expect(await readsFrom(other, 'standby')).toBeGreaterThan(before)
  await pair.pause()
  try {
    await addMember(pair.primary, addressOf(77))
    await expect.poll(accounts).toBe(known + 1)
    const counted = await pair.onStandby((db) => sql<{ n: bigint }>`select count(*) as n from member`.execute(db))
    expect(Number(counted.rows[0]?.n)).toBeLessThan(known + 1)
  } finally {
    await pair.resume()
  }
})

test('without the standby calls go on; what changed is said once', async () => {
  await untilUsed()
  await transfer(one, 9)
  const before = said()
  await pair.kill()
  try {
    const first = await call<List>(one, 'GET statement/list', { limit: '1' }, bob.token)
    const page = { limit: '50', cursor: first.nextCursor }
    const calls = Array.from({ length: 20 }, () => call<List>(other, 'GET statement/list', page, bob.token))
    for (const { items } of await Promise.all(calls)) expect(items.at(-1)?.amount).toBe('1000')
    await expect.poll(() => figure(other, 'candela_standby_unused')).toBe(1)
    // Its log comes by another way than its figures.
    await expect.poll(said).toBe(before + 1)
  } finally {
    await pair.restart()
  }
  await untilUsed()
  expect(said()).toBe(before + 1)
})
