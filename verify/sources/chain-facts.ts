import {
  asTopic,
  type Movement,
  type Payment,
  readPaid,
  readPayment,
  readTransfer,
  type Tokens,
  topics,
} from '../events.ts'
import { DAY_S, dayAfter, dayOf, startOf } from '../days.ts'
import { type Block, firstBlockAt, readBlock, type Rpc } from './rpc.ts'
import { type Folder, readLogsInPieces } from './saved.ts'

/** Everything that the chain says of the contract, read once. */
export type ChainFacts = {
  head: Block
  payments: Payment[]
  paid: Movement[]
  /** Tokens that arrived, with a payment or without. */
  arrived: Movement[]
  /** Days that are over, from that of the first event on. */
  days: { day: string; first: number; last: number }[]
}

export type ChainSource = { rpc: Rpc; folder: Folder; progress: (text: string) => void }

type Contracts = Tokens & { gateway: string }

/**
 * @param depth blocks that may still be replaced: they are read anew each time
 * @param from the first block to read
 */
export async function readChain(
  source: ChainSource,
  contracts: Contracts,
  { from, depth, since }: { from: number; depth: number; since: string | null },
): Promise<ChainFacts> {
  const { gateway, usdt, hash } = contracts
  const head = await readBlock(source.rpc, 'latest')
  const range = { from, to: head.number, final: head.number - depth }
  const own = await readLogsInPieces(source, 'gateway', { address: gateway, topics: [] }, range)
  const moved = await readLogsInPieces(
    source,
    'tokens',
    { address: [usdt, hash], topics: [topics.transfer, null, asTopic(gateway)] },
    range,
  )
  const payments = own
    .filter(({ topics: [first] }) => first === topics.payment)
    .map((log) => readPayment(log, contracts))
  const paid = own.flatMap((log) => (log.topics[0] === topics.paid ? (readPaid(log, gateway, contracts) ?? []) : []))
  const arrived = moved.flatMap((log) => readTransfer(log, contracts) ?? [])
  const firstBlock = [...payments, ...paid, ...arrived].reduce<number | null>(
    (least, { blockNumber }) => (least === null || blockNumber < least ? blockNumber : least),
    null,
  )
  const days = firstBlock === null ? [] : await daysFrom(source, head, firstBlock, since)
  return { head, payments, paid, arrived, days }
}

/** The blocks of each day that is over. */
async function daysFrom(
  { rpc, progress }: ChainSource,
  head: Block,
  firstBlock: number,
  since: string | null,
): Promise<ChainFacts['days']> {
  const started = dayOf((await readBlock(rpc, firstBlock)).timestamp)
  const days: ChainFacts['days'] = []
  let day = since !== null && since > started ? since : started
  let first = await firstBlockAt(rpc, startOf(day), head)
  while (startOf(day) + DAY_S <= head.timestamp) {
    const next = await firstBlockAt(rpc, startOf(day) + DAY_S, head)
    days.push({ day, first, last: next - 1 })
    first = next
    day = dayAfter(day)
    progress(`days: ${day}`)
  }
  return days
}

/** Takes the events of a range of blocks, both ends included, of events in the order of their blocks. */
export const within = <T extends { blockNumber: number }>(
  events: readonly T[],
  { first, last }: { first: number; last: number },
): T[] => events.slice(firstFrom(events, first), firstFrom(events, last + 1))

/** The place of the first event at or after a block. A search, because it is asked for each day that the chain has. */
function firstFrom(events: readonly { blockNumber: number }[], block: number): number {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((events[middle]?.blockNumber ?? Infinity) >= block) high = middle
    else low = middle + 1
  }
  return low
}
