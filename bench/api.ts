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
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { hashMessage } from 'viem'
import { seal, unseal } from './envelope.ts'
import { median, percentile, print, spread } from './figures.ts'
import { get, type Line, lines, type Outcome, pour, saturate } from './http-load.ts'
import { addMembers, newPerson, type Person, sign } from './people.ts'
import { startService } from './service.ts'

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

const signText = (person: Person, message: string) => sign(person, hashMessage(message, 'bytes'))

const service = await startService({ env: { TRUST_PROXY: '127.0.0.1' } })
const children: ChildProcess[] = []
try {
  await run()
} finally {
  for (const child of children) child.kill('SIGKILL')
  await service.stop()
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

async function run(): Promise<void> {
  const db = openDatabase({ url: service.url, log: silentLog() })
  const people = await addMembers(db, members)
  await db.destroy()
  const bare = await start('bare-http.ts', { DATABASE_URL: service.url })
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
  print(`read: ${Math.round(median(ours))} a second; ${spread(ofSame)} of bare node:http with the same queries`)
  print(`read: ${spread(ofConstant)} of bare node:http with constant bytes`)

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
  print(`overload: at three times that, goodput ${spread(goodput)}; p99 of what is answered ${spread(worst, 0)} ms`)

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
  print(`flood: ${spread(perSecond, 0)} wrong logins a second; p99 of other routes ${spread(p99, 1)} ms`)

  const rates: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const rate = await logIns(wide, logins, people)
    if (round > 0) rates.push(rate)
  }
  print(`logins: ${spread(rates, 0)} a second`)
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
