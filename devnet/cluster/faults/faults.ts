/** What is done to a part of the cluster, and what ends it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '@candela/server/kernel/assert'
import { expect } from 'vitest'
import { isPortTaken } from '../../process/ports.ts'
import { signal } from '../../process/spawn-guarded.ts'
import type { Cluster } from '../start-cluster.ts'

/** A part is gone until `restore` has it back, whole. */
export interface Struck {
  what: string
  restore: () => Promise<void>
}

export interface Fault {
  /** Whether the loops stood still, so that another worker has to go on with payments. */
  stopsLoops: boolean
  strike: (cluster: Cluster) => Promise<Struck>
}

/** In this order: what has to be whole again after the primary is the slowest. */
export const faults: Readonly<Record<string, Fault>> = {
  'kill -9 of the primary': { stopsLoops: false, strike: killPrimary },
  'kill -9 of the leading worker': { stopsLoops: true, strike: killLeader },
  'pause of the leading worker': { stopsLoops: true, strike: pauseLeader },
  'kill -9 of an api server': { stopsLoops: false, strike: killApi },
  'loss of an etcd': { stopsLoops: false, strike: loseEtcd },
  'loss of Redis': { stopsLoops: false, strike: loseRedis },
}

type Server = Cluster['servers'][number]

/** 1 when it runs the loops. Undefined while it does not answer. */
const leads = async ({ metricsUrl }: Server): Promise<boolean | undefined> => {
  const text = await fetch(metricsUrl, { signal: AbortSignal.timeout(2000) }).then(
    (answer) => answer.text(),
    () => undefined,
  )
  return text === undefined ? undefined : /^candela_lease_held 1$/m.test(text)
}

async function leaderOf({ servers }: Cluster): Promise<Server> {
  const workers = servers.filter(({ name }) => name.startsWith('worker'))
  const leading = async () => {
    const answers = await Promise.all(workers.map(leads))
    return answers.filter((each) => each === true).length === 1 ? workers[answers.indexOf(true)] : undefined
  }
  await expect.poll(leading, { interval: 100, message: 'one worker leads' }).toBeDefined()
  return must(await leading(), 'one worker leads')
}

/** It is started again by what supervises it. */
async function killServer(server: Server): Promise<Struck> {
  const pid = must(server.pid(), 'it runs')
  signal(pid, 'SIGKILL')
  const isBack = async () => {
    if (server.pid() === pid) return false
    const origin = new URL(server.name.startsWith('api') ? server.url : server.metricsUrl).origin
    return fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  const restore = () => expect.poll(isBack, { interval: 200, message: `${server.name} is ready again` }).toBe(true)
  return { what: server.name, restore }
}

async function killLeader(cluster: Cluster): Promise<Struck> {
  return killServer(await leaderOf(cluster))
}

async function killApi({ servers }: Cluster): Promise<Struck> {
  const api = servers.find(({ name }) => name === 'api1')
  return killServer(must(api, 'there are api servers'))
}

/** Goes on, when it does, with what it was doing: its lease must be gone by then. */
async function pauseLeader(cluster: Cluster): Promise<Struck> {
  const leader = await leaderOf(cluster)
  const pid = must(leader.pid(), 'it runs')
  signal(pid, 'SIGSTOP')
  const restore = async () => {
    signal(pid, 'SIGCONT')
    await expect.poll(() => leads(leader), { interval: 100, message: 'it knows that another leads' }).toBe(false)
    expect(leader.pid()).toBe(pid)
    expect((await leaderOf(cluster)).name).not.toBe(leader.name)
  }
  return { what: leader.name, restore }
}

async function killPrimary({ database }: Cluster): Promise<Struck> {
  const primary = must(
    (await database.members()).find(({ role }) => role === 'leader'),
    'there is a primary',
  )
  await database.killPostgres(primary.name)
  return {
    what: primary.name,
    restore: async () => {
      const leader = async () => (await database.members()).find(({ role }) => role === 'leader')?.name
      await database.ready()
      expect(await leader()).not.toBe(primary.name)
    },
  }
}

async function loseEtcd({ database: { place } }: Cluster): Promise<Struck> {
  const url = `http://127.0.0.1:${place.port('etcd1')}/health`
  const isBack = () =>
    fetch(url, { signal: AbortSignal.timeout(2000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  return keepAway('etcd1', () => place.pid('etcd1'), isBack)
}

async function loseRedis({ database: { place } }: Cluster): Promise<Struck> {
  return keepAway(
    'redis',
    () => place.pid('redis'),
    () => isPortTaken(place.port('redis')),
  )
}

/** Kills each run that it is started again for, until `restore`. */
function keepAway(what: string, pid: () => number, isBack: () => Promise<boolean>): Struck {
  const returning = new AbortController()
  const killing = (async () => {
    let killed = 0
    while (!returning.signal.aborted) {
      if (pid() !== killed) signal((killed = pid()), 'SIGKILL')
      await sleep(10)
    }
    return killed
  })()
  const restore = async () => {
    returning.abort()
    const killed = await killing
    await expect.poll(() => pid() !== killed, { interval: 50, message: `${what} is started again` }).toBe(true)
    await expect.poll(isBack, { interval: 50, message: `${what} answers again` }).toBe(true)
  }
  return { what, restore }
}
