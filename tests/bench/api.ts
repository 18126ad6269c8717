/**
 * Measures what a call through the API costs, and how the service behaves under overload, floods and slow clients. Prints medians over
 * interleaved rounds on one Postgres with fsync on.
 *
 *   npx node tests/bench/api.ts [--rounds 5] [--requests 6000] [--logins 3000] [--proxy haproxy|nginx]
 *
 * read: `auth/sessions` through the envelope with a session, as production runs it, against bare `node:http` with the
 * same two queries, and against bare `node:http` that answers constant bytes; and the processor time of the server's
 * threads for it (Linux only). overload: three times as many reads a
 * second as it can do; goodput is what is answered within a second. flood: wrong logins from many addresses as fast as
 * they are taken, while somebody else reads; against bare `node:http` that only recovers who signed, with the same reads
 * beside it. slow: reads while 800 slow clients are connected, against the same reads without them. logins: message,
 * signature, login; a session each; against bare `node:http` with the same recovery and statement. With --proxy
 * everything but what is bare goes through that proxy, configured as docs/operate/operations.md says (Linux only).
 * Client, server and database share the machine.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { hashMessage } from 'viem'
import { startBare } from './http/bare.ts'
import { seal, unseal } from './http/envelope.ts'
import { median, percentile, print, spread } from './support/figures.ts'
import {
  type Connection,
  connections,
  connectionsFromMany,
  get,
  type Outcome,
  postForm,
  saturate,
  sendAtRate,
} from './http/http-load.ts'
import { threadSeconds } from './support/processor-time.ts'
import { WARM_UP_ROUNDS } from './support/rounds.ts'
import { addMembers, newPerson, type Person, sign } from './support/people.ts'
import { startProxy } from './http/proxy.ts'
import { startService } from './support/service.ts'
import { openSlowClients } from './http/slow-clients.ts'
import { readFlags } from '../../scripts/usage.ts'

const { values: flags } = readFlags(import.meta.filename, {
  options: {
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '6000' },
    logins: { type: 'string', default: '3000' },
    proxy: { type: 'string', default: 'none' },
  },
})
const rounds = Number(flags.rounds)
const requests = Number(flags.requests)
const logins = Number(flags.logins)
const members = 500
/** As long as a message of the service. */
const BARE_MESSAGE = 'x'.repeat(420)

const signText = (person: Person, message: string) => sign(person, hashMessage(message, 'bytes'))

const web = await makeWeb()
const service = await startService({ env: { TRUST_PROXY: '127.0.0.1', WEB_DIST: web } })
const proxy =
  flags.proxy === 'haproxy' || flags.proxy === 'nginx' ? await startProxy(flags.proxy, service.port) : undefined
const port = proxy?.port ?? service.port
const connect = proxy === undefined ? connections : connectionsFromMany
const ends: (() => Promise<void>)[] = []
try {
  await run()
} finally {
  for (const end of ends) await end()
  await proxy?.stop()
  await service.stop()
  await rm(web, { recursive: true, force: true })
}

/** A folder to serve, with a file that is larger than any of the app. */
async function makeWeb(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'candela-web-'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Candela</title>')
  await writeFile(join(folder, 'large.txt'), 'x'.repeat(2 ** 20))
  return folder
}

async function run(): Promise<void> {
  const db = openDatabase({ url: service.url, log: silentLog() })
  const people = await addMembers(db, members)
  await db.destroy()
  const bare = await startBare({ DATABASE_URL: service.url })
  ends.push(bare.stop)
  const few = connect(port, 64)
  const anybody = () => people[Math.floor(Math.random() * people.length)] as Person
  const read = () =>
    seal({ method: 'GET', url: '/api/v1/auth/sessions', headers: { Authorization: anybody().token, LANG: 'TW' } })
  const reads = (count: number) => Array.from({ length: count }, () => read().request)

  const first = read()
  const seen = unseal(await (few[0] as Connection).ask(first.request), first.key) as { items: unknown[] }
  if (seen.items.length !== 1) throw new Error('the service did not answer what was asked')

  const toBare = connections(bare.port, 64)
  const toBareBeside = connections(bare.port, 64)
  const sameReads = (count: number) =>
    Array.from({ length: count }, () => get('/sessions', { Authorization: anybody().token }))
  const constant = Array.from({ length: requests }, () => get('/nothing'))
  const ours: number[] = []
  const ofSame: number[] = []
  const ofConstant: number[] = []
  const costs: ThreadCosts[] = []
  for (let nth = 0; nth < WARM_UP_ROUNDS; nth++) await measure(few, reads(requests))
  for (let round = 0; round <= rounds; round++) {
    const list = reads(requests)
    const used = await threadSeconds(service.pid)
    const a = await measure(few, list)
    const cost = costsSince(used, await threadSeconds(service.pid))
    const b = await measure(toBare, sameReads(requests))
    const c = await measure(toBare, constant)
    // The first round warms everything up.
    if (round === 0) continue
    ours.push(a)
    ofSame.push(a / b)
    ofConstant.push(a / c)
    costs.push(cost)
  }
  print(`read: ${Math.round(median(ours))} a second; ${spread(ofSame)} of bare node:http with the same queries`)
  print(`read: ${spread(ofConstant)} of bare node:http with constant bytes`)

  const each = (of: (cost: ThreadCosts) => number) =>
    spread(
      costs.map((cost) => (of(cost) / requests) * 1e6),
      0,
    )
  print(
    `read: ${each(({ all }) => all)} µs of Node: ${each(({ main }) => main)} of the main thread, ${each(({ http }) => http)} of HTTP's`,
  )

  const many = connect(port, 512)
  const goodput: number[] = []
  const worst: number[] = []
  for (let round = 0; round < rounds; round++) {
    // The most that it can do changes with who else uses the machine: asked right before and right after.
    const before = await measure(few, reads(requests))
    const outcome = await sendAtRate(many, reads(Math.round(before * 3 * 3)), {
      perSecond: before * 3,
      patience_ms: 1000,
    })
    const after = await measure(few, reads(requests))
    goodput.push(outcome.good / outcome.took_s / ((before + after) / 2))
    worst.push(percentile(outcome.latencies_ms, 0.99))
  }
  print(`overload: at three times that, goodput ${spread(goodput)}; p99 of what is answered ${spread(worst, 0)} ms`)

  const perSecond: number[] = []
  const ofBareRecovery: number[] = []
  const p99: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const badLogins = await makeBadLogins(few[0] as Connection, 4_000)
    const bareBadLogins = makeBareBadLogins(4_000)
    const flooded = () => Promise.all([saturate(many.slice(0, 64), badLogins), readAtRate(few, reads)])
    const bareFlooded = () => Promise.all([saturate(toBare, bareBadLogins), readAtRate(toBareBeside, sameReads)])
    const [[flood, others], [bareFlood]] = await alternately(round, flooded, bareFlooded)
    // The first round warms everything up.
    if (round === 0) continue
    perSecond.push(rateOf(flood))
    ofBareRecovery.push(rateOf(flood) / rateOf(bareFlood))
    p99.push(percentile(others.latencies_ms, 0.99))
  }
  print(`flood: ${spread(perSecond, 0)} wrong logins a second; p99 of other routes ${spread(p99, 1)} ms`)
  print(`flood: ${spread(ofBareRecovery)} of bare node:http with the recovery alone`)

  const without = await readAtRate(few, reads)
  const slow = await openSlowClients(port)
  const beside = await readAtRate(few, reads)
  const times = [without, beside].map(({ latencies_ms }) => median(latencies_ms))
  print(
    `slow: ${slow.open()} slow clients connected; reads take ${((times[1] ?? 0) / (times[0] ?? 1)).toFixed(2)} of the time without them`,
  )
  print(`slow: ${beside.good} of 1500 reads answered within a second, without them ${without.good}`)
  slow.end()

  const rates: number[] = []
  const ofBareLogins: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const [rate, bareRate] = await alternately(
      round,
      () => logIns(few, people, logInHere),
      () => logIns(toBare, people, logInAtBare),
    )
    if (round === 0) continue
    rates.push(rate)
    ofBareLogins.push(rate / bareRate)
  }
  print(`logins: ${spread(rates, 0)} a second; ${spread(ofBareLogins)} of bare node:http with the same statement`)
  for (const connection of [...few, ...many, ...toBare, ...toBareBeside]) connection.close()
}

/** Seconds of processor time. */
type ThreadCosts = { all: number; main: number; http: number }

function costsSince(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): ThreadCosts {
  const sum = (counts: (name: string) => boolean) =>
    [...after].reduce((seconds, [name, used]) => (counts(name) ? seconds + used - (before.get(name) ?? 0) : seconds), 0)
  return { all: sum(() => true), main: sum((name) => name === 'MainThread'), http: sum((name) => name === 'http') }
}

/** Runs both, one after the other. Who goes first alternates. */
async function alternately<A, B>(round: number, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> {
  if (round % 2 === 0) return [await one(), await other()]
  const second = await other()
  return [await one(), second]
}

function rateOf({ answered, took_s }: Outcome): number {
  return answered / took_s
}

function readAtRate(all: readonly Connection[], make: (count: number) => Buffer[]): Promise<Outcome> {
  return sendAtRate(all, make(1_500), { perSecond: 300, patience_ms: 1000 })
}

async function measure(all: readonly Connection[], list: readonly Buffer[]): Promise<number> {
  const outcome = await saturate(all, list)
  if (outcome.good !== list.length) throw new Error(`only ${outcome.good} of ${list.length} were answered`)
  return outcome.good / outcome.took_s
}

/** Signed by the wrong key, over messages that are ours: each costs the server a recovered signature. */
async function makeBadLogins(connection: Connection, count: number): Promise<Buffer[]> {
  const [wrong, right] = [newPerson(), newPerson()]
  const message = await askMessage(connection)
  const data = { address: right.address, message, sign_message: signText(wrong, message) }
  return Array.from({ length: count }, (_none, at) => {
    const from = `10.${at % 250}.${Math.floor(at / 250) % 250}.7`
    return seal({ method: 'POST', url: '/api/v1/auth/login', data }, from).request
  })
}

function makeBareBadLogins(count: number): Buffer[] {
  const request = bareLogin(newPerson().address, signText(newPerson(), BARE_MESSAGE))
  return Array.from({ length: count }, () => request)
}

async function askMessage(connection: Connection): Promise<string> {
  const asked = seal({ method: 'GET', url: '/api/v1/auth/loginMessage', headers: { LANG: 'TW' } })
  return (unseal(await connection.ask(asked.request), asked.key) as { message: string }).message
}

function bareLogin(address: string, signature: string): Buffer {
  return postForm('/login', new URLSearchParams({ address, message: BARE_MESSAGE, signature }).toString())
}

type LogIn = (connection: Connection, person: Person) => Promise<void>

async function logInHere(connection: Connection, person: Person): Promise<void> {
  const message = await askMessage(connection)
  const data = { address: person.address, message, sign_message: signText(person, message), replace: '1' }
  const sent = seal({ method: 'POST', url: '/api/v1/auth/login', data })
  unseal(await connection.ask(sent.request), sent.key)
}

/** As many requests as a login of the service takes. */
async function logInAtBare(connection: Connection, person: Person): Promise<void> {
  await connection.ask(get('/nothing'))
  const { body } = await connection.ask(bareLogin(person.address, signText(person, BARE_MESSAGE)))
  if ((JSON.parse(body) as { code: number }).code !== 200) throw new Error(`a bare login was refused: ${body}`)
}

async function logIns(all: readonly Connection[], people: readonly Person[], logIn: LogIn): Promise<number> {
  const started = performance.now()
  let next = 0
  await Promise.all(
    all.map(async (connection) => {
      for (let at = next++; at < logins; at = next++) await logIn(connection, people[at % people.length] as Person)
    }),
  )
  return (logins / (performance.now() - started)) * 1000
}
