/**
 * What the way through the API costs, and how it behaves when there is too much of everything. Prints medians over
 * interleaved rounds on one Postgres with fsync on.
 *
 *   node bench/api.ts [--rounds 5] [--requests 6000] [--logins 3000]
 *
 * read: `auth/sessions` through the envelope with a session, as production runs it, against bare `node:http` with the
 * same two queries, and against bare `node:http` that answers constant bytes. overload: three times as many reads a
 * second as it can do; goodput is what is answered within a second. flood: wrong logins from many addresses as fast as
 * they are taken, while somebody else reads. logins: message, signature, login; a session each.
 * Client, server and database share the machine.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { open, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '@candela/devnet/processes'
import { type Body, GATEWAY_PATH, signedText } from '@candela/protocol/envelope'
import { startEmbeddedPostgres } from '@candela/server/db/embedded'
import { openDatabase } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { hashToken } from '@candela/server/modules/session/log-in'
import { startChainForServer } from '@candela/server/testing-server'
import secp256k1 from 'secp256k1'
import { hashMessage, keccak256, toHex } from 'viem'
import { type Answer, get, type Line, lines, type Outcome, percentile, postForm, pour, saturate } from './http-load.ts'

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '6000' },
    logins: { type: 'string', default: '3000' },
  },
})
const rounds = Number(flags.rounds)
const requests = Number(flags.requests)
const logins = Number(flags.logins)
const members = 500

type Inner = { method: 'GET' | 'POST'; url: string; data?: Record<string, string>; headers?: Record<string, string> }

/** An envelope on its way, and the key that opens its answer. */
function seal(inner: Inner, from?: string): { request: Buffer; key: string } {
  const key = randomBytes(8).toString('hex')
  const timestamp = String(Date.now())
  const cipher = createCipheriv('aes-128-ecb', key, null)
  const data = cipher.update(JSON.stringify(inner), 'utf8', 'base64') + cipher.final('base64')
  const sign = createHmac('sha256', key).update(signedText(timestamp, data)).digest('hex')
  const form = new URLSearchParams({ handshake: key, timestamp, sign, data }).toString()
  const request = postForm(GATEWAY_PATH, form)
  if (from === undefined) return { request, key }
  const text = request.toString('latin1').replace('Host: bench', `Host: bench\r\nX-Forwarded-For: ${from}`)
  return { request: Buffer.from(text, 'latin1'), key }
}

function unseal({ body, status }: Answer, key: string): unknown {
  if (status !== 200) throw new Error(`the gateway answered ${status}: ${body}`)
  const decipher = createDecipheriv('aes-128-ecb', key, null)
  const answer = JSON.parse(decipher.update(body, 'base64', 'utf8') + decipher.final('utf8')) as Body<unknown>
  if (answer.code !== 200) throw new Error(`${answer.code} ${answer.message}`)
  return answer.data
}

type Person = { key: Buffer; address: string; token: string }

function newPerson(): Person {
  const key = randomBytes(32)
  const point = secp256k1.publicKeyCreate(key, false)
  return {
    key,
    address: `0x${keccak256(point.subarray(1)).slice(-40)}`,
    token: randomBytes(32).toString('base64url'),
  }
}

function signText(person: Person, message: string): string {
  const { signature, recid } = secp256k1.ecdsaSign(hashMessage(message, 'bytes'), person.key)
  return toHex(Buffer.concat([signature, Buffer.from([27 + recid])]))
}

const median = (values: number[]): number => percentile(values, 0.5)
const say = (line: string) => process.stdout.write(`${line}\n`)
const range = (values: number[], digits = 2) =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`

const folder = await mkdtemp(join(tmpdir(), 'candela-bench-'))
const postgres = await startEmbeddedPostgres({ folder })
const { chain, env } = await startChainForServer()
const children: ChildProcess[] = []
try {
  await run()
} finally {
  for (const child of children) child.kill('SIGKILL')
  await chain.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

async function start(script: string, environment: Record<string, string>): Promise<{ port: number }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script)], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const ready = Promise.withResolvers<string>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => ready.resolve(text))
  child.once('exit', (code) => ready.reject(new Error(`${script} ended with ${code}`)))
  return { port: Number(await ready.promise) }
}

/** The service as production runs it, its log in a file. */
async function startService(url: string): Promise<{ port: number }> {
  const log = await open(join(folder, 'server.log'), 'a')
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server/src/main.ts')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      EXIT_WITH_PARENT: 'on',
      PORT: String(port),
      PUBLIC_ORIGIN: 'https://app.example.org',
      RPC_URLS: 'https://rpc.example.org',
      DATABASE_URL: url,
      TRUST_PROXY: '127.0.0.1',
      // One address and a few members stand for many.
      RATE_LIMIT_SCALE: '1000000',
    },
    stdio: ['pipe', log.fd, log.fd],
  })
  children.push(child)
  for (let attempt = 0; attempt < 300; attempt++) {
    const [line] = lines(port, 1)
    const answer = await line?.ask(get('/healthz'))
    line?.close()
    if (answer?.status === 200) return { port }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the service does not answer')
}

async function seed(url: string): Promise<Person[]> {
  const db = openDatabase({ url, log: silentLog() })
  const people = Array.from({ length: members }, newPerson)
  const now = new Date()
  const rows = await db
    .insertInto('member')
    .values(
      people.map(({ address }, at) => ({
        address,
        inviter_id: null,
        invitation_code: `BENCH${String(at).padStart(5, '0')}`,
        ju_uid: null,
        joined_at: now,
      })),
    )
    .returning(['id', 'address'])
    .execute()
  const idOf = new Map(rows.map(({ id, address }) => [address, id]))
  await db
    .insertInto('session')
    .values(
      people.map(({ address, token }) => ({
        token_hash: hashToken(token),
        id: crypto.randomUUID(),
        member_id: idOf.get(address) ?? 0n,
        created_at: now,
        seen_at: now,
        expires_at: new Date(now.getTime() + 86_400_000),
        ended_at: null,
        user_agent: 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Mobile Safari/537.36',
      })),
    )
    .execute()
  await db.destroy()
  return people
}

async function run(): Promise<void> {
  const url = postgres.url()
  const service = await startService(url)
  const people = await seed(url)
  const bare = await start('bare-http.ts', { DATABASE_URL: url })
  const wide = lines(service.port, 64)
  const anybody = () => people[Math.floor(Math.random() * people.length)] as Person
  const read = () =>
    seal({ method: 'GET', url: '/api/v1/auth/sessions', headers: { Authorization: anybody().token, LANG: 'TW' } })
  const reads = (count: number) => Array.from({ length: count }, () => read().request)

  const first = read()
  const seen = unseal(await (wide[0] as Line).ask(first.request), first.key) as { items: unknown[] }
  if (seen.items.length !== 1) throw new Error('the service did not answer what was asked')

  const bareLines = lines(bare.port, 64)
  const same = () => Array.from({ length: requests }, () => get('/sessions', { Authorization: anybody().token }))
  const constant = Array.from({ length: requests }, () => get('/nothing'))
  const ours: number[] = []
  const ofSame: number[] = []
  const ofConstant: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const a = await measure(wide, reads(requests))
    const b = await measure(bareLines, same())
    const c = await measure(bareLines, constant)
    // The first round warms everything up.
    if (round === 0) continue
    ours.push(a)
    ofSame.push(a / b)
    ofConstant.push(a / c)
  }
  say(`read: ${Math.round(median(ours))} a second; ${range(ofSame)} of bare node:http with the same queries`)
  say(`read: ${range(ofConstant)} of bare node:http with constant bytes`)

  const many = lines(service.port, 512)
  const goodput: number[] = []
  const worst: number[] = []
  for (let round = 0; round < rounds; round++) {
    // What it can do changes with who else uses the machine: asked right before.
    const capacity = await measure(wide, reads(requests))
    const outcome = await pour(many, reads(Math.round(capacity * 3 * 3)), {
      perSecond: capacity * 3,
      patience_ms: 1000,
    })
    goodput.push(outcome.good / outcome.took_s / capacity)
    worst.push(percentile(outcome.latencies_ms, 0.99))
  }
  say(`overload: at three times that, goodput ${range(goodput)}; p99 of what is answered ${range(worst, 0)} ms`)

  const floods: Outcome[] = []
  const p99: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [flood, others] = await Promise.all([
      floodWithBadLogins(many.slice(0, 64), 4_000),
      pour(wide, reads(1_500), { perSecond: 300, patience_ms: 1000 }),
    ])
    floods.push(flood)
    p99.push(percentile(others.latencies_ms, 0.99))
  }
  const perSecond = floods.map(({ answered, took_s }) => answered / took_s)
  say(`flood: ${range(perSecond, 0)} wrong logins a second; p99 of other routes ${range(p99, 1)} ms`)

  const rates: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const rate = await logIns(wide, logins, people)
    if (round > 0) rates.push(rate)
  }
  say(`logins: ${range(rates, 0)} a second`)
  for (const line of [...wide, ...many, ...bareLines]) line.close()
}

async function measure(all: readonly Line[], list: readonly Buffer[]): Promise<number> {
  const outcome = await saturate(all, list)
  if (outcome.good !== list.length) throw new Error(`only ${outcome.good} of ${list.length} were answered`)
  return outcome.good / outcome.took_s
}

/** Signed by the wrong key, over messages that are ours: each costs the server a recovered signature. */
async function floodWithBadLogins(all: readonly Line[], count: number): Promise<Outcome> {
  const wrong = newPerson()
  const right = newPerson()
  const url = `/api/v1/auth/loginMessage`
  const asked = seal({ method: 'GET', url, headers: { LANG: 'TW' } })
  const { message } = unseal(await (all[0] as Line).ask(asked.request), asked.key) as { message: string }
  const data = { address: right.address, message, sign_message: signText(wrong, message) }
  const list = Array.from({ length: count }, (_none, at) => {
    const from = `10.${at % 250}.${Math.floor(at / 250) % 250}.7`
    return seal({ method: 'POST', url: '/api/v1/auth/login', data }, from).request
  })
  return saturate(all, list)
}

async function logIns(all: readonly Line[], count: number, people: readonly Person[]): Promise<number> {
  const started = performance.now()
  let next = 0
  await Promise.all(
    all.map(async (line) => {
      for (let at = next++; at < count; at = next++) {
        const person = people[at % people.length] as Person
        const { address } = person
        const asked = seal({ method: 'GET', url: '/api/v1/auth/loginMessage' })
        const { message } = unseal(await line.ask(asked.request), asked.key) as { message: string }
        const data = { address, message, sign_message: signText(person, message), replace: '1' }
        const sent = seal({ method: 'POST', url: '/api/v1/auth/login', data })
        unseal(await line.ask(sent.request), sent.key)
      }
    }),
  )
  return (count / (performance.now() - started)) * 1000
}
