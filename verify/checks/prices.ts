import { decodeAbiParameters, parseAbiParameters } from 'viem'
import { toBase, toText, WHOLE } from '../amounts.ts'
import { topics } from '../events.ts'
import type { UsedPrice } from '../published.ts'
import type { Report } from '../report.ts'
import { type Log, type Rpc } from '../sources/rpc.ts'
import type { ChainSource } from '../sources/chain-facts.ts'
import { readBlock } from '../sources/rpc.ts'
import { readLogsInPieces } from '../sources/saved.ts'

/** A pair of an asset with USDT, with what its reserves were after each trade. */
export type Pair = { address: string; states: { time_s: number; blockNumber: number; asset: bigint; usdt: bigint }[] }

const Q112 = 2n ** 112n

/** The pairs, as the contract's own router knows them. Null for one that is not there. */
export async function readPairs(
  source: ChainSource,
  { gateway, usdt, hash }: { gateway: string; usdt: string; hash: string },
  { from, to, final }: { from: number; to: number; final: number },
): Promise<{ HASH: Pair | null; JU: Pair | null }> {
  const { rpc } = source
  const router = await readAddress(rpc, gateway, '0xc31c9c07')
  const factory = await readAddress(rpc, router, '0xc45a0155')
  const wrapped = await readAddress(rpc, router, '0xad5c4648')
  const open = async (token: string): Promise<Pair | null> => {
    const address = await readAddress(rpc, factory, `0xe6a43905${pad(token)}${pad(usdt)}`)
    if (/^0x0+$/.test(address)) return null
    const logs = await readLogsInPieces(
      source,
      `pair ${address}`,
      { address, topics: [topics.sync] },
      { from, to, final },
    )
    return { address, states: await statesOf(rpc, logs, BigInt(token) < BigInt(usdt)) }
  }
  return { HASH: await open(hash), JU: await open(wrapped) }
}

const pad = (address: string): string => address.slice(2).padStart(64, '0')

async function readAddress(rpc: Rpc, to: string, data: string): Promise<string> {
  const answer = String(await rpc.call('eth_call', [{ to, data }, 'latest']))
  return `0x${answer.slice(-40)}`.toLowerCase()
}

async function statesOf(rpc: Rpc, logs: readonly Log[], isFirst: boolean): Promise<Pair['states']> {
  const states: Pair['states'] = []
  const times = new Map<number, number>()
  for (const { blockNumber, data } of logs) {
    const time_s = times.get(blockNumber) ?? (await readBlock(rpc, blockNumber)).timestamp
    times.set(blockNumber, time_s)
    const [one, other] = decodeAbiParameters(parseAbiParameters('uint112, uint112'), data)
    states.push({ time_s, blockNumber, asset: isFirst ? one : other, usdt: isFirst ? other : one })
  }
  return states
}

/** The reserves after the last trade at or before a block. */
const stateAt = ({ states }: Pair, blockNumber: number) => states.findLast((one) => one.blockNumber <= blockNumber)

/** The average between two instants: each price for as long as it was, in the pair's own fixed-point numbers. */
function averageOf({ states }: Pair, from_s: number, to_s: number): bigint | null {
  let total = 0n
  for (const [nth, state] of states.entries()) {
    const start = Math.max(state.time_s, from_s)
    const end = Math.min(states[nth + 1]?.time_s ?? to_s, to_s)
    if (end > start) total += ((state.usdt * Q112) / state.asset) * BigInt(end - start)
  }
  const first = states[0]
  if (first === undefined || first.time_s > from_s || to_s <= from_s) return null
  return (total * WHOLE) / (BigInt(to_s - from_s) * Q112)
}

/** A price by which something was exchanged: spot and average from the pair's trades, and which of them was used. */
export function checkPrice(report: Report, day: string, price: UsedPrice, pair: Pair | null): void {
  const name = `${day} ${price.asset} at block ${price.blockNumber ?? 'none'}, ${price.windowSeconds} s`
  if (pair === null || price.blockNumber === null || price.observedAt === null || price.side === 'unit')
    return report.differs('prices', name, 'no pair or block is named')
  report.equal('prices', `${name} pair`, price.pair?.toLowerCase(), pair.address)
  report.equal('prices', `${name} used`, price.used, price.side === 'average' ? price.average : price.spot)
  const state = stateAt(pair, price.blockNumber)
  if (state === undefined) return report.differs('prices', name, 'the pair had no reserves yet')
  const spot = (state.usdt * WHOLE) / state.asset
  report.equal('prices', `${name} spot`, price.spot, toText(spot))
  const at_s = Math.floor(Date.parse(price.observedAt) / 1_000)
  const average = price.windowSeconds === 0 ? spot : averageOf(pair, at_s - price.windowSeconds, at_s)
  if (average === null)
    report.skipped('prices', `${name} average`, 'it reaches further back than the blocks that were read')
  else report.equal('prices', `${name} average`, toText(toBase(price.average)), toText(average))
}
