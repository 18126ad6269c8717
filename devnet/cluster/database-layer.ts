/**
 * Three Postgres under Patroni with three etcd, HAProxy that leads to the primary, and PgBouncer before it: on one machine, in
 * processes of their own, from the files of deploy/.
 */
import { execFile } from 'node:child_process'
import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { z } from 'zod'
import { stopOrphan } from '@candela/testing/postgres/stop-postgres'
import { signal as sendSignal } from '@candela/testing/process/spawn-guarded'
import { type Network, oneAddress } from './network.ts'
import { patroniConfig } from './patroni-config.ts'
import { type Cleanup, openPlace, type Place, type PlaceOptions } from './place.ts'
import { keepsPreparedStatements, postgresFolder, programPath } from './programs.ts'
import { fillTemplate, readEnvironmentTemplate, readTemplate } from './templates.ts'

/** The database of a cluster, running. */
export interface DatabaseLayer {
  place: Place
  /** Through HAProxy to the primary, with the account that owns the tables: for migrations. */
  ownerUrl: string
  /** The same with the servers' account: for LISTEN and locks of a session. */
  directUrl: string
  /** Through PgBouncer, which gives a connection for one transaction. */
  pooledUrl: string
  /** Through HAProxy to one of the standbys. */
  standbyUrl: string
  /** Whether PgBouncer is new enough for the server's prepared statements. */
  keepsPreparedStatements: boolean
  /** Reads what Patroni says of each Postgres that it knows. @throws while none answers */
  members: () => Promise<Member[]>
  /** Whether this etcd answers and knows the others. */
  isEtcdHealthy: (name: string) => Promise<boolean>
  /** Waits until there is a primary that can be written to, and every standby follows it, at least one synchronously. */
  ready: () => Promise<void>
  /** Kills Postgres of this member, all its processes at once. Its Patroni goes on. */
  killPostgres: (name: string) => Promise<void>
  /** Stops every process of this member where it is, as when its machine is gone, or lets them all go on. */
  freeze: (name: string) => Promise<void>
  thaw: (name: string) => Promise<void>
}

const memberFields = z.object({
  name: z.string(),
  role: z.string(),
  state: z.string(),
  timeline: z.number().optional(),
  /** Bytes of the log that it has not received. A text while nobody knows. */
  lag: z.union([z.number(), z.string()]).optional(),
})
export type Member = z.infer<typeof memberFields>
const clusterFields = z.object({ members: z.array(memberFields) })

const names = ['1', '2', '3'] as const
const readyWithinMs = 120_000
/** In bytes of the log. A standby that has more to receive is still catching up. */
const largestLag = 1_048_576

/** The ports that the place of a database layer has to have. */
export const databasePorts = [
  ...names.flatMap((name) => [`etcd${name}`, `etcd${name}-peer`, `pg${name}`, `pg${name}-patroni`]),
  'primary',
  'standby',
  'pgbouncer',
]
export const databaseSecrets = ['superuser', 'replication', 'rewind', 'restapi', 'candela', 'candela_owner']

export type DatabaseLayerOptions = Omit<PlaceOptions, 'ports' | 'secrets'> &
  Partial<PlaceOptions> & {
    /** Where the three Postgres are, each with its Patroni. Everything at one address when it is left out. */
    network?: Network | undefined
  }

/** Starts it, with the data that is in the folder, and waits until it can be written to. */
export async function startDatabaseLayer(options: DatabaseLayerOptions): Promise<DatabaseLayer> {
  const { signal, log, cleanups, network = oneAddress } = options
  const place = await openPlace({
    ...options,
    ports: [...databasePorts, ...(options.ports ?? [])],
    secrets: [...databaseSecrets, ...(options.secrets ?? [])],
  })
  for (const name of names) await stopOrphan(dataFolder(place, name))
  // Patroni ends Postgres itself, unless it was killed.
  cleanups.push(async () => {
    for (const name of names) await stopOrphan(dataFolder(place, name))
  })
  log('Starting etcd')
  await Promise.all(names.map((name) => startEtcd(place, network, name)))
  log('Starting Patroni with three Postgres')
  // All at once: one that stops alone waits until the others have agreed on who is left.
  const stops: Cleanup[] = []
  cleanups.push(async () => {
    await Promise.all(stops.map((stop) => stop()))
  })
  const patroni = new Map(
    await Promise.all(names.map(async (name) => [name, await startPatroni(place, network, name, stops)] as const)),
  )
  await startHaproxy(place, network)
  const isNewBouncer = await startPgbouncer(place)

  const member = (name: string): (typeof names)[number] => {
    const found = names.find((each) => `pg${each}` === name)
    if (found === undefined) throw new Error(`The cluster has no ${name}`)
    return found
  }
  const processesOf = async (name: string) => {
    const pid = patroni.get(member(name))?.pid()
    return [...(pid === undefined ? [] : [pid]), ...(await processesIn(dataFolder(place, member(name))))]
  }
  const layer: DatabaseLayer = {
    place,
    ownerUrl: urlOf(place, 'primary', 'candela_owner'),
    directUrl: urlOf(place, 'primary'),
    pooledUrl: urlOf(place, 'pgbouncer'),
    standbyUrl: urlOf(place, 'standby'),
    keepsPreparedStatements: isNewBouncer,
    members: () => readMembers(place, network),
    isEtcdHealthy: (name) => isHealthy(etcdUrl(place, network, name)),
    ready: () => untilReady(place, network, signal),
    killPostgres: async (name) => {
      for (const pid of await processesIn(dataFolder(place, member(name)))) sendSignal(pid, 'SIGKILL')
    },
    freeze: async (name) => {
      for (const pid of await processesOf(name)) sendSignal(pid, 'SIGSTOP')
    },
    thaw: async (name) => {
      for (const pid of await processesOf(name)) sendSignal(pid, 'SIGCONT')
    },
  }
  await layer.ready()
  await createDatabase(place)
  return layer
}

const dataFolder = (place: Place, name: string): string => join(place.folder, `pg${name}`, 'data')

const urlOf = (place: Place, port: string, account = 'candela'): string =>
  `postgres://${account}:${place.secret(account)}@127.0.0.1:${place.port(port)}/candela`

/** All processes of a Postgres have its data folder as their working folder. */
async function processesIn(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, at) => folders[at] === folder).map(Number)
}

const etcdUrl = (place: Place, { host }: Network, port: string): string => `http://${host}:${place.port(port)}`

const isHealthy = (url: string): Promise<boolean> =>
  fetch(`${url}/health`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  )

async function startEtcd(place: Place, network: Network, name: string): Promise<void> {
  const url = (port: string) => etcdUrl(place, network, port)
  const env = {
    ...(await readEnvironmentTemplate('postgres/etcd.env')),
    ETCD_NAME: `etcd${name}`,
    ETCD_DATA_DIR: await place.subfolder(`etcd${name}`),
    ETCD_LISTEN_CLIENT_URLS: url(`etcd${name}`),
    ETCD_ADVERTISE_CLIENT_URLS: url(`etcd${name}`),
    ETCD_LISTEN_PEER_URLS: url(`etcd${name}-peer`),
    ETCD_INITIAL_ADVERTISE_PEER_URLS: url(`etcd${name}-peer`),
    ETCD_INITIAL_CLUSTER: names.map((each) => `etcd${each}=${url(`etcd${each}-peer`)}`).join(','),
  }
  await place.run({ name: `etcd${name}`, command: programPath('etcd'), args: [], env })
}

async function startPatroni(place: Place, network: Network, name: string, stops: Cleanup[]) {
  const member = `pg${name}`
  const etcds = names.map((each) => `etcd${each}`)
  const config = await place.write(`patroni${name}.yml`, await patroniConfig(place, { member, etcds, network }))
  // It stops its Postgres first, with a last checkpoint.
  const part = { name: `patroni${name}`, command: programPath('patroni'), args: [config], graceMs: 20_000 }
  return place.run(network.within(member, part), stops)
}

async function startHaproxy(place: Place, network: Network): Promise<void> {
  const servers = names.map(
    (name) =>
      [
        new RegExp(`10\\.0\\.0\\.2${name}:5432 check port 8008`, 'g'),
        `${network.addressOf(`pg${name}`)}:${place.port(`pg${name}`)} check port ${place.port(`pg${name}-patroni`)}`,
      ] as const,
  )
  const text = await fillTemplate('postgres/haproxy-postgres.cfg', [
    [/127\.0\.0\.1:5000/, `127.0.0.1:${place.port('primary')}`],
    [/127\.0\.0\.1:5001/, `127.0.0.1:${place.port('standby')}`],
    ...servers,
  ])
  const config = await place.write('haproxy-postgres.cfg', text)
  await place.run({ name: 'haproxy-postgres', command: programPath('haproxy'), args: ['-db', '-f', config] })
}

/** @returns whether it keeps prepared statements */
async function startPgbouncer(place: Place): Promise<boolean> {
  const program = programPath('pgbouncer')
  const isNew = keepsPreparedStatements(program)
  const users = await place.write('userlist.txt', `"candela" "${place.secret('candela')}"\n`)
  const text = await fillTemplate('postgres/pgbouncer.ini', [
    [/host=candela-db port=5000/, `host=127.0.0.1 port=${place.port('primary')}`],
    [/listen_port = 6432/, `listen_port = ${place.port('pgbouncer')}`],
    [/\/etc\/pgbouncer\/userlist\.txt/, users],
    [/server_tls_sslmode = .*\n.*server_tls_ca_file.*\n/, 'server_tls_sslmode = disable\n'],
    // Older ones refuse a setting that they do not know.
    ...(isNew ? [] : ([[/^max_prepared_statements.*\n/m, '']] as const)),
  ])
  await place.run({
    name: 'pgbouncer',
    command: program,
    args: [await place.write('pgbouncer.ini', text)],
  })
  return isNew
}

/** From whichever Patroni answers first. */
function readMembers(place: Place, network: Network): Promise<Member[]> {
  return Promise.any(
    names.map(async (name) => {
      const url = `http://${network.addressOf(`pg${name}`)}:${place.port(`pg${name}-patroni`)}/cluster`
      const answer = await fetch(url, { signal: AbortSignal.timeout(2000) })
      return clusterFields.parse(await answer.json()).members
    }),
  )
}

async function untilReady(place: Place, network: Network, signal: AbortSignal): Promise<void> {
  const giveUpMs = performance.now() + readyWithinMs
  for (let last = 'no answer'; ; await sleep(200)) {
    signal.throwIfAborted()
    if (performance.now() > giveUpMs) {
      throw new Error(`The database is not ready after ${readyWithinMs / 1000} s: ${last}; see ${place.folder}/logs`)
    }
    const members = await readMembers(place, network).catch(() => [])
    last = members.map((member) => Object.values(member).join(' ')).join('; ')
    const timeline = members.find(({ role }) => role === 'leader')?.timeline
    const follows = members.filter(
      (member) =>
        (member.state === 'running' || member.state === 'streaming') &&
        // A standby on another timeline runs, but has to be rewound before it can follow.
        timeline !== undefined &&
        member.timeline === timeline &&
        (member.role === 'leader' || (typeof member.lag === 'number' && member.lag < largestLag)),
    )
    if (follows.length < names.length || !follows.some(({ role }) => role === 'sync_standby')) continue
    if ((await psql(place, ['-tAc', 'select pg_is_in_recovery()']).catch(() => '')) === 'f') return
  }
}

/** Runs psql on the primary as its superuser. */
async function psql(place: Place, args: string[]): Promise<string> {
  const url = `postgres://postgres:${place.secret('superuser')}@127.0.0.1:${place.port('primary')}/postgres`
  const { stdout } = await promisify(execFile)(
    join(postgresFolder(), 'psql'),
    ['-X', '-v', 'ON_ERROR_STOP=1', ...args, url],
    {
      env: { PGCONNECT_TIMEOUT: '3', LANG: 'C.UTF-8' },
    },
  )
  return stdout.trim()
}

async function createDatabase(place: Place): Promise<void> {
  const isThere = await psql(place, ['-tAc', "select 1 from pg_database where datname = 'candela'"])
  if (isThere === '1') return
  const file = await place.write('database.sql', await readTemplate('postgres/database.sql'))
  const passwords = ['candela', 'candela_owner'].map((account) => `${account}_password=${place.secret(account)}`)
  await psql(place, [...passwords.flatMap((password) => ['-v', password]), '-f', file])
}
