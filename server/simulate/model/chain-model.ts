import { createHash } from 'node:crypto'
import { hexToBytes, type Hex, keccak256, type RpcLog } from 'viem'
import type { Call, ModelContracts } from './calls.ts'
import type { ChainState, MoneyIn, MoneyOut } from './contract-model.ts'

/** A transaction, with what it does in place of its data. */
export type ModelTransaction = {
  hash: Hex
  from: Hex
  nonce: number
  gasPrice: bigint
  /** Gas limit; half of it is used. */
  gas: bigint
  call: Call
}

export type ModelReceipt = {
  transaction: ModelTransaction
  ok: boolean
  moneyIn?: MoneyIn
  moneyOut?: MoneyOut
  /** Why it reverted: the name of the contract's error, '' when it has none. */
  refusal?: string
}

export type ModelBlock = {
  number: number
  hash: Hex
  parent: ModelBlock | null
  timestamp: number
  receipts: ModelReceipt[]
  logs: RpcLog[]
  logsBloom: Hex
  /** The state after this block. */
  state: ChainState
}

/** Why a node rejects a transaction, with the message of real nodes. */
export class TransactionRejected extends Error {
  override readonly name = 'TransactionRejected'
}

const gasUsed = ({ gas }: ModelTransaction): bigint => gas / 2n

/**
 * A chain of blocks with all its branches, and the transaction pool. Nothing in it is random: the caller decides what is
 * mined, dropped or reorganised.
 */
export class ChainModel {
  readonly contracts: ModelContracts
  /** Every block of every branch. */
  readonly blocks = new Map<string, ModelBlock>()
  /** Transactions that came with a signature, by their hashes. */
  readonly signed = new Map<string, Hex>()
  /** Transactions that are not mined, in the order in which they arrived. */
  readonly pool = new Map<Hex, ModelTransaction>()
  head: ModelBlock
  /** Number of the genesis block. */
  readonly first: number
  /** The highest number of a real block that any node has announced as its head. */
  highestShown: number

  constructor(contracts: ModelContracts, genesis: ChainState, at: { number: number; timestamp: number }) {
    this.contracts = contracts
    this.head = this.seal({ ...at, parent: null, receipts: [], unplacedLogs: [], state: genesis })
    this.highestShown = at.number
    this.first = at.number
  }

  /** Makes another block the canonical head, and removes transactions whose nonces are used from the pool. */
  private moveTo(block: ModelBlock): void {
    this.head = block
    this.highestShown = Math.max(this.highestShown, block.number)
    for (const [hash, { from, nonce }] of this.pool) if (nonce < block.state.nonce(from)) this.pool.delete(hash)
  }

  /** Adds a transaction to the pool by the rules of geth. @throws TransactionRejected */
  submit(transaction: ModelTransaction): void {
    const { from, nonce, gasPrice, gas, hash } = transaction
    if (this.pool.has(hash)) throw new TransactionRejected('already known')
    if (nonce < this.head.state.nonce(from)) throw new TransactionRejected('nonce too low')
    const value = 'amount' in transaction.call && transaction.call.do === 'native' ? transaction.call.amount : 0n
    if (this.head.state.balance('JU', from) < gas * gasPrice + value) {
      throw new TransactionRejected('insufficient funds for gas * price + value')
    }
    const replaced = this.waiting(from, nonce)
    if (replaced !== undefined) {
      if (gasPrice * 10n < replaced.gasPrice * 11n) throw new TransactionRejected('replacement transaction underpriced')
      this.pool.delete(replaced.hash)
    }
    this.pool.set(hash, transaction)
  }

  waiting(from: Hex, nonce: number): ModelTransaction | undefined {
    return [...this.pool.values()].find((other) => other.from === from && other.nonce === nonce)
  }

  /** The first nonce of an account that is used neither on the chain nor in the pool. */
  nextNonce(from: Hex): number {
    let nonce = this.head.state.nonce(from)
    while (this.waiting(from, nonce) !== undefined) nonce += 1
    return nonce
  }

  /** Builds a block on a parent. Transactions whose nonce is not the next one are left out. */
  build(parent: ModelBlock, timestamp: number, wanted: readonly ModelTransaction[]): ModelBlock {
    const state = parent.state.copy()
    const receipts: ModelReceipt[] = []
    const place = { number: parent.number + 1, timestamp }
    const unplacedLogs: Parameters<ChainModel['seal']>[0]['unplacedLogs'] = []
    let left = [...wanted]
    for (let before = -1; before !== left.length;) {
      before = left.length
      left = left.filter((transaction) => {
        const { from, nonce, call, gasPrice } = transaction
        if (state.nonce(from) !== nonce) return true
        const { ok, logs, ...money } = state.run(from, call, { gasUsed: gasUsed(transaction), gasPrice }, place)
        unplacedLogs.push(...logs.map((log) => ({ ...log, transaction, index: receipts.length })))
        receipts.push({ transaction, ok, ...money })
        return false
      })
    }
    return this.seal({ ...place, parent, receipts, unplacedLogs, state })
  }

  private seal(
    block: Omit<ModelBlock, 'hash' | 'logs' | 'logsBloom'> & {
      unplacedLogs: { address: Hex; topics: Hex[]; data: Hex; transaction: ModelTransaction; index: number }[]
    },
  ): ModelBlock {
    const { unplacedLogs, ...rest } = block
    const content = [
      block.number,
      block.timestamp,
      block.parent?.hash,
      ...block.receipts.map((one) => one.transaction.hash),
    ]
    let hash = hashOf(content)
    // Two empty blocks with the same parent and time must still have different hashes.
    for (let salt = 0; this.blocks.has(hash); salt++) hash = hashOf([...content, salt])
    const logs = unplacedLogs.map(({ address, topics, data, transaction, index }, logIndex): RpcLog => ({
      address,
      topics: topics as [Hex, ...Hex[]],
      data,
      blockNumber: `0x${block.number.toString(16)}`,
      blockHash: hash,
      blockTimestamp: `0x${block.timestamp.toString(16)}`,
      transactionHash: transaction.hash,
      transactionIndex: `0x${index.toString(16)}`,
      logIndex: `0x${logIndex.toString(16)}`,
      removed: false,
    }))
    const sealed: ModelBlock = { ...rest, hash, logs, logsBloom: bloomOf(logs) }
    this.blocks.set(hash, sealed)
    return sealed
  }

  /** Mines on the canonical head. */
  mine(timestamp: number, wanted: readonly ModelTransaction[]): ModelBlock {
    const block = this.build(this.head, timestamp, wanted)
    this.moveTo(block)
    return block
  }

  /** The block at a number on the way down from a tip; undefined above it or below the beginning. */
  at(tip: ModelBlock, number: number): ModelBlock | undefined {
    let block: ModelBlock | null = tip
    while (block !== null && block.number > number) block = block.parent
    return block?.number === number ? block : undefined
  }

  /** Replaces everything above an ancestor of the head. Returns the transactions that are in no block any more. */
  reorganise(ancestor: ModelBlock, branch: readonly { timestamp: number; wanted: readonly ModelTransaction[] }[]) {
    const old = this.above(ancestor, this.head)
    let tip = ancestor
    for (const { timestamp, wanted } of branch) tip = this.build(tip, timestamp, wanted)
    this.moveTo(tip)
    const kept = new Set(this.above(ancestor, tip).flatMap(hashesOf))
    return old
      .flatMap((block) => block.receipts.map(({ transaction }) => transaction))
      .filter(({ hash }) => !kept.has(hash))
  }

  /** Blocks above one of a tip's ancestors up to the tip, oldest first. */
  above(ancestor: ModelBlock | null, tip: ModelBlock): ModelBlock[] {
    const blocks: ModelBlock[] = []
    for (let block: ModelBlock | null = tip; block !== null && block !== ancestor; block = block.parent)
      blocks.push(block)
    return blocks.toReversed()
  }
}

const hashesOf = (block: ModelBlock): Hex[] => block.receipts.map(({ transaction }) => transaction.hash)

export const hashOf = (content: readonly unknown[]): Hex =>
  `0x${createHash('sha256').update(content.map(String).join('|')).digest('hex')}`

/** The bloom filter of a block: three of 2048 bits for each address and topic. */
function bloomOf(logs: readonly RpcLog[]): Hex {
  const bits = Buffer.alloc(256)
  for (const value of new Set(logs.flatMap(({ address, topics }) => [address, ...topics]))) {
    const hash = keccak256(hexToBytes(value), 'bytes')
    for (const offset of [0, 2, 4]) {
      const bit = (((hash[offset] ?? 0) << 8) | (hash[offset + 1] ?? 0)) & 2047
      const byte = 255 - (bit >> 3)
      bits[byte] = (bits[byte] ?? 0) | (1 << (bit & 7))
    }
  }
  return `0x${bits.toString('hex')}`
}
