import { uniswapV2PairAbi } from '@candela/protocol/abi/uniswap-v2'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { sql } from 'kysely'
import { type Hex, numberToHex } from 'viem'
import { type Database, transaction, type Tx } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'
import type { Log } from '../../kernel/log.ts'
import { ask, RpcError } from '../ask.ts'
import { type ChainClient } from '../client.ts'
import type { Agree } from '../nodes/agree.ts'
import { broughtForward, DAY_S, isAfter, type Observation, spotPrice, WINDOW_S } from './average-price.ts'
import { type Facts, type PricedAsset, readFacts, writeReference } from './facts.ts'
import { measurePair } from './measure-pair.ts'
import { STALE_AFTER_S } from './price.ts'
import { keepPriceHistory } from './price-history.ts'
import { filledAverage, nextReference } from './reference.ts'

/** A pair of the asset (for JU its wrapped token) with USDT, and the token that stands for the asset. */
export type PricedPair = { asset: PricedAsset; token: Hex; pair: Hex }

/** Several nodes: the newest block that most of them have, and their agreement. */
export type NodeMajority = { head: () => Promise<bigint | null>; agree: Agree }

export type ObserveDeps = {
  db: Database
  client: ChainClient
  pairs: readonly PricedPair[]
  log: Log
  /** Absent where there is one node. */
  most?: NodeMajority | undefined
}

/** So far below the newest block that honest nodes seldom have different blocks there. */
const SETTLED_BLOCKS = 3n

/**
 * Reads the pairs, all at the same block, and stores what they say. Run it every few seconds. A pair without liquidity is left out;
 * its price becomes stale. Where there are several nodes, more than half of them have to say the same; otherwise nothing is stored.
 * @throws RpcError
 */
export async function observePrices(deps: ObserveDeps): Promise<void> {
  const observations = await (deps.most === undefined ? observeNewest(deps) : observeByMajority(deps, deps.most))
  const changes = await transaction(deps.db, async (tx) => {
    const found: (Change | null)[] = []
    for (const observation of observations) if (observation !== null) found.push(await keepObservation(tx, observation))
    return found.filter((change) => change !== null)
  })
  for (const change of changes) tell(deps.log, change)
}

async function observeNewest({ client, pairs }: ObserveDeps): Promise<(NewObservation | null)[]> {
  return observePairs(client, pairs, await ask('latest block', () => client.getBlock()))
}

/** Only a block above the last that was observed: nodes that announce lower and lower ones would take back the day. */
async function observeByMajority({ db, pairs }: ObserveDeps, most: NodeMajority): Promise<(NewObservation | null)[]> {
  const head = await most.head()
  const number = head === null ? null : head - SETTLED_BLOCKS
  if (number === null || number <= (await lastObserved(db))) return []
  const answer = await most.agree({ name: 'prices all', at: null }, async (client) => {
    const block = await ask(`block ${number}`, () =>
      client.request({ method: 'eth_getBlockByNumber', params: [numberToHex(number), false] }),
    )
    if (block === null) throw new RpcError('refused', `there is no block ${number}`)
    const observations = await observePairs(client, pairs, { number, timestamp: BigInt(block.timestamp) })
    return { block: block.hash, observations }
  })
  return answer?.agreed.observations ?? []
}

async function lastObserved(db: Database): Promise<bigint> {
  const { last } = await db
    .selectFrom('price_observation')
    .select((eb) => eb.fn.max('block_number').as('last'))
    .executeTakeFirstOrThrow()
  return last ?? -1n
}

const observePairs = (client: ChainClient, pairs: readonly PricedPair[], block: Block) =>
  Promise.all(pairs.map((pair) => observePair(client, pair, block)))

/** A price that was halted, or is in use again. */
export type Change = { asset: PricedAsset; is: 'halted' | 'resumed'; average: bigint; reference: bigint }

function tell(log: Log, { asset, is, average, reference }: Change): void {
  const facts = { asset, average: fromBaseUnits(average), reference: fromBaseUnits(reference) }
  if (is === 'resumed') log.info({ event: 'price.resumed', ...facts }, 'a halted price is in use again')
  else log.error({ event: 'price.halted', ...facts }, 'a price is halted: it is too far from the average of its day')
}

type Block = { number: bigint; timestamp: bigint }

export type NewObservation = Observation & { asset: PricedAsset; pair: string; blockNumber: bigint }

async function observePair(
  client: ChainClient,
  { asset, token, pair }: PricedPair,
  block: Block,
): Promise<NewObservation | null> {
  const { token0, token1, reserves, cumulative0, cumulative1 } = await readPair(client, pair, block)
  const isFirst = token0.toLowerCase() === token
  if (!isFirst && token1.toLowerCase() !== token) throw new RpcError('badAnswer', `pair ${pair} does not hold ${token}`)
  // A pair sorts its tokens. In the other order the answers were exchanged, and the price would be that of the other token.
  if (token0.toLowerCase() >= token1.toLowerCase()) throw new RpcError('badAnswer', `pair ${pair}: tokens out of order`)
  const [reserve0, reserve1, lastUpdate_s] = reserves
  const [assetReserve, usdtReserve] = isFirst ? [reserve0, reserve1] : [reserve1, reserve0]
  if (assetReserve === 0n || usdtReserve === 0n || spotPrice({ assetReserve, usdtReserve }) === 0n) return null
  const state = {
    assetReserve,
    usdtReserve,
    cumulativeLast: isFirst ? cumulative0 : cumulative1,
    lastUpdate_s: BigInt(lastUpdate_s),
  }
  return {
    asset,
    pair,
    blockNumber: block.number,
    at: new Date(Number(block.timestamp) * 1000),
    assetReserve,
    usdtReserve,
    cumulative: broughtForward(state, block.timestamp),
  }
}

/**
 * Reads what a pair says of itself at a block. A node that takes in the next block meanwhile may answer some calls with the state after
 * it; one trade there would make averages wrong for half an hour.
 * @throws RpcError 'badAnswer' when the answers are not all of that block
 */
async function readPair(client: ChainClient, pair: Hex, block: Block) {
  const call = { address: pair, abi: uniswapV2PairAbi, blockNumber: block.number } as const
  const readReserves = () => client.readContract({ ...call, functionName: 'getReserves' })
  const [token0, token1, reserves] = await ask(`pair ${pair}`, () =>
    Promise.all([
      client.readContract({ ...call, functionName: 'token0' }),
      client.readContract({ ...call, functionName: 'token1' }),
      readReserves(),
    ]),
  )
  const [cumulative0, cumulative1] = await ask(`sums of pair ${pair}`, () =>
    Promise.all([
      client.readContract({ ...call, functionName: 'price0CumulativeLast' }),
      client.readContract({ ...call, functionName: 'price1CumulativeLast' }),
    ]),
  )
  const after = await ask(`pair ${pair} again`, readReserves)
  if (after.some((value, nth) => value !== reserves[nth]) || isAfter(BigInt(reserves[2]), block.timestamp))
    throw new RpcError('badAnswer', `pair ${pair} was traded while it was read at block ${block.number}`)
  return { token0, token1, reserves, cumulative0, cumulative1 }
}

/**
 * Stores an observation, and what follows from it for the price's reference.
 * @returns what changed of the price's state, or null
 */
export async function keepObservation(tx: Tx, observation: NewObservation): Promise<Change | null> {
  const { asset } = observation
  const first = { asset, price: spotPrice(observation), since: observation.at, halted_at: null }
  await tx
    .insertInto('price_reference')
    .values(first)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // An operator may resume the price at the same time.
  await tx.selectFrom('price_reference').select('asset').where('asset', '=', asset).forUpdate().execute()
  const before = (await readFacts(tx)).get(asset)
  // A node that fell far behind must not remove the day's observations. Without newer ones the price becomes stale.
  if (before !== undefined && observation.at < secondsBefore(before.latest.at, BigInt(STALE_AFTER_S))) return null
  if (before !== undefined && before.latest.pair !== observation.pair) await carryOver(tx, before, observation)
  await replaceLater(tx, observation)
  await keepPriceHistory(tx, observation)
  await measurePair(tx, observation)
  await prune(tx, observation)
  const after = must((await readFacts(tx)).get(asset), 'an observation that was kept is found')
  return updateReference(tx, asset, after)
}

/** The sum of another pair cannot be continued by this one's. The reference price can. */
async function carryOver(tx: Tx, before: Facts, { asset, at }: NewObservation): Promise<void> {
  if (before.reference.haltedAt !== null) return
  await writeReference(tx, asset, { price: dayAverageOf(before), since: at, haltedAt: null })
}

/** Removes later observations: a reorganisation may have replaced their blocks. */
async function replaceLater(tx: Tx, observation: NewObservation): Promise<void> {
  await tx
    .deleteFrom('price_observation')
    .where('asset', '=', observation.asset)
    .where((where) =>
      where.or([
        where('block_number', '>=', observation.blockNumber),
        where('at', '>=', observation.at),
        where('pair', '!=', observation.pair),
      ]),
    )
    .execute()
  await tx
    .insertInto('price_observation')
    .values({
      asset: observation.asset,
      block_number: observation.blockNumber,
      at: observation.at,
      pair: observation.pair,
      asset_reserve: observation.assetReserve,
      usdt_reserve: observation.usdtReserve,
      cumulative: observation.cumulative,
    })
    .execute()
}

/**
 * Deletes observations that are more than a day old, except the newest of them, with which the day's average begins.
 */
async function prune(tx: Tx, { asset, at }: NewObservation): Promise<void> {
  await sql`
    delete from price_observation
    where asset = ${asset} and at < (
      select max(at) from price_observation where asset = ${asset} and at <= ${secondsBefore(at, DAY_S)}
    )`.execute(tx)
}

async function updateReference(tx: Tx, asset: PricedAsset, facts: Facts): Promise<Change | null> {
  const { latest, halfHourAgo, reference } = facts
  const average = filledAverage(halfHourAgo, latest, WINDOW_S, reference.price)
  const seen = { at: latest.at, spot: spotPrice(latest), average, dayAverage: dayAverageOf(facts) }
  const next = nextReference(reference, seen)
  if (next === reference) return null
  await writeReference(tx, asset, next)
  return { asset, is: next.haltedAt === null ? 'resumed' : 'halted', average, reference: next.price }
}

const dayAverageOf = ({ dayAgo, latest, reference }: Facts): bigint =>
  filledAverage(dayAgo, latest, DAY_S, reference.price)

const secondsBefore = (at: Date, seconds: bigint): Date => new Date(at.getTime() - Number(seconds) * 1000)
