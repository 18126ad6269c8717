import { freePort } from '@candela/testing/process/ports'
import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { endpointRoute, type Method } from '@candela/protocol/endpoint'
import { endpoints, type Key } from '@candela/protocol/endpoints'
import { languages } from '@candela/protocol/language'
import { decrypt, sealForm } from '@candela/protocol/envelope/testing-envelope'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestChain } from '@candela/testing/chain/test-chain'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { transaction } from '../db/open.ts'
import { systemClock } from '../kernel/clock.ts'
import { systemIds } from '../kernel/ids.ts'
import { silentLog } from '../kernel/log.ts'
import { createPlan, newPlan } from '../modules/power/plans/manage-plans.ts'
import { inlineHashes } from './inline-hashes.ts'
import { type RunningServer, startServer } from './start-server.ts'
import { configOnAnyPort, startChainForServer } from '@candela/testing/server/test-config'

/** The whole server over real HTTP, on a real database and a real chain. */

let chain: TestChain
let env: Record<string, string>
let database: TestDatabase
let server: RunningServer
const parts = { clock: systemClock, ids: systemIds(systemClock), log: silentLog() }

type Body = { code: number; message: string; data: unknown }
type CallOptions = { token?: string; lang?: string }

beforeAll(async () => {
  const [started, created] = await Promise.all([startChainForServer(), createTestDatabase()])
  database = created
  chain = started.chain
  // One client asks every route several times, faster than a person would.
  env = { ...started.env, DATABASE_URL: database.url, RATE_LIMIT_SCALE: '10' }
  await database.db
    .insertInto('root_invitation')
    .values({ code: 'CANDELA1', created_at: systemClock.now(), closed_at: null })
    .execute()
  server = await startServer(configOnAnyPort(env), parts)
})
afterAll(async () => {
  await server?.stop()
  await chain?.stop()
  await database?.drop()
})

async function call(key: Key, input: Record<string, string> = {}, { token, lang = 'EN' }: CallOptions = {}) {
  const { method, path } = endpointRoute(key)
  const form = new URLSearchParams(input)
  const headers = { LANG: lang, ...(token === undefined ? {} : { Authorization: token }) }
  const response = await fetch(`${server.url}${path}${method === 'GET' ? `?${form.toString()}` : ''}`, {
    method,
    headers,
    ...(method === 'POST' ? { body: form } : {}),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Body
}

async function dataOf<T>(body: Promise<Body>): Promise<T> {
  const { code, message, data } = await body
  expect([code, message]).toEqual([200, 'OK'])
  return data as T
}

async function signIn(code: string, account = privateKeyToAccount(generatePrivateKey())) {
  const { address } = account
  const { message } = await dataOf<{ message: string }>(call('GET auth/loginMessage', { address }))
  const sign_message = await account.signMessage({ message })
  const { token } = await dataOf<{ token: string }>(call('POST auth/login', { address, message, sign_message, code }))
  return { token, address: address.toLowerCase() as Hex }
}

/** Returns the first value that is good. */
async function until<T>(what: string, read: () => Promise<T>, good: (value: T) => boolean): Promise<T> {
  let value: T | undefined
  await expect.poll(async () => good((value = await read())), { message: what }).toBe(true)
  return value as T
}

describe('a person', () => {
  test('signs in, buys power on chain, sees it active, and signs out', async () => {
    await transaction(database.db, (tx) =>
      createPlan(
        tx,
        newPlan.parse({
          name: { zh: '甲', tw: '甲', en: 'One' },
          description: { zh: '甲', tw: '甲', en: 'One' },
          unit: 'T',
          unitPrice: '10',
          termDays: '30',
          minUnits: '1',
          maxUnits: '1000',
          totalUnits: '5000',
          serviceFeePpm: 50_000,
        }),
        systemClock.now(),
      ),
    )
    const inviter = await signIn('CANDELA1')
    await openCodes()
    const inviterInfo = await dataOf<{ invitationCode: string }>(call('GET user/info', {}, inviter))
    const account = privateKeyToAccount(generatePrivateKey())
    const before = await dataOf<{ isRegister: boolean }>(call('POST auth/isRegister', { address: account.address }))
    expect(before.isRegister).toBe(false)
    const person = await signIn(inviterInfo.invitationCode, account)
    const after = await dataOf<{ isRegister: boolean }>(call('POST auth/isRegister', { address: account.address }))
    expect(after.isRegister).toBe(true)

    const made = await dataOf<{ order: { orderNo: string; transaction: { to: Hex; data: Hex; value: string } } }>(
      call(
        'POST power/getOrder',
        { planId: '1', units: '12', asset: 'USDT', requestId: requestIdNamed('request', new Date()) },
        person,
      ),
    )
    // Somebody else pays for the order, as a wallet with several accounts may.
    const { to, data, value } = made.order.transaction
    await chain.mined(await chain.send(chain.payers[0] as Hex, to, data, BigInt(value)))
    await chain.mine(3)
    await until(
      'the order is active',
      () => dataOf<{ items: { state: string }[] }>(call('GET power/orderList', {}, person)),
      ({ items }) => items[0]?.state === 'active',
    )

    expect(await dataOf(call('GET user/info', {}, person))).toMatchObject({
      uid: '10002',
      address: person.address,
      level: 1,
      activePower: 12,
      nextLevelAt: 100,
      directReferrals: 0,
      juUid: null,
      totalUsdt: '0',
      balances: [
        { asset: 'JU', available: '0', held: '0' },
        { asset: 'USDT', available: '0', held: '0' },
        { asset: 'HASH', available: '0', held: '0' },
      ],
    })
    expect(await dataOf(call('GET user/zhiList', {}, inviter))).toMatchObject({
      items: [
        {
          maskedAddress: `${person.address.slice(0, 6)}…${person.address.slice(-4)}`,
          activePower: 12,
          purchases: '120',
        },
      ],
      nextCursor: null,
    })
    await until(
      'the public figures follow',
      () => dataOf<{ totalUnits: number; accounts: number }>(call('GET home/public')),
      ({ totalUnits, accounts }) => totalUnits === 12 && accounts === 2,
    )

    await dataOf(call('POST auth/logout', {}, person))
    expect((await call('GET user/info', {}, person)).code).toBe(401)
  })

  test('whose money buys nothing finds it on the balance, with its worth', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const person = await signIn('CANDELA1', account)
    await chain.pay({ key: 'deposit', amount: 7n * 10n ** 18n, customer: person.address })
    await chain.mine(4)
    const info = await until(
      'the deposit is credited',
      () => dataOf<{ totalUsdt: string | null }>(call('GET user/info', {}, person)),
      ({ totalUsdt }) => totalUsdt !== '0',
    )
    expect(info).toMatchObject({ totalUsdt: '7' })
  })
})

/** As if everybody had paid in enough. */
const openCodes = () => database.db.updateTable('member').set({ code_open_at: systemClock.now() }).execute()

test('the list of invitees goes page by page, newest first, each once', async () => {
  const inviter = await signIn('CANDELA1')
  await openCodes()
  const { invitationCode } = await dataOf<{ invitationCode: string }>(call('GET user/info', {}, inviter))
  const invited: string[] = []
  for (let person = 0; person < 5; person++) invited.unshift((await signIn(invitationCode)).address)
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const input: Record<string, string> = cursor === null ? { limit: '2' } : { limit: '2', cursor }
    const page: { items: { maskedAddress: string }[]; nextCursor: string | null } = await dataOf(
      call('GET user/zhiList', input, inviter),
    )
    seen.push(...page.items.map(({ maskedAddress }) => maskedAddress))
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(seen).toEqual(invited.map((address) => `${address.slice(0, 6)}…${address.slice(-4)}`))
})

/** A route may answer an empty input with data, with what is missing, or with the code that there is nothing yet. */
const answersToNothing = (key: Key): number[] => {
  const errors: readonly string[] = endpoints[key].errors
  return errors.includes('notFound') ? [200, 400, 404] : [200, 400]
}

test('every route answers in the body shape, in three languages, with and without a session', async () => {
  const person = await signIn('CANDELA1')
  for (const key of Object.keys(endpoints) as Key[]) {
    // Ending the session would make the rest of the test say 401 only.
    if (key === 'POST auth/logout') continue
    const messages: string[] = []
    for (const lang of languages) {
      const anonymous = await call(key, {}, { lang })
      expect(Object.keys(anonymous).toSorted()).toEqual(['code', 'data', 'message'])
      if (endpoints[key].auth === 'session') expect(anonymous).toMatchObject({ code: 401, data: null })
      const signedIn = await call(key, {}, { lang, token: person.token })
      expect(answersToNothing(key)).toContain(signedIn.code)
      expect(signedIn.data === null).toBe(signedIn.code !== 200)
      messages.push(signedIn.message)
    }
    expect(new Set(messages).size).toBe(languages.length)
  }
})

const postAs = (body: string, type: string) =>
  fetch(`${server.url}/api/v1/auth/isRegister`, { method: 'POST', body, headers: { 'content-type': type } })

describe('paths', () => {
  test('that are not ours are 404 in the body shape', async () => {
    for (const [method, path] of [
      ['GET', '/api/v1/nothing'],
      ['POST', '/api/v1/user/info'],
      ['GET', '/api/v2/user/info'],
      ['DELETE', '/api/v1/auth/login'],
      ['GET', '/nothing'],
    ] as const) {
      const response = await fetch(`${server.url}${path}`, { method, headers: { LANG: 'EN' } })
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({ code: 404, message: 'We could not find that', data: null })
    }
  })

  test('take forms only, of limited size', async () => {
    const json = await postAs('{"address":"0x"}', 'application/json')
    expect(json.status).toBe(415)
    expect(await json.json()).toMatchObject({ code: 400, data: null })
    const large = await postAs(`address=${'a'.repeat(200_000)}`, 'application/x-www-form-urlencoded')
    expect(large.status).toBe(413)
    expect(await large.json()).toMatchObject({ code: 413, data: null })
  })
})

describe('health', () => {
  test('says alive, and ready with every part once the chain is followed', async () => {
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ alive: true })
    const ready = await until(
      'ready',
      async () => {
        const response = await fetch(`${server.url}/readyz`)
        return { status: response.status, state: (await response.json()) as Record<string, unknown> }
      },
      ({ status }) => status === 200,
    )
    expect(ready.state).toMatchObject({
      ready: true,
      parts: {
        database: { ok: true },
        chain: { ok: true, head: Number(await chain.client.getBlockNumber()) },
        follower: { ok: true, lag_blocks: 0, halted: false },
      },
    })
  })
})

test('metrics are served where they are asked for, and nowhere else', async () => {
  await using other = await createTestDatabase()
  const metricsPort = await freePort()
  const config = configOnAnyPort({ ...env, DATABASE_URL: other.url, METRICS_PORT: String(metricsPort) })
  const measured = await startServer(config, parts)
  try {
    await fetch(`${measured.url}/api/v1/home/public`)
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    expect(text).toContain('candela_call_seconds_count{route="GET home/public",code="200"} 1')
    expect(text).toMatch(/^candela_chain_lag_blocks \d+$/m)
    expect(text).toMatch(/^candela_process_cpu_seconds_total /m)
    expect((await fetch(`${measured.url}/metrics`)).status).toBe(404)
  } finally {
    await measured.stop()
  }
})

describe('a second server', () => {
  test('on the same database answers calls and leaves the loops to the first', async () => {
    const metricsPort = await freePort()
    const second = await startServer(configOnAnyPort({ ...env, METRICS_PORT: String(metricsPort) }), parts)
    try {
      expect((await fetch(`${second.url}/api/v1/home/public`)).status).toBe(200)
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      expect(text).toMatch(/^candela_lease_held 0$/m)
      expect(text).toMatch(/^candela_lease_free 0$/m)
      expect(text).toMatch(/^candela_lease_number 1$/m)
    } finally {
      await second.stop()
    }
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  })
})

describe('settings that only the chain can prove wrong', () => {
  test('are named, and nothing of them is written down', async () => {
    await using other = await createTestDatabase()
    const start = (wrong: Record<string, string>) =>
      startServer(configOnAnyPort({ ...env, DATABASE_URL: other.url, ...wrong }), parts)
    await expect(start({ GATEWAY_ADDRESS: `0x${'9'.repeat(40)}` })).rejects.toThrow(/^GATEWAY_ADDRESS .*no contract/)
    // Each of them is a contract of this chain; none is what the payment contract says.
    const swapped = { HASH_PAIR_ADDRESS: env['JU_PAIR_ADDRESS'] ?? '', JU_PAIR_ADDRESS: env['HASH_PAIR_ADDRESS'] ?? '' }
    await expect(start(swapped)).rejects.toThrow(/^HASH_PAIR_ADDRESS is .* but pair\(\) of the payment contract is/)
    expect(await other.db.selectFrom('chain_cursor').selectAll().execute()).toEqual([])
  })
})

describe('production', () => {
  let production: RunningServer
  let own: TestDatabase
  let webDist: string
  beforeAll(async () => {
    own = await createTestDatabase()
    webDist = await mkdtemp(join(tmpdir(), 'candela-web-'))
    await writeFile(join(webDist, 'index.html'), '<!doctype html><title>Candela</title><script>let a</script>')
    production = await startServer(
      configOnAnyPort({
        ...env,
        NODE_ENV: 'production',
        DRAIN_MS: '0',
        DATABASE_URL: own.url,
        PUBLIC_ORIGIN: 'https://app.example.org',
        RPC_URLS: 'https://rpc.example.org',
        WEB_DIST: webDist,
      }),
      parts,
    )
  })
  afterAll(async () => {
    await production?.stop()
    await rm(webDist, { recursive: true, force: true })
    await own?.drop()
  })

  test('refuses every plain route in the body shape', async () => {
    for (const key of Object.keys(endpoints) as Key[]) {
      const { method, path } = endpointRoute(key)
      const response = await fetch(`${production.url}${path}`, { method, headers: { LANG: 'ZH' } })
      expect([key, response.status]).toEqual([key, 404])
      expect(await response.json()).toEqual({ code: 404, message: '没有找到相关内容', data: null })
    }
    expect((await fetch(`${production.url}/healthz`)).status).toBe(200)
  })

  test('answers every route through the gateway', async () => {
    for (const key of Object.keys(endpoints) as Key[]) {
      const { method, path } = endpointRoute(key)
      const body = await throughGateway(production.url, method, path)
      if (endpoints[key].auth === 'session') expect([key, body.code]).toEqual([key, 401])
      else expect(answersToNothing(key)).toContain(body.code)
    }
  })

  test('gives the page a policy without inline scripts but the build’s own, that reaches the wallets’ RPC and nothing else', async () => {
    const { headers } = await fetch(`${production.url}/`)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`script-src 'self' '${inlineHashes('<script>let a</script>').scripts[0]}';`)
    expect(policy).toContain("connect-src 'self' https://rpc.example.org;")
    expect(policy).toContain("default-src 'self';")
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})

async function throughGateway(url: string, method: Method, path: string): Promise<Body> {
  const form = sealForm({ method, url: path, headers: { LANG: 'EN' } }, systemClock.now().getTime())
  const response = await fetch(`${url}/api/v1/gateway`, { method: 'POST', body: new URLSearchParams(form) })
  expect(response.status).toBe(200)
  return JSON.parse(decrypt(await response.text(), form.handshake)) as Body
}
