import { hexToBytes, type Hex, keccak256, numberToHex, type RpcBlock, type RpcLog } from 'viem'
import { ask, RpcError } from '../../ask.ts'
import { type ChainClient } from '../../client.ts'
import { paidTopic, paymentTopic, topicOf, transferTopic } from './decode.ts'
import type { BlockLink } from '../reconcile-block.ts'

/** A block without its transactions. `at` is the block's own time. */
export type BlockHeader = BlockLink & { at: Date; logsBloom: Hex }

/** The questions that the follower asks a node. Every one throws an `RpcError` when the node does not do its part. */
export type ChainReader = {
  /** The newest block. */
  head(): Promise<BlockHeader>
  /** Blocks by number, in the order asked for; null for what the node does not have. */
  headers(numbers: readonly bigint[]): Promise<(BlockHeader | null)[]>
  headerOf(hash: string): Promise<BlockHeader>
  /** The gateway's payments and payouts in exactly this block, and all transfers of our tokens to it. */
  paymentsOf(block: BlockHeader): Promise<RpcLog[]>
  /** The same in blocks `from` to `to`, as the node's own chain has them. */
  paymentsIn(from: bigint, to: bigint): Promise<RpcLog[]>
  /** False when the block's bloom filter admits logs of a kind that is not among these of the block. */
  hasAll(block: BlockHeader, logs: readonly RpcLog[]): boolean
}

/**
 * @param gateway address of the payment contract, lower case
 * @param tokens addresses of the tokens that it takes, lower case
 */
export function chainReader(client: ChainClient, gateway: Hex, tokens: readonly Hex[]): ChainReader {
  const questions = questionsAbout(gateway, tokens)
  const byNumber = (tag: Hex | 'latest') => () =>
    client.request({ method: 'eth_getBlockByNumber', params: [tag, false] })
  return {
    head: () => header('latest block', byNumber('latest')),
    headers: (numbers) =>
      Promise.all(
        numbers.map(async (number) => {
          const block = await ask(`block ${number}`, byNumber(numberToHex(number)))
          if (block === null) return null
          const found = readHeader(block, `block ${number}`)
          if (found.number !== number) throw new RpcError('badAnswer', `block ${number}: the node gave ${found.number}`)
          return found
        }),
      ),
    headerOf: (hash) =>
      header(`block ${hash}`, () => client.request({ method: 'eth_getBlockByHash', params: [hash as Hex, false] })),
    paymentsOf: async (block) =>
      (await Promise.all(questions.map((question) => logsOf(client, question, block)))).flat(),
    paymentsIn: async (from, to) => {
      const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) }
      const answers = questions.map(({ what, filter }) =>
        ask(`${what} in blocks ${from} to ${to}`, () =>
          client.request({ method: 'eth_getLogs', params: [{ ...filter, ...range }] }),
        ),
      )
      return (await Promise.all(answers)).flat()
    },
    hasAll: ({ logsBloom }, logs) =>
      questions.every(
        ({ filter, signs }) =>
          logs.some((log) => fits(log, filter)) || !signs.some((sign) => bloomMayHold(logsBloom, sign)),
      ),
  }
}

type Question = {
  what: string
  filter: { address: Hex | Hex[]; topics: (Hex | Hex[] | null)[] }
  /** A block's bloom filter must admit one of these sets, whole, for there to be an answer. */
  signs: Hex[][]
}

function questionsAbout(gateway: Hex, tokens: readonly Hex[]): Question[] {
  const topics = [paymentTopic, paidTopic]
  return [
    {
      what: 'payments',
      filter: { address: gateway, topics: [topics] },
      signs: topics.map((topic) => [gateway, topic]),
    },
    {
      what: 'transfers',
      filter: { address: [...tokens], topics: [transferTopic, null, topicOf(gateway)] },
      signs: tokens.map((token) => [token, transferTopic, topicOf(gateway)]),
    },
  ]
}

/**
 * Some nodes answer "no logs" for a block that they do not have (yet). The block's own bloom filter shows whether "none"
 * can be believed; when it says that there may be some, the node must at least show the logs that filled it.
 */
async function logsOf(client: ChainClient, { what, filter, signs }: Question, block: BlockHeader): Promise<RpcLog[]> {
  const blockHash = block.hash as Hex
  const name = `${what} of block ${block.number}`
  const logs = await ask(name, () => client.request({ method: 'eth_getLogs', params: [{ ...filter, blockHash }] }))
  if (logs.some((log) => log.blockHash?.toLowerCase() !== block.hash)) {
    throw new RpcError('badAnswer', `${name}: logs of another block`)
  }
  if (logs.length > 0 || !signs.some((sign) => bloomMayHold(block.logsBloom, sign))) return logs
  const all = await ask(name, () => client.request({ method: 'eth_getLogs', params: [{ blockHash }] }))
  if (all.length === 0) throw new RpcError('badAnswer', `${name}: no logs at all in a block that must have some`)
  return all.filter((log) => fits(log, filter))
}

const among = (wanted: Hex | Hex[] | null, found: Hex | undefined): boolean =>
  wanted === null || (found !== undefined && [wanted].flat().includes(found.toLowerCase() as Hex))

/** True for a log that the filter asks for. */
function fits(log: RpcLog, { address, topics }: Question['filter']): boolean {
  return among(address, log.address) && topics.every((topic, index) => among(topic, log.topics[index]))
}

async function header(what: string, request: () => Promise<RpcBlock | null>): Promise<BlockHeader> {
  const block = await ask(what, request)
  if (block === null) throw new RpcError('refused', `${what}: the node does not have it`)
  return readHeader(block, what)
}

function readHeader(block: RpcBlock, what: string): BlockHeader {
  if (block.number === null || block.hash === null) throw new RpcError('badAnswer', `${what}: still pending`)
  return {
    number: BigInt(block.number),
    hash: block.hash.toLowerCase(),
    parentHash: block.parentHash.toLowerCase(),
    at: new Date(Number(block.timestamp) * 1000),
    logsBloom: block.logsBloom ?? '0x',
  }
}

/** Whether a block's bloom filter (2048 bits, three for each value) admits every one of the values. */
export function bloomMayHold(bloom: Hex, values: readonly Hex[]): boolean {
  // A chain that does not fill its blooms, or fills them with ones, tells nothing.
  if (!/^0x[0-9a-f]{512}$/i.test(bloom) || /^0xf*$/i.test(bloom)) return false
  const bits = hexToBytes(bloom)
  return values.every((value) => {
    const hash = keccak256(value, 'bytes')
    return [0, 2, 4].every((offset) => {
      const bit = (((hash[offset] ?? 0) << 8) | (hash[offset + 1] ?? 0)) & 2047
      return ((bits[255 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0
    })
  })
}
