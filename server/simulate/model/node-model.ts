import { CHAIN_ID_HEX } from '@candela/protocol/chain/network'
import { type Hex, keccak256, parseTransaction, recoverTransactionAddress, type RpcLog } from 'viem'
import { type ChainModel, hashOf, type ModelBlock, TransactionRejected } from './chain-model.ts'
import { readCall } from './calls.ts'
import { Reverted } from './reverted.ts'

export type RpcCall = { id: number; method: string; params?: readonly unknown[] }
type Answer = { jsonrpc: '2.0'; id: number } & (
  | { result: unknown }
  | { error: { code: number; message: string; data?: Hex } }
)

/** The chain that one node serves, down from its own tip. */
export type NodeView = {
  chain: ChainModel
  tip: ModelBlock
  /** The lowest gas price that it accepts, in wei. */
  gasPrice: bigint
  /** Returns no logs for a block that has some, and of a range of blocks only those of every other block. */
  omitsLogs?: boolean
  /** By default ours. */
  chainId?: Hex
  /** Announces a head this many blocks above its tip, which no node has. */
  phantomBlocks?: number
}

const quantity = (value: number | bigint): Hex => `0x${value.toString(16)}`
class RpcErrorResponse extends Error {
  readonly code: number
  readonly data: Hex | undefined

  constructor(code: number, message: string, data?: Hex) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Answers one JSON-RPC call as a node with this view would. */
export async function answer(view: NodeView, { id, method, params = [] }: RpcCall): Promise<Answer> {
  try {
    return { jsonrpc: '2.0', id, result: await resultOf(view, method, params) }
  } catch (error) {
    if (!(error instanceof RpcErrorResponse)) throw error
    const { code, message, data } = error
    return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } }
  }
}

async function resultOf(view: NodeView, method: string, params: readonly unknown[]): Promise<unknown> {
  const { chain, tip } = view
  switch (method) {
    case 'eth_chainId':
      return view.chainId ?? CHAIN_ID_HEX
    case 'eth_getBlockByNumber': {
      const [tag] = params as [string]
      if (tag === 'latest' && view.phantomBlocks !== undefined) return phantomHead(tip, view.phantomBlocks)
      const block = tag === 'latest' ? tip : chain.at(tip, Number(tag))
      return block === undefined ? null : headerOf(block)
    }
    case 'eth_getBlockByHash': {
      const block = chain.blocks.get((params as [string])[0])
      if (block === undefined || chain.at(tip, block.number) !== block) return null
      const isFull = (params as [string, boolean])[1]
      return { ...headerOf(block), transactions: isFull ? sentIn(view, block) : [] }
    }
    case 'eth_getLogs':
      return logsOf(view, (params as [LogFilter])[0])
    case 'eth_getBalance': {
      const [account, at] = params as [string, BlockTag]
      return quantity(blockAt(view, at).state.balance('JU', account.toLowerCase()))
    }
    case 'eth_getTransactionCount': {
      const [account, at] = params as [Hex, BlockTag]
      if (at === 'pending') return quantity(chain.nextNonce(account))
      return quantity(blockAt(view, at).state.nonce(account.toLowerCase()))
    }
    case 'eth_call':
      return call(view, params as [RpcCallTerms, BlockTag])
    case 'eth_gasPrice':
      return quantity(view.gasPrice)
    case 'eth_getTransactionReceipt':
      return receiptOf(view, (params as [Hex])[0])
    case 'eth_sendRawTransaction':
      return send(view, (params as [Hex])[0])
    default:
      throw new RpcErrorResponse(-32601, `the model does not know ${method}`)
  }
}

type BlockTag = 'latest' | 'pending' | Hex | { blockHash: string }

function blockAt({ chain, tip }: NodeView, tag: BlockTag): ModelBlock {
  if (tag === 'latest' || tag === 'pending') return tip
  if (typeof tag === 'string') {
    const numbered = chain.at(tip, Number(tag))
    if (numbered === undefined) throw new RpcErrorResponse(-32000, 'header not found')
    return numbered
  }
  const block = chain.blocks.get(tag.blockHash)
  if (block === undefined || block.number > tip.number) throw new RpcErrorResponse(-32000, 'header not found')
  if (chain.at(tip, block.number) !== block) throw new RpcErrorResponse(-32000, 'hash is not currently canonical')
  return block
}

const headerOf = ({ number, hash, parent, timestamp, logsBloom }: ModelBlock) => ({
  number: quantity(number),
  hash,
  parentHash: parent?.hash ?? `0x${'0'.repeat(64)}`,
  timestamp: quantity(timestamp),
  logsBloom,
  transactions: [],
})

/** The transactions of a block that came with a signature. */
const sentIn = ({ chain }: NodeView, block: ModelBlock): unknown[] =>
  block.receipts.flatMap(({ transaction: { hash, from } }) => {
    const raw = chain.signed.get(hash)
    if (raw === undefined) return []
    const { nonce = 0, gas = 0n, gasPrice = 0n, to, value = 0n, data = '0x', r, s, v } = parseTransaction(raw)
    const numbers = { nonce, gas, gasPrice, value, v: v ?? 0n }
    const fields = Object.entries(numbers).map(([name, number]) => [name, quantity(number)])
    return [{ ...Object.fromEntries(fields), hash, from, to, input: data, r, s, type: '0x0', chainId: CHAIN_ID_HEX }]
  })

const phantomHead = (tip: ModelBlock, by: number) => ({
  ...headerOf(tip),
  number: quantity(tip.number + by),
  hash: hashOf(['phantom', tip.hash, by]),
  parentHash: hashOf(['phantom', tip.hash, by - 1]),
})

type LogFilter = {
  address?: Hex | Hex[]
  topics?: (Hex | Hex[] | null)[]
  blockHash?: string
  fromBlock?: Hex
  toBlock?: Hex
}

const among = (wanted: Hex | Hex[] | null | undefined, found: Hex | undefined): boolean =>
  wanted === null || wanted === undefined || (found !== undefined && [wanted].flat().includes(found))

function logsOf({ chain, tip, omitsLogs }: NodeView, filter: LogFilter): RpcLog[] {
  const { address, topics = [], blockHash, fromBlock, toBlock } = filter
  const matches = (log: RpcLog) =>
    among(address, log.address) && topics.every((topic, index) => among(topic, log.topics[index]))
  if (blockHash !== undefined) {
    const block = chain.blocks.get(blockHash)
    // Some nodes return no logs, instead of an error, for blocks that they do not have.
    if (omitsLogs || block === undefined || chain.at(tip, block.number) !== block) return []
    return block.logs.filter(matches)
  }
  const below = chain.at(tip, Number(fromBlock) - 1) ?? null
  const last = chain.at(tip, Math.min(Number(toBlock), tip.number))
  if (last === undefined || last.number < Number(fromBlock)) return []
  const given = chain.above(below, last).filter(({ number }) => !omitsLogs || number % 2 === 0)
  return given.flatMap((block) => block.logs.filter(matches))
}

type RpcCallTerms = { from?: Hex; to: Hex; data: Hex; gas?: Hex; gasPrice?: Hex }

function call(view: NodeView, [{ from, to, data, gas, gasPrice }, tag]: [RpcCallTerms, BlockTag]): Hex {
  const block = blockAt(view, tag)
  const offer = BigInt(gasPrice ?? 0)
  if (from !== undefined && block.state.balance('JU', from) < BigInt(gas ?? 0) * offer) {
    throw new RpcErrorResponse(-32000, 'insufficient funds for gas * price + value')
  }
  try {
    return block.state.view({ from, to: to.toLowerCase() as Hex, data, gasPrice: offer }, block)
  } catch (error) {
    if (error instanceof Reverted) throw new RpcErrorResponse(3, `execution reverted: ${error.message}`, error.data)
    throw error
  }
}

function receiptOf({ chain, tip }: NodeView, hash: Hex): unknown {
  for (let block: ModelBlock | null = tip; block !== null; block = block.parent) {
    const receipt = block.receipts.find(({ transaction }) => transaction.hash === hash)
    if (receipt === undefined) continue
    return {
      transactionHash: hash,
      transactionIndex: '0x0',
      blockHash: block.hash,
      blockNumber: quantity(block.number),
      from: receipt.transaction.from,
      to: chain.contracts.gateway,
      status: receipt.ok ? '0x1' : '0x0',
      type: '0x0',
      gasUsed: '0x1',
      cumulativeGasUsed: '0x1',
      effectiveGasPrice: '0x1',
      contractAddress: null,
      logs: [],
      logsBloom: block.logsBloom,
    }
  }
  return null
}

async function send({ chain, gasPrice }: NodeView, raw: Hex): Promise<Hex> {
  const signed = parseTransaction(raw)
  const hash = keccak256(raw)
  const from = (await recoverTransactionAddress({ serializedTransaction: raw as never })).toLowerCase() as Hex
  const { nonce = 0, gas = 0n, gasPrice: offered = 0n, to, data = '0x', value = 0n } = signed
  // Transactions below the current price wait in the pool; those far below it are rejected.
  if (offered * 4n < gasPrice) throw new RpcErrorResponse(-32000, 'transaction underpriced')
  try {
    const sent = readCall(chain.contracts, (to ?? '0x').toLowerCase() as Hex, data, value)
    chain.signed.set(hash, raw)
    chain.submit({ hash, from, nonce, gas, gasPrice: offered, call: sent })
    return hash
  } catch (error) {
    if (error instanceof TransactionRejected) throw new RpcErrorResponse(-32000, error.message)
    throw error
  }
}
