import { createHash } from 'node:crypto'
import { CHAIN_ID } from '@candela/protocol/network'
import { RpcError } from '@candela/server/chain/client'
import { startFollowing } from '@candela/server/chain/start-following'
import { type Database, transaction } from '@candela/server/db/open'
import { isAppError, reasonOf } from '@candela/server/kernel/errors'
import { type FakeClock, fakeClock } from '@candela/server/kernel/clock'
import { seededIds } from '@candela/server/kernel/ids'
import { createLog, type Log } from '@candela/server/kernel/log'
import { createPlan } from '@candela/server/modules/power/manage-plans'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { ChainModel } from '../model/chain-model.ts'
import { choicesOf } from './random.ts'
import { type ModelContracts, WorldState } from '../model/contract-model.ts'
import { Network } from '../faults/network.ts'
import { type ServerProcess, startProcess } from './server-process.ts'

export const WHOLE = 10n ** 18n
const START_S = Date.UTC(2026, 2, 1, 23) / 1000
const FIRST_BLOCK = 100
const addressOf = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`
// Nobody's key: it exists in these stories only.
const payerKey: Hex = `0x${'5e'.repeat(32)}`
const contracts: ModelContracts = {
  gateway: addressOf(0xca),
  usdt: addressOf(0xd1),
  hash: addressOf(0xd2),
  payer: privateKeyToAddress(payerKey).toLowerCase() as Hex,
}
const members = [0xa1, 0xa2, 0xa3].map(addressOf)
const strangers = [0xb1].map(addressOf)

/** Something that must not happen has happened. */
export class Broken extends Error {
  override readonly name = 'Broken'
}

/** Notes a finding, and returns it to be thrown: thrown inside of a request it would look like a failed request. */
export function broken(world: { broken: Broken[] }, message: string, cause?: unknown): Broken {
  const finding = new Broken(message, { cause })
  world.broken.push(finding)
  return finding
}

/** Something that a member asked of the server, kept until there is an answer. */
export type Command = { name: 'order' | 'deposit' | 'withdraw'; run: (process: ServerProcess) => Promise<void> }

/** One story: a chain, people, a database and the processes of the service. */
export type World = Awaited<ReturnType<typeof makeWorld>>

export async function makeWorld(seed: number, db: Database) {
  const pick = choicesOf(seed)
  const hash = createHash('sha256')
  const lines: string[] = []
  const trace = (...facts: readonly unknown[]) => {
    const line = facts.map(String).join(' ')
    hash.update(`${line}\n`)
    lines.push(line)
  }
  const clock = fakeClock(new Date(START_S * 1000))
  const genesis = new WorldState(contracts, 300n * WHOLE)
  for (const account of [...members, ...strangers]) {
    for (const asset of ['JU', 'USDT', 'HASH'] as const) genesis.mint(asset, account, 1_000_000n * WHOLE)
  }
  genesis.mint('JU', contracts.payer, 1_000n * WHOLE)
  const chain = new ChainModel(contracts, genesis, { number: FIRST_BLOCK, timestamp: START_S })
  const normal = 2 + pick.below(3)
  const confirmations = { normal, large: normal + pick.below(4), largeAbove: 100n * WHOLE }
  const network = new Network({ chain, pick, trace, depth: normal })
  const complaints: string[] = []
  const world = {
    seed,
    db,
    pick,
    trace,
    lines,
    clock,
    chain,
    network,
    confirmations,
    members,
    strangers,
    contracts,
    /** What must not have happened, oldest first. */
    broken: [] as Broken[],
    /** What was logged as an error. */
    complaints,
    memberIds: await addMembers(db),
    planId: await addPlan(db),
    ids: seededIds(String(seed), clock),
    log: complaintLog(complaints),
    processes: [] as ServerProcess[],
    /** Processes in the middle of something. */
    busy: new Set<ServerProcess>(),
    /** Asked for, and not answered yet. */
    unanswered: [] as Command[],
    /** Orders that were made, for payments to name. */
    calls: [] as { tuple: readonly [string, string, string, string]; key: string; owner: Hex }[],
    /** True once a reorganisation has gone deeper than what payments wait for. */
    wentDeep: false,
    started: 0,
    requests: 0,
    /** How many different requests of each kind were made. */
    asked: { order: 0, deposit: 0, withdraw: 0 },
    transactions: 0,
    traceHash: () => hash.copy().digest('hex').slice(0, 16),
  }
  await transaction(db, (tx) =>
    startFollowing(
      tx,
      { chainId: CHAIN_ID, gateway: contracts.gateway, startBlock: BigInt(FIRST_BLOCK + 1) },
      clock.now(),
    ),
  )
  for (let count = 0; count < 2; count++) world.processes.push(await newProcess(world))
  return world
}

type Startable = {
  db: Database
  clock: FakeClock
  log: Log
  ids: ReturnType<typeof seededIds>
  network: Network
  confirmations: { normal: number; large: number; largeAbove: bigint }
  seed: number
  started: number
}

function newProcess(world: Startable): Promise<ServerProcess> {
  const { db, clock, log, ids, network, confirmations } = world
  world.started += 1
  const name = `p${world.started}-${world.seed}`
  return startProcess({ name, db, clock, log, ids, contracts, payerKey, network, confirmations })
}

/** Puts another process in the place of one that is gone. */
export async function restart(world: World, dead: ServerProcess): Promise<void> {
  const place = world.processes.indexOf(dead)
  world.trace('restart', place)
  world.processes[place] = await newProcess(world)
  world.busy.delete(dead)
}

/**
 * Lets a process do something. Its death and what nodes do to it are part of the story; anything else that it throws is a
 * finding.
 * @returns what it gave; undefined when it came to nothing
 */
export async function attempt<T>(world: World, process: ServerProcess, work: () => Promise<T>): Promise<T | undefined> {
  world.busy.add(process)
  try {
    const result = await work()
    if (!process.life.isOver) return result
  } catch (error) {
    if (!process.life.isOver && !(error instanceof RpcError)) {
      if (!isAppError(error) || !expected.has(error.code)) {
        throw broken(world, `${process.name}: ${reasonOf(error)}`, error)
      }
      world.trace('refused', error.code)
      return undefined
    }
    if (!process.life.isOver) world.trace('failed', reasonOf(error))
  } finally {
    world.busy.delete(process)
  }
  if (process.life.isOver) await restart(world, process)
  return undefined
}

/** Not enough balance, above a limit, sold out, slow down, withdrawals paused. */
const expected = new Set<number>([4201, 4203, 4401, 429, 5033])

/** A log of which only the errors are kept, each in a few words. */
const complaintLog = (complaints: string[]): Log =>
  createLog({
    level: 'error',
    destination: {
      write(text) {
        const { msg, reason } = JSON.parse(text) as { msg: string; reason?: string }
        complaints.push(reason === undefined ? msg : `${msg}: ${reason}`)
      },
    },
  })

/** The members of every story, with the same ids wherever they are added to an empty database. */
export async function addMembers(db: Database): Promise<Map<string, bigint>> {
  const values = members.map((address, index) => ({
    address,
    inviter_id: null,
    invitation_code: `MEMBER${index}`,
    joined_at: new Date(START_S * 1000),
  }))
  const rows = await db.insertInto('member').values(values).returning(['id', 'address']).execute()
  return new Map(rows.map(({ id, address }) => [address, id]))
}

export function addPlan(db: Database): Promise<bigint> {
  const text = { zh: '算力', tw: '算力', en: 'Power' }
  const terms = { unitPrice: 25n * WHOLE, termDays: 30, minUnits: 1, maxUnits: 50, totalUnits: 10_000 }
  const plan = { name: text, description: text, unit: 'T', serviceFeePpm: 50_000, ...terms }
  return transaction(db, (tx) => createPlan(tx, plan, new Date(START_S * 1000)))
}
