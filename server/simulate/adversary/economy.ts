import { type CollateralAsset, collateralAssets } from '@candela/protocol/lending/choices'
import type { Data, HandlerInput, Key } from '@candela/protocol/endpoints'
import type { AssetCode } from '@candela/protocol/money/assets'
import { transaction } from '@candela/server/db/open'
import { isAppError } from '@candela/server/kernel/errors'
import { uuidFromName } from '@candela/server/kernel/ids'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { postNew } from '@candela/server/ledger/post'
import type { Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { ASSET_RESERVE, priceIn, type Reserves } from '../model/pairs.ts'
import type { Lent } from '../run/databases.ts'
import { type Random, seededRandom } from '../run/random.ts'
import { priceOf, type ServerProcess, type Work } from '../run/server-process.ts'
import { createSimulation, WHOLE } from '../run/simulation.ts'
import { mine, send } from '../workload/chain-actions.ts'
import { nextRequestId } from '../workload/next-request-id.ts'
import { Market, type Swap } from '../model/market.ts'

/**
 * A pair in which an adversary has capital, the service on it, and what the asset is worth elsewhere. In each block the adversary acts
 * first, and others then bring the pair back to what the asset is worth, within the pair's fee.
 */

/** The pair since the look before: its average price, and what it was like at the end. `at`: Unix seconds of the block. */
export type Seen = { at: number; seconds: number; price: bigint; spot: bigint; usdt: bigint }
export type Account = { memberId: bigint; signer: PrivateKeyAccount }

/** Accounts of the adversary. */
const ACCOUNTS = 20
const BPS = 10_000n
/** After a due date, until collateral is sold. */
export const DEFAULT_DAYS = 4
const FIRST_KEY = 0x1000n
/** Two honest members: one borrows, one has a leveraged loan; the one in the fund is there already. */
const [BORROWER, LEVERED] = [0xa1, 0xa2].map((number): Hex => `0x${number.toString(16).padStart(40, '0')}`) as [
  Hex,
  Hex,
]
/** The asset's worth moves once in so many seconds, by less than this in millionths: about 4 % a day. */
const STEP_S = 300
const STEP_PPM = 4_000
export const NORMAL_LOOK_BPS = 100
/** How long others may be away from the pair. */
export const ABSENT_S = 3_600
/** Others trade in each block, also in those that nobody looks at. */
const BLOCK_S = 3
/** Longer than confirmations take. */
const LONG_S = 60
/** The chain makes a block at least so often: one that stands for an hour delays what is late. */
const CHAIN_BLOCK_S = 3_000
const HOUR_S = 3_600
/** While nobody pushes a price it need not be looked at more often, but for the hour after a push and two before something is due. */
const QUIET_S = 6 * HOUR_S
/** The same where more than two days pass. */
const LONG_QUIET_S = 24 * HOUR_S

export type Economy = Awaited<ReturnType<typeof openEconomy>>

/** @param absent others do not trade in the pair for an hour after the adversary's first push */
export async function openEconomy(seed: number, lent: Lent, { absent }: { absent: boolean }) {
  const random = seededRandom(seed)
  // Not the first draw, which is about the same for all small seeds.
  random.below(2)
  const asset: CollateralAsset = random.pick(['JU', 'HASH'])
  const fair = priceOf(asset)
  const market = new Market(ASSET_RESERVE, fair)
  const pair = market.usdt
  const signers = Array.from({ length: ACCOUNTS }, (_none, index) =>
    privateKeyToAccount(`0x${(FIRST_KEY + BigInt(index)).toString(16).padStart(64, '0')}`),
  )
  const people = [...signers.map(({ address }) => address.toLowerCase() as Hex), BORROWER, LEVERED]
  const simulation = await createSimulation(
    seed,
    lent,
    { exit: false, workers: 1 },
    { people, desk: 10n * pair, held: 0n },
  )
  const idOf = (address: Hex): bigint => simulation.memberIds.get(address) as bigint
  // Each look has half the work when the other pair is empty: then it has no price.
  for (const other of collateralAssets)
    if (other !== asset) simulation.chain.head.state.openPair(other, 0n, simulation.chain.head.timestamp)
  const accounts = people.slice(0, ACCOUNTS).map((address, index): Account => ({
    memberId: idOf(address),
    signer: signers[index] as PrivateKeyAccount,
  }))
  const economy = {
    simulation,
    process: simulation.processes[0] as ServerProcess,
    random,
    asset,
    market,
    accounts,
    honest: { borrower: idOf(BORROWER), levered: idOf(LEVERED), lender: idOf(simulation.lender) },
    /** USDT that the pair holds at the start. */
    pair,
    /** The part that is sold in one look, in hundredths of a percent of the pair. With few of them the order of sales can be seen. */
    lookBps: random.pick([NORMAL_LOOK_BPS, 5]),
    /** The asset's worth elsewhere, USDT base units for a whole unit. */
    fair,
    fairSince: simulation.clock.now().getTime(),
    /** The adversary's money outside: with a third of the pair and its accounts three times what the pair holds. */
    purse: { usdt: pair, asset: ASSET_RESERVE },
    /** The adversary's shares of the pair. */
    provided: (market.shares * 3n) / 10n,
    /** The price that the adversary brings the pair to in each block, null for none. */
    heldAt: null as bigint | null,
    /** How far it pushes the pair right before each look, in hundredths of a percent of the worth; null for not at all. */
    swungBy: null as bigint | null,
    /** Whether the service has ended for good. */
    hasExited: false,
    /** The sum that was paid to an account after the last attested block. Another one may have the leaf for it. USDT base units. */
    paidSinceAttested: 0n,
    /** Whether the adversary was the last to trade in the block that is made. */
    isTouched: false,
    /** Whether the adversary has traded since others brought the pair back. */
    isMoved: false,
    /**
     * The amount that its part of the pair lost to others because the asset's worth has moved, as any provider does. USDT base units.
     */
    lostToOthers: 0n,
    /** How long others still stay away once the adversary has begun, in seconds. */
    absent_s: absent ? ABSENT_S : 0,
    hasBegun: false,
    day: '',
    /** When the adversary last paid on chain, Unix seconds. */
    paidAt: 0,
    /** The hour of the last block that was followed. */
    followedHour: 0,
    /** The newest last. */
    seen: [] as Seen[],
    findings: [] as string[],
    /** Called whenever a block was looked at. */
    onBlock: (): Promise<void> => Promise.resolve(),
    /** Called before what the asset is worth moves, by how much. */
    onFair: (_by: bigint): Promise<void> => Promise.resolve(),
    onClose: (_close: () => Promise<void>): Promise<void> => _close(),
    /** How often each call was accepted, and refused by each code. */
    answers: {} as Record<string, number>,
  }
  await putMoney(economy)
  // One invites the next: a chain of the adversary's own wallets.
  for (const [nth, { memberId }] of accounts.slice(1, 6).entries())
    await simulation.db
      .updateTable('member')
      .set({ inviter_id: accounts[nth]?.memberId ?? null })
      .where('id', '=', memberId)
      .execute()
  await simulation.db
    .insertInto('setting')
    .values([
      { key: 'saleLookBps', value: String(economy.lookBps), updated_at: new Date(0) },
      { key: 'defaultDays', value: String(DEFAULT_DAYS), updated_at: new Date(0) },
    ])
    .execute()
  return economy
}

/** Half of the pair's USDT and asset for the adversary's first accounts, and what the honest have. */
async function putMoney({ simulation, accounts, honest, asset, pair, fair }: Economy): Promise<void> {
  const { db, clock } = simulation
  const units = (usdt: bigint) => (usdt * WHOLE) / fair
  const amounts: [bigint, AssetCode, bigint][] = [
    ...accounts.slice(0, 5).flatMap(({ memberId }): [bigint, AssetCode, bigint][] => [
      [memberId, 'USDT', pair / 10n],
      [memberId, asset, units(pair) / 10n],
    ]),
    ...accounts.slice(5).map(({ memberId }): [bigint, AssetCode, bigint] => [memberId, asset, units(pair) / 1_000n]),
    [honest.lender, 'USDT', pair / 2n],
    [honest.borrower, asset, units(pair) / 20n],
    [honest.levered, 'USDT', pair / 50n],
  ]
  // The contract holds what is owed, or nothing would be paid out.
  const { state } = simulation.chain.head
  for (const [, code, amount] of amounts) state.mint(code, simulation.contracts.gateway, amount)
  const memo = { action: 'deposit' as const, reference: '', payer: '0x', customer: '0x', txHash: '0x' }
  const postings = amounts.map(([memberId, code, amount], index) => ({
    id: uuidFromName(`capital ${index}`),
    kind: 'deposit' as const,
    legs: [
      { debit: platformAccount('custody', code), credit: memberAccount(memberId, 'memberAvailable', code), amount },
    ],
    memo,
    occurredAt: clock.now(),
  }))
  await transaction(db, (tx) => postNew(tx, postings))
}

/** Calls an endpoint. @returns null when it was refused */
export async function call<K extends Key>(
  { simulation, process, answers }: Economy,
  memberId: bigint,
  key: K,
  input: Omit<HandlerInput<K>, 'requestId'>,
): Promise<Data<K> | null> {
  const handler = process.handlers[key] as (input: unknown, context: unknown) => Promise<Data<K>>
  const count = (answer: string) => {
    answers[`${key} ${answer}`] = (answers[`${key} ${answer}`] ?? 0) + 1
    simulation.trace(key, memberId, answer)
  }
  try {
    const data = await handler({ requestId: nextRequestId(simulation), ...input }, process.contextOf(memberId))
    count('accepted')
    return data
  } catch (error) {
    if (!isAppError(error)) throw error
    count(String(error.code))
    return null
  }
}

/** The adversary trades in the pair; others come after the next block only. */
export function trade(economy: Economy, swap: (market: Market) => Swap): void {
  const { usdt, asset } = swap(economy.market)
  economy.purse = { usdt: economy.purse.usdt + usdt, asset: economy.purse.asset + asset }
  economy.isTouched = true
  economy.isMoved = true
  economy.hasBegun = true
}

/** Pushes the price of the pair, as far as the purse goes, and holds it there until `release`. @param bps of what it is worth */
export function push(economy: Economy, bps: number): void {
  economy.heldAt = (economy.fair * BigInt(bps)) / 10_000n
  hold(economy)
}

const hold = (economy: Economy): void => {
  const { heldAt, purse } = economy
  if (heldAt !== null) trade(economy, (market) => market.moveTo(heldAt, purse))
}

/** Trades back at once. */
export function release(economy: Economy): void {
  if (economy.heldAt === null) return
  economy.heldAt = null
  trade(economy, (market) => market.moveTo(economy.fair, economy.purse))
}

/** The next block, so many seconds later, at which prices and loans are looked at. */
export async function block(economy: Economy, seconds = BLOCK_S): Promise<void> {
  const { simulation, market, asset } = economy
  await moveFair(economy, seconds)
  const swaps: (Reserves & { before_s: number })[] = []
  let [held, sum, isQuiet]: [Reserves, bigint, boolean] = [simulation.chain.head.state.pairOf(asset), 0n, false]
  for (let left = seconds; left > 0;) {
    const took = isQuiet ? left : Math.min(BLOCK_S, left)
    left -= took
    sum += priceIn(held) * BigInt(took)
    tradeInBlock(economy, took, left <= 0)
    const next = market.reserves
    const isSame = next.usdt === held.usdt && next.asset === held.asset
    if (!isSame) swaps.push({ ...next, before_s: left })
    held = next
    // Nothing moves any more until somebody begins anew.
    isQuiet = isSame && economy.heldAt === null && economy.swungBy === null && !isAbsent(economy)
  }
  for (let left = seconds; left > 0; left -= CHAIN_BLOCK_S) {
    if (left <= CHAIN_BLOCK_S) send(simulation, simulation.trader, { do: 'swaps', asset, swaps })
    mine(simulation, Math.min(CHAIN_BLOCK_S, left), 1)
  }
  const at = simulation.chain.head.timestamp
  economy.seen.push({ at, seconds, price: sum / BigInt(seconds), spot: market.price, usdt: market.usdt })
  await follow(economy, at - seconds - economy.paidAt <= LONG_S)
  await work(economy, 'observePrices', 'watchLoans')
  await closeDay(economy)
  await economy.onBlock()
}

/** A block without a payment on chain need not be looked at; that a day has come is seen in its first one. */
async function follow(economy: Economy, isPaid: boolean): Promise<void> {
  const hour = Math.floor(economy.simulation.chain.head.timestamp / HOUR_S)
  if (isPaid || hour !== economy.followedHour) await work(economy, 'follow')
  if (isPaid) await work(economy, 'credit')
  economy.followedHour = hour
}

/** Where the adversary has traded, others do so in the next block only. */
function tradeInBlock(economy: Economy, seconds: number, isLooked: boolean): void {
  const { swungBy, fair } = economy
  const swing = (bps: bigint) => trade(economy, (market) => market.moveTo((fair * bps) / BPS, economy.purse))
  // No one else would bring it back.
  if (swungBy !== null && economy.isTouched && isAbsent(economy)) swing(BPS)
  if (!economy.isTouched && !isAbsent(economy)) {
    letOthersTrade(economy)
    hold(economy)
  }
  economy.isTouched = false
  if (swungBy !== null && isLooked) swing(swungBy)
  if (economy.hasBegun) economy.absent_s = Math.max(0, economy.absent_s - seconds)
}

function letOthersTrade(economy: Economy): void {
  const { market, fair, provided } = economy
  const worth = () => worthAt(market.partOf(provided), fair)
  const before = worth()
  market.arbitrage(fair)
  if (!economy.isMoved) economy.lostToOthers += before - worth()
  economy.isMoved = false
}

/** USDT base units. */
export const worthAt = ({ usdt, asset }: Swap, fair: bigint): bigint => usdt + (asset * fair) / WHOLE

const isAbsent = ({ hasBegun, absent_s }: Economy): boolean => hasBegun && absent_s > 0

/** Time goes on in steps of at most so many seconds. */
export async function pass(economy: Economy, seconds: number, step = 900): Promise<void> {
  for (let left = seconds; left > 0; left -= step) await block(economy, Math.min(step, left))
}

/** Time goes on while nobody pushes the price. */
export async function wait(economy: Economy, seconds: number): Promise<void> {
  const quiet = Math.max(0, seconds - 3 * HOUR_S)
  if (quiet > 0) await pass(economy, HOUR_S)
  await pass(economy, quiet, quiet > 2 * LONG_QUIET_S ? LONG_QUIET_S : QUIET_S)
  await pass(economy, quiet > 0 ? 2 * HOUR_S : seconds)
}

/** Until so many seconds before or after the next midnight, or the one after so many more days. */
export async function waitUntilMidnight(economy: Economy, offset: number, days = 0): Promise<void> {
  const { timestamp } = economy.simulation.chain.head
  const left = 86_400 - (timestamp % 86_400) + offset
  await wait(economy, (left > 0 ? left : left + 86_400) + days * 86_400)
}

export async function work({ process }: Economy, ...kinds: readonly Work[]): Promise<void> {
  for (const kind of kinds) while (await process.work(kind));
}

/** Time for withdrawals to be signed, mined and settled. */
export async function payOut(economy: Economy): Promise<void> {
  for (let round = 0; round < 6; round++) {
    economy.paidAt = economy.simulation.chain.head.timestamp
    await work(economy, 'payOut')
    await block(economy)
  }
}

/** Others stay away only while nothing moves elsewhere. */
async function moveFair(economy: Economy, seconds: number): Promise<void> {
  if (isAbsent(economy)) return
  const now = economy.simulation.clock.now().getTime() + seconds * 1_000
  const steps = Math.floor((now - economy.fairSince) / (STEP_S * 1_000))
  if (steps === 0) return
  economy.fairSince += steps * STEP_S * 1_000
  const most = STEP_PPM * Math.min(4, Math.sqrt(steps))
  await setFair(
    economy,
    (economy.fair * BigInt(Math.round(1_000_000 + (drawn(economy.random) - 0.5) * most))) / 1_000_000n,
  )
}

const drawn = (random: Random): number => random.below(1_000_001) / 1_000_000

async function setFair(economy: Economy, fair: bigint): Promise<void> {
  await economy.onFair(fair - economy.fair)
  economy.fair = fair
}

/** The asset's worth falls by a part, in an hour of small steps. */
export async function slump(economy: Economy, bps: number): Promise<void> {
  const to = (economy.fair * BigInt(10_000 - bps)) / 10_000n
  for (let left = 20n; left > 0n; left -= 1n) {
    await sink(economy, (economy.fair - to) / left)
    await block(economy, 180)
  }
}

/** The asset's worth falls by so much at once. */
export const sink = (economy: Economy, by: bigint): Promise<void> => setFair(economy, economy.fair - by)

/** A quarter of an hour after midnight the day before is closed. */
async function closeDay(economy: Economy): Promise<void> {
  const { timestamp } = economy.simulation.chain.head
  const day = String(Math.floor((timestamp - 900) / 86_400))
  if (day === economy.day) return
  economy.day = day
  await economy.onClose(() => work(economy, 'closeLending', 'closeIncome', 'tellDeficits'))
}
