import { randomBytes } from 'node:crypto'
import { sealForm } from '@candela/protocol/envelope/testing-envelope'
import { endpointRoute } from '@candela/protocol/endpoint'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { readConfig } from '@candela/server/main/config'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { systemClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { keptLog } from '@candela/testing/server/kept-log'
import { addMember } from '@candela/server/modules/power/testing'
import { type RunningServer, startServer } from '@candela/server/main/start-server'
import type { Key } from '@candela/protocol/endpoints'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goodForms } from './api-inputs.ts'
import { keys, untilOthersLeft } from './api-scenario.ts'
import { environmentOf } from '@candela/testing/server/server-process'

const key = generatePrivateKey()
const wallet = privateKeyToAccount(key)
const address = wallet.address.toLowerCase()

let chain: TestChain
let database: TestDatabase
let server: RunningServer
const { log, lines } = keptLog('trace')
const written = () => lines.join('')
/** The texts that must not be read in a log, under a name for when one is. */
const secrets = new Map<string, string>([['private key', key]])

beforeAll(async () => {
  chain = await startTestChain()
  database = await createTestDatabase()
  await chain.mine(3)
  const env = await environmentOf(chain, database)
  const config = readConfig({ ...env, EXIT_WITH_PARENT: 'off', RATE_LIMIT_SCALE: '1000000' })
  server = await startServer(config, { clock: systemClock, ids: systemIds(systemClock), log })
  await addMember(database.db, address)
})
afterAll(async () => {
  await server?.stop()
  await untilOthersLeft(database.db)
  await database.drop()
  await chain.stop()
})

type Body = { code: number; message: string; data: Record<string, string> | null }

async function call(route: Key, form: Record<string, string>, authorization = ''): Promise<Body> {
  const { method, path } = endpointRoute(route)
  const query = new URLSearchParams(form)
  const response = await fetch(`${server.url}${path}${method === 'GET' ? `?${query.toString()}` : ''}`, {
    method,
    headers: { lang: 'EN', authorization },
    ...(method === 'POST' && { body: query }),
  })
  return (await response.json()) as Body
}

/** Signs in as a wallet does, and remembers what of it is secret. */
async function signIn(name: string, signer = wallet): Promise<Body> {
  const { data } = await call('GET auth/loginMessage', { address })
  const message = data?.['message'] ?? ''
  const signature = await signer.signMessage({ message })
  // The line that proves the message: the others are the same for everybody.
  secrets.set(`${name}: nonce`, /Nonce: (\w+)/.exec(message)?.[1] ?? 'no nonce')
  secrets.set(`${name}: signature`, signature.slice(2))
  const body = await call('POST auth/login', { address, message, sign_message: signature })
  if (body.code === 200) secrets.set(`${name}: token`, body.data?.['token'] ?? 'no token')
  return body
}

/** The same call in an envelope, of which each part is secret. */
async function callSealed(name: string, token: string): Promise<void> {
  const inner = { method: 'GET', url: '/api/v1/user/info', headers: { Authorization: token } }
  const form = sealForm(inner, systemClock.now().getTime())
  const { handshake, sign, data } = form
  for (const [part, value] of Object.entries({ handshake, sign, data })) secrets.set(`${name}: ${part}`, value)
  const response = await fetch(`${server.url}/api/v1/gateway`, { method: 'POST', body: new URLSearchParams(form) })
  expect(response.status).toBe(200)
}

/** Every endpoint once, with what it takes and with a token; long texts are as good as secret. */
async function callEverything(name: string, token: string): Promise<Map<Key, Body>> {
  const answers = new Map<Key, Body>()
  for (const route of keys) {
    if (route === 'POST auth/logout' || route === 'POST auth/revoke') continue
    const [sample = {}] = fc.sample(goodForms(route), { numRuns: 1, seed: 5 })
    const signature = randomBytes(65).toString('hex')
    const form = { ...(sample as Record<string, string>), signature: `0x${signature}`, sign_message: `0x${signature}` }
    secrets.set(`${name}: signature for ${route}`, signature)
    const answer = await call(route, form, token)
    answers.set(route, answer)
    // That of a file is as good as a session for what it gives.
    const made = answer.data?.['token']
    if (route === 'POST file/link' && made !== undefined) {
      secrets.set(`${name}: link to a file`, made)
      await call('POST file/take', { token: made })
    }
  }
  return answers
}

function secretsInLog(): string[] {
  const text = written().toLowerCase()
  return [...secrets].filter(([, secret]) => text.includes(secret.toLowerCase())).map(([name]) => name)
}

test('no token, signature, login message, handshake or key is ever in the log, whatever becomes of a call', async () => {
  const first = await signIn('first')
  expect(first.code).toBe(200)
  const token = first.data?.['token'] ?? ''
  expect((await signIn('by another key', privateKeyToAccount(generatePrivateKey()))).code).toBe(4005)
  await callSealed('sealed', token)
  await callEverything('working', token)
  expect((await call('GET user/info', {}, `${token.slice(1)}x`)).code).toBe(401)

  // Then everything that can break does.
  await sql`alter table session rename to session_elsewhere`.execute(database.owner)
  const answers = await callEverything('without a table', token)
  const broken = await signIn('without a table')
  await callSealed('sealed without a table', token)
  expect(answers.get('GET user/info')?.code).toBe(500)
  expect(broken.code).toBe(500)

  // The reference that the person is told to quote finds the line with the reason, once.
  const reference = /\(reference (\w{12})\)/.exec(broken.message)?.[1] ?? 'no reference'
  const found = lines.filter((line) => line.includes(reference))
  expect(found).toHaveLength(1)
  expect(JSON.parse(found[0] ?? '')).toMatchObject({ level: 50, route: 'POST auth/login', code: 500 })

  await sql`alter table session_elsewhere rename to session`.execute(database.owner)
  await sql`alter table request_log rename to request_log_elsewhere`.execute(database.owner)
  await callEverything('without its memory', token)
  await sql`alter table request_log_elsewhere rename to request_log`.execute(database.owner)
  await chain.stop()
  await callEverything('without a chain', token)
  await signIn('without a chain', privateKeyToAccount(generatePrivateKey()))

  expect(secrets.size).toBeGreaterThan(keys.length * 3)
  for (const [name, secret] of secrets) expect([name, secret.length]).toEqual([name, Math.max(secret.length, 16)])
  for (const route of keys) if (!/logout|revoke/.test(route)) expect(written()).toContain(`"route":"${route}"`)
  expect(written().match(/"call failed"/g)?.length).toBeGreaterThan(keys.length / 2)
  expect(secretsInLog()).toEqual([])
  lines.push(`"${token}"`)
  expect(secretsInLog()).toEqual(['first: token'])
})
