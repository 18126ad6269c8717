import { createHash } from 'node:crypto'
import { assetCodes } from '@candela/protocol/money/assets'
import { collateralAssets } from '@candela/protocol/lending/choices'
import { utcDay } from '@candela/protocol/calendar'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import type { ProofFile } from '@candela/protocol/proof/proof-file'
import { RpcError } from '@candela/server/chain/ask'
import { startFollowing } from '@candela/server/chain/follow/start-following'
import { type Database, transaction } from '@candela/server/db/open'
import { isAppError, reasonOf } from '@candela/server/kernel/errors'
import { type FakeClock, fakeClock } from '@candela/server/kernel/clock'
import { seededIds } from '@candela/server/kernel/ids'
import { createLog, type Log } from '@candela/server/kernel/log'
import { createPlan } from '@candela/server/modules/power/plans/manage-plans'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { ChainModel } from '../model/chain-model.ts'
import type { Lent } from './databases.ts'
import { seededRandom } from './random.ts'
import type { ModelContracts } from '../model/calls.ts'
import { opened } from '../model/attested-state.ts'
import { ChainState } from '../model/contract-model.ts'
import { Network } from '../faults/network.ts'
import { isRefused } from '../lease/lost-lease.ts'
import { settled } from '../lease/led-process.ts'
import { LeaseTime } from '../lease/lease-time.ts'
import { type LeaseState, newLeaseState } from '../lease/lease-state.ts'
import { addProjects, newLendingBook, stockDesk } from './lending-book.ts'
import { priceOf, type ServerProcess, startProcess } from './server-process.ts'

export const WHOLE = 10n ** 18n
const START_S = Date.UTC(2026, 2, 1, 23) / 1000
const FIRST_BLOCK = 100
const addressOf = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`
// Used in simulations only.
const payerKey: Hex = `0x${'5e'.repeat(32)}`
const attesterKey: Hex = `0x${'5f'.repeat(32)}`
const contracts: ModelContracts = {
  gateway: addressOf(0xca),
  // A pair sorts its tokens, and the model has USDT as the second one.
  usdt: addressOf(0xdf),
  hash: addressOf(0xd2),
  payer: privateKeyToAddress(payerKey).toLowerCase() as Hex,
  attester: privateKeyToAddress(attesterKey).toLowerCase() as Hex,
  owner: addressOf(0xb1),
}
const members = [0xa1, 0xa2, 0xa3].map(addressOf)
/** The gateway's owner is one of them. */
const strangers = [contracts.owner]
/** Moves prices, and does nothing else. */
const trader = addressOf(0xb9)
/** A member whose money is the fund's, and who does nothing else. */
const lender = addressOf(0xa9)
export const FUND = 3_000n * WHOLE
/** A member who has nothing and does nothing: with it the tree of what is owed has more places than members. */
const idler = addressOf(0xa8)
/** The desk's stock of each asset from the start. */
const DESK = 20_000n * WHOLE
/** The same where the simulation ends with an exit: with a small one the contract can come to hold less than is owed. */
const exitDesks = [DESK, 1_000n * WHOLE, 300n * WHOLE] as const
/** How many simulations end with an exit. */
const EXIT_PROBABILITY = 1 / 3

/** The simulated service has done something that it must never do. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation'
}

/**
 * Records a violation and returns it to be thrown. It is recorded because the server would take what is thrown inside of a
 * request for a failed request.
 */
export function violation(
  simulation: { violations: InvariantViolation[] },
  message: string,
  cause?: unknown,
): InvariantViolation {
  const finding = new InvariantViolation(message, { cause })
  simulation.violations.push(finding)
  return finding
}

/** A command that a member wants done once, kept to be sent again. */
export type Command = {
  name: string
  memberId: bigint
  requestId: string
  /** Sends it; the result is what the client does with the answer when it gets one. */
  run: (process: ServerProcess, requestId: string) => Promise<() => void>
}

/**
 * The first violation is thrown here, because one that was thrown inside of a request was taken for a failed request.
 * @throws InvariantViolation
 */
export function throwFirstViolation({ violations }: { violations: readonly InvariantViolation[] }): void {
  const [first] = violations
  if (first !== undefined) throw first
}

/** The state of one simulation: a chain, its users, a database and the processes of the service. */
export type Simulation = Awaited<ReturnType<typeof createSimulation>>

/**
 * `exit`: the simulation ends with an exit in any case, not only where the seed says so. `workers`: with two, loops and periodic tasks
 * run under the lease, in one process at a time; with one, every process runs them whenever it is asked to.
 */
export type SimulationOptions = { exit: boolean; workers: 1 | 2 }

/** Another size of everything: who is a member besides the idle one, what the desk has of each asset, and what the contract holds besides. */
export type Scale = { people: readonly Hex[]; desk: bigint; held: bigint }

export async function createSimulation(
  seed: number,
  { db, url, endConnections }: Pick<Lent, 'db' | 'url' | 'endConnections'>,
  { exit, workers }: SimulationOptions,
  scale?: Scale,
) {
  const random = seededRandom(seed)
  const normal = 2 + random.below(3)
  const confirmations = { normal, large: normal + random.below(4), largeAbove: 100n * WHOLE }
  // Not the first draw, which is about the same for all small seeds.
  const endsWithExit = random.chance(EXIT_PROBABILITY) || exit
  const desk = scale?.desk ?? (endsWithExit ? random.pick(exitDesks) : DESK)
  const people = scale?.people ?? members
  const hash = createHash('sha256')
  const lines: string[] = []
  const trace = (...facts: readonly unknown[]) => {
    const line = facts.map(String).join(' ')
    hash.update(`${line}\n`)
    lines.push(line)
  }
  const clock = fakeClock(new Date(START_S * 1000))
  const genesis = new ChainState(contracts, 300n * WHOLE, { kept: opened(contracts.hash, START_S) })
  for (const account of [...people, ...strangers]) {
    for (const asset of ['JU', 'USDT', 'HASH'] as const) genesis.mint(asset, account, 1_000_000n * WHOLE)
  }
  for (const account of [contracts.payer, contracts.attester]) genesis.mint('JU', account, 1_000n * WHOLE)
  genesis.mint('USDT', lender, FUND)
  for (const account of [lender, trader]) genesis.mint('JU', account, 1_000n * WHOLE)
  for (const asset of assetCodes) genesis.mint(asset, contracts.gateway, desk + (scale?.held ?? 0n))
  for (const asset of collateralAssets) genesis.openPair(asset, priceOf(asset), START_S)
  const chain = new ChainModel(contracts, genesis, { number: FIRST_BLOCK, timestamp: START_S })
  const network = new Network({ chain, random, trace, depth: normal })
  network.other = new ChainModel(contracts, genesis, { number: FIRST_BLOCK, timestamp: START_S + 1 })
  const loggedErrors: string[] = []
  const processes: ServerProcess[] = []
  const leading = () => processes.flatMap((process) => process.leading ?? [])
  const settle = () => settled(leading)
  const simulation = {
    seed,
    db,
    url,
    endConnections: async () => {
      await endConnections()
      for (const one of leading()) await one.reconnect()
    },
    /** How leases pass, and what was counted of them; null when nothing runs under a lease. */
    lease: workers === 2 ? newLeaseState(new LeaseTime(db, settle), clock, settle) : null,
    random,
    trace,
    lines,
    clock,
    chain,
    network,
    confirmations,
    members: people,
    strangers,
    trader,
    lender,
    contracts,
    /** Loans that were opened, with what members did with loans. */
    lending: newLendingBook(await addProjects(db)),
    /** Oldest first. */
    violations: [] as InvariantViolation[],
    /** Messages that the service has logged as errors. */
    loggedErrors,
    memberIds: await addMembers(db, people),
    planId: await addPlan(db),
    ids: seededIds(String(seed), clock),
    log: errorLog(loggedErrors),
    processes,
    /** The processes that were started, also where they are dead. */
    allProcesses: [] as ServerProcess[],
    /** Processes in which something is running. */
    busy: new Set<ServerProcess>(),
    /** Commands that may have had no response. */
    pendingCommands: [] as Command[],
    /** Commands that are still on their way, after their clients have stopped waiting. */
    lateCommands: [] as Command[],
    /** Further codes with which commands are refused. */
    expected: new Set<number>(),
    /** Request ids that were given up. */
    givenUp: new Set<string>(),
    /** Payments that the server has offered to members. */
    offeredPayments: [] as { tuple: readonly [string, string, string, string]; key: string; owner: Hex }[],
    /** True once a reorganisation was deeper than the confirmations that payments need. */
    hadDeepReorganisation: false,
    /** True when the service is killed for good at the end, and members take their money from the contract. */
    endsWithExit,
    /** The proofs that members have saved, in the order in which they did. */
    proofs: [] as ProofFile[],
    /** How often something happened after the service was killed for good, by name. */
    exit: {} as Record<string, number>,
    started: 0,
    requests: 0,
    /** How many things of each kind members wanted: one that was given up and asked for anew is the same. */
    requestCounts: { order: 0, deposit: 0, withdraw: 0 },
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
  await stockDesk(db, desk, clock.now())
  for (let count = 0; count < 2; count++) {
    simulation.processes.push(await newProcess(simulation))
    // The first one leads.
    await simulation.lease?.settle()
  }
  return simulation
}

type Startable = {
  db: Database
  url: string
  lease: LeaseState | null
  allProcesses: ServerProcess[]
  clock: FakeClock
  log: Log
  ids: ReturnType<typeof seededIds>
  network: Network
  confirmations: { normal: number; large: number; largeAbove: bigint }
  seed: number
  started: number
}

async function newProcess(simulation: Startable): Promise<ServerProcess> {
  const { db, url, lease, clock, log, ids, network, confirmations } = simulation
  simulation.started += 1
  const name = `p${simulation.started}-${simulation.seed}`
  const newSeed = () =>
    createHash('sha256')
      .update(`${simulation.seed} ${utcDay(clock.now())}`)
      .digest()
  const led = lease === null ? null : { url, time: lease.time }
  const started = await startProcess({
    name,
    db,
    clock,
    log,
    ids,
    contracts,
    payerKey,
    attesterKey,
    network,
    confirmations,
    led,
    newSeed,
  })
  simulation.allProcesses.push(started)
  return started
}

/** Starts a new process in place of a crashed one. */
export async function restart(simulation: Simulation, crashed: ServerProcess): Promise<void> {
  const index = simulation.processes.indexOf(crashed)
  simulation.trace('restart', index)
  await crashed.leading?.kill()
  simulation.processes[index] = await newProcess(simulation)
  await simulation.lease?.settle()
  simulation.busy.delete(crashed)
}

/**
 * Runs something in a process. A crash, a failed request and an expected error code are normal results; anything else that
 * it throws is a violation.
 * @returns the result; undefined without one
 */
export async function attempt<T>(
  simulation: Simulation,
  process: ServerProcess,
  work: () => Promise<T>,
): Promise<T | undefined> {
  simulation.busy.add(process)
  try {
    const result = await work()
    if (!process.crashPoint.isReached) return result
  } catch (error) {
    if (process.crashPoint.areConnectionsEnded) simulation.trace('connections ended')
    else if (!process.crashPoint.isReached && (await isRefused(simulation, process, error))) return undefined
    else if (!process.crashPoint.isReached && !(error instanceof RpcError)) {
      if (!isAppError(error) || !(expected.has(error.code) || simulation.expected.has(error.code))) {
        throw violation(simulation, `${process.name}: ${reasonOf(error)}`, error)
      }
      simulation.trace('refused', error.code)
      return undefined
    } else if (!process.crashPoint.isReached) simulation.trace('failed', reasonOf(error))
  } finally {
    simulation.busy.delete(process)
  }
  if (process.crashPoint.isReached) await restart(simulation, process)
  return undefined
}

/**
 * Error codes: balance too small, above a limit, sold out, too many requests, withdrawals paused; of lending: desk, collateral or fund
 * too small, a debt too small for so many installments, a loan's state, a price paused.
 */
const expected = new Set<number>([4092, 4201, 4202, 4203, 4401, 429, 5033, 4206, 4301, 4302, 4303, 4306, 5031])

/** A log that keeps the messages of errors only. */
const errorLog = (loggedErrors: string[]): Log =>
  createLog({
    level: 'error',
    destination: {
      write(text) {
        const { msg, reason } = JSON.parse(text) as { msg: string; reason?: string }
        loggedErrors.push(reason === undefined ? msg : `${msg}: ${reason}`)
      },
    },
  })

/** Adds the members of a simulation, with the same ids in every empty database. */
export async function addMembers(db: Database, people: readonly Hex[] = members): Promise<Map<string, bigint>> {
  const values = [...people, lender, idler].map((address, index) => ({
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
