import { assets, sum, toBase, toText } from '../amounts.ts'
import type { z } from 'zod'
import type { ChainFacts } from '../sources/chain-facts.ts'
import type { Tokens } from '../events.ts'
import { asTopic } from '../events.ts'
import type { Home, solvencyForm } from '../published.ts'
import type { Report } from '../report.ts'
import { hex, readBlock, type Rpc } from '../sources/rpc.ts'

type Moved = { asset: string; blockNumber: number; amount: bigint }

const BALANCE_OF = '0x70a08231'
const MILLIONTHS = 6

/**
 * Checks what the contract holds at the compared block: by the node, by the sum of all events, and as published; and that what is owed
 * and the ratios add up.
 */
export async function checkCustody(
  report: Report,
  { rpc, chain, contracts }: { rpc: Rpc; chain: ChainFacts; contracts: Tokens & { gateway: string } },
  { now }: z.infer<typeof solvencyForm>,
): Promise<void> {
  if (now === null) return report.skipped('custody', 'all assets', 'nothing was compared yet')
  const { number } = now.block
  const block = await readBlock(rpc, number)
  report.equal('custody', `hash of block ${number}`, now.block.hash.toLowerCase(), block.hash)
  report.equal('custody', `time of block ${number}`, now.block.at, new Date(block.timestamp * 1_000).toISOString())
  for (const asset of assets) {
    const line = now.assets.find((one) => one.asset === asset)
    if (line === undefined) {
      report.differs('custody', asset, 'nothing is published')
      continue
    }
    const published = toBase(line.held)
    const held = await readHeld(rpc, contracts, asset, number).catch((error: unknown) => String(error))
    if (typeof held === 'string') report.skipped('custody', `${asset} held`, held)
    else report.equal('custody', `${asset} held`, line.held, toText(held))
    const until = (events: readonly Moved[]) =>
      sum(events.filter((one) => one.asset === asset && one.blockNumber <= number).map(({ amount }) => amount))
    const computed = until(asset === 'JU' ? chain.payments : chain.arrived) - until(chain.paid)
    // Native currency can be forced on a contract without any event.
    const isMore = asset === 'JU' && published > computed
    if (isMore)
      report.agrees(
        'custody',
        `${asset} by events`,
        `${toText(computed)}, and ${toText(published - computed)} that no event tells of`,
      )
    else report.equal('custody', `${asset} by events`, line.held, toText(computed))
    const owed = toBase(line.owedMembers) + toBase(line.owedUnassigned)
    report.equal('custody', `${asset} owed`, line.owed, toText(owed))
    report.equal('custody', `${asset} ratio`, line.ratio ?? 'none', ratioText(published, owed))
  }
}

export const ratioText = (held: bigint, owed: bigint): string =>
  owed <= 0n ? 'none' : toText((held * 1_000_000n) / owed, MILLIONTHS)

export async function readHeld(
  rpc: Rpc,
  { gateway, usdt, hash }: Tokens & { gateway: string },
  asset: (typeof assets)[number],
  block: number,
): Promise<bigint> {
  if (asset === 'JU') return BigInt(String(await rpc.call('eth_getBalance', [gateway, hex(block)])))
  const call = { to: asset === 'USDT' ? usdt : hash, data: `${BALANCE_OF}${asTopic(gateway).slice(2)}` }
  return BigInt(String(await rpc.call('eth_call', [call, hex(block)])))
}

const lowestText = (lowest: { asset: string; ratio: string } | null | undefined): string =>
  lowest ? `${lowest.ratio} ${lowest.asset}` : 'none'

/** Checks what home says: the lowest of the ratios of what it lists. */
export function checkHomeSolvency(report: Report, { solvency }: Home): void {
  if (solvency === null) return report.skipped('home', 'solvency', 'nothing was compared yet')
  const ratios = solvency.assets
    .map(({ asset, held, owed }) => ({ asset, ratio: ratioText(toBase(held), toBase(owed)) }))
    .filter(({ ratio }) => ratio !== 'none')
    .toSorted((one, other) => (toBase(one.ratio) < toBase(other.ratio) ? -1 : 1))
  report.equal('home', 'solvency', lowestText(solvency.lowest), lowestText(ratios[0]))
}

const HOUR_MS = 3_600_000

/**
 * The lowest ratios of each hour. What earlier hours show rests on comparisons that are not published; of the hour of the last one no ratio
 * is above the one that it shows.
 */
export function checkHistory(report: Report, { now, history }: z.infer<typeof solvencyForm>): void {
  const hours = history.map(({ at }) => Date.parse(at))
  const isInOrder = hours.every((hour, nth) => hour % HOUR_MS === 0 && (nth === 0 || hour > (hours[nth - 1] ?? 0)))
  report.equal('custody', 'hours of the last seven days', isInOrder ? 'in order' : 'not in order', 'in order')
  const last = history.at(-1)
  if (now === null || last === undefined) return
  const isOfNow = Date.parse(last.at) === Math.floor(Date.parse(now.comparedAt) / HOUR_MS) * HOUR_MS
  for (const { asset, ratio } of isOfNow ? now.assets : []) {
    const lowest = last[asset]
    if (ratio !== null && (lowest === null || toBase(lowest) > toBase(ratio)))
      report.differs('custody', `${asset} in the last hour`, `the lowest ratio ${lowest ?? 'none'} is above ${ratio}`)
    else report.agrees('custody', `${asset} in the last hour`)
  }
  report.skipped('custody', 'ratios of the last seven days', 'the comparisons of those hours are not published')
}
