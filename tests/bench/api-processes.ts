/**
 * Measures what further API processes on the same database cost: 1, 2 and 4 of them answer as many reads as they can, each on 64
 * connections. Prints, for each number, how many are answered in a second of processor time of the processes, Postgres and Redis
 * together: the load generator is not in it, which has its share of the same machine. Beside them as many bare `node:http` with the
 * same queries: where their figure falls too, it is the machine. Medians over rounds in turns. Needs Linux and redis-server.
 *
 *   npx node tests/bench/api-processes.ts [--rounds 5] [--requests 8000]
 *
 * A read is `auth/sessions` through the envelope with a session; each envelope is noted in Redis, as API nodes beside each other do.
 * A server of role `all` beside them does what workers do, and gets no calls.
 */
import { freePort } from '@candela/testing/process/ports'
import { openDatabase } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import { silentLog } from '@candela/server/kernel/log'
import { TestRedis } from '@candela/testing/redis/redis'
import { startBare } from './http/bare.ts'
import { seal, unseal } from './http/envelope.ts'
import { median, print, spread } from './support/figures.ts'
import { type Connection, connections, get, saturate } from './http/http-load.ts'
import { addMembers } from './support/people.ts'
import { processorSeconds } from './support/processor-time.ts'
import { startPlace, startServer } from './support/service.ts'
import { readFlags } from '../../scripts/usage.ts'

const { values: flags } = readFlags(import.meta.filename, {
  options: { rounds: { type: 'string', default: '5' }, requests: { type: 'string', default: '8000' } },
})
const rounds = Number(flags.rounds)
const requests = Number(flags.requests)
const NUMBERS = [1, 2, 4] as const
/** To each process: what is added serves further clients. */
const CONNECTIONS = 64
/** Rounds until all code is compiled, which do not count. */
const WARM_ROUNDS = 3

type Process = { port: number; pid: number }
type Kind = 'API' | 'bare'
type Measured = { perCore: number; perSecond: number; cores: number; process_us: number; postgres_us: number }

const ends: (() => Promise<unknown>)[] = []
try {
  await run()
} finally {
  for (const end of ends.toReversed()) await end()
}

async function run(): Promise<void> {
  const redis = await TestRedis.start()
  ends.push(() => redis[Symbol.asyncDispose]())
  const place = await startPlace()
  ends.push(place.stop)
  const start = async (env: Record<string, string>) => {
    const server = await startServer(place, { env: { ...env, REDIS_URL: redis.url } })
    ends.push(server.stop)
    return server
  }
  await start({ ROLE: 'all' })
  const processes: Record<Kind, Process[]> = { API: [], bare: [] }
  while (processes.API.length < Math.max(...NUMBERS)) {
    processes.API.push(await start({ ROLE: 'api', METRICS_PORT: String(await freePort()) }))
    const bare = await startBare({ DATABASE_URL: place.postgres.url() })
    ends.push(bare.stop)
    processes.bare.push(bare)
  }
  const db = openDatabase({ url: place.postgres.url(), log: silentLog() })
  const people = await addMembers(db, 500)
  await db.destroy()

  const anybody = () => must(people[Math.floor(Math.random() * people.length)], 'there are people').token
  const read = () =>
    seal({ method: 'GET', url: '/api/v1/auth/sessions', headers: { Authorization: anybody(), LANG: 'TW' } })
  const makers = { API: () => read().request, bare: () => get('/sessions', { Authorization: anybody() }) }
  const first = read()
  const [probe] = connections(must(processes.API[0], 'one was started').port, 1) as [Connection]
  const seen = unseal(await probe.ask(first.request), first.key) as { items: unknown[] }
  probe.close()
  if (seen.items.length !== 1) throw new Error('the service did not answer what was asked')

  const measure = async (kind: Kind, count: number): Promise<Measured> => {
    const used = processes[kind].slice(0, count)
    const all = used.flatMap(({ port }) => connections(port, CONNECTIONS))
    const list = Array.from({ length: requests }, makers[kind])
    const read_s = () =>
      Promise.all([used.map(({ pid }) => pid), [place.postgres.pid], [redis.pid]].map(processorSeconds))
    const before = await read_s()
    const { good, took_s } = await saturate(all, list)
    const parts_s = (await read_s()).map((after, part) => after - (before[part] ?? 0))
    for (const connection of all) connection.close()
    if (good !== requests) throw new Error(`only ${good} of ${requests} were answered`)
    const used_s = parts_s.reduce((sum, part) => sum + part, 0)
    const [process_us = 0, postgres_us = 0] = parts_s.map((part) => (part * 1e6) / good)
    return { perCore: good / used_s, perSecond: good / took_s, cores: used_s / took_s, process_us, postgres_us }
  }
  const cases = (['API', 'bare'] as const).flatMap((kind) =>
    NUMBERS.map((count) => ({ kind, count, seen: [] as Measured[] })),
  )
  for (let round = -WARM_ROUNDS; round < rounds; round++) {
    for (const { kind, count, seen: measured } of round % 2 === 0 ? cases : cases.toReversed()) {
      const one = await measure(kind, count)
      if (round >= 0) measured.push(one)
    }
  }
  for (const { kind, count, seen: all } of cases) {
    const alone = must(
      cases.find((other) => other.kind === kind && other.count === 1),
      'one is measured',
    ).seen
    const ratios = all.map(({ perCore }, round) => perCore / must(alone[round], 'of the same round').perCore)
    const of = (figure: keyof Measured, digits = 0) => median(all.map((one) => one[figure])).toFixed(digits)
    print(
      `${count} ${kind}: ${of('perSecond')} a second on ${of('cores', 2)} processors; ${of('perCore')} for each, ` +
        `${spread(ratios)} of one; a read takes ${of('process_us')} µs of the process, ${of('postgres_us')} µs of Postgres`,
    )
  }
}
