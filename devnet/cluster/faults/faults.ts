/** Each fault is done to a part of the cluster, with what ends it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '@candela/server/kernel/assert'
import { expect } from 'vitest'
import { isPortTaken } from '@candela/testing/process/ports'
import { signal } from '@candela/testing/process/spawn-guarded'
import type { CuttableNetwork } from '../network.ts'
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

/** In this order: what has to be whole again after the primary is the slowest. @param network null where it cannot be cut */
export const faultsWith = (network: CuttableNetwork | null): Readonly<Record<string, Fault>> => ({
  'kill -9 of the primary': { stopsLoops: false, strike: killPrimary },
  'pause of the primary': { stopsLoops: false, strike: pausePrimary },
  ...(network === null
    ? {}
    : {
        'cutting off the primary': {
          stopsLoops: false,
          strike: (cluster) => cutPrimary(cluster, network),
        },
      }),
  'pause of a standby': { stopsLoops: false, strike: pauseStandby },
  'kill -9 of the leading worker': { stopsLoops: true, strike: killLeader },
  'pause of the leading worker': { stopsLoops: true, strike: pauseLeader },
  'kill -9 of an api server': { stopsLoops: false, strike: killApi },
  'loss of an etcd': { stopsLoops: false, strike: loseEtcd },
  'loss of Redis': { stopsLoops: false, strike: loseRedis },
})

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

const primaryOf = async ({ database }: Cluster): Promise<string | undefined> =>
  (await database.members()).find(({ role }) => role === 'leader')?.name

/** Loses the primary by `strike`; after `end` it must come back as a standby. */
async function losePrimary(
  cluster: Cluster,
  strike: (name: string) => Promise<void>,
  end: (name: string) => Promise<void>,
): Promise<Struck> {
  const primary = must(await primaryOf(cluster), 'there is a primary')
  await strike(primary)
  return {
    what: primary,
    restore: async () => {
      await end(primary)
      await cluster.database.ready()
      expect(await primaryOf(cluster)).not.toBe(primary)
    },
  }
}

/** Its Patroni, which goes on, starts it again. */
const killPrimary = (cluster: Cluster): Promise<Struck> =>
  losePrimary(cluster, cluster.database.killPostgres, () => Promise.resolve())

/** As when its machine is gone, and then wakes and believes that it is still the primary. */
const pausePrimary = (cluster: Cluster): Promise<Struck> =>
  losePrimary(cluster, cluster.database.freeze, cluster.database.thaw)

/** Commits wait for a synchronous one until it is known to be gone. Nothing has to take its place. */
async function pauseStandby({ database }: Cluster): Promise<Struck> {
  const synchronous = (await database.members()).find(({ role }) => role === 'sync_standby')
  const { name } = must(synchronous, 'there is a synchronous standby')
  await database.freeze(name)
  const restore = async () => {
    await database.thaw(name)
    await database.ready()
  }
  return { what: name, restore }
}

/** It runs on, and neither its standbys, nor etcd, nor the servers hear of it. */
const cutPrimary = (cluster: Cluster, network: CuttableNetwork): Promise<Struck> =>
  losePrimary(cluster, network.cut, network.mend)

async function loseEtcd({ database: { place, isEtcdHealthy } }: Cluster): Promise<Struck> {
  return keepAway(
    'etcd1',
    () => place.pid('etcd1'),
    () => isEtcdHealthy('etcd1'),
  )
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
