import type { RpcLog } from 'viem'
import { type Database, transaction, type Tx } from '../db/open.ts'
import { assert } from '../kernel/assert.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { RpcError } from './client.ts'
import type { ConfirmationRule, ValueInUsdt } from './confirmations.ts'
import { type AssetsByAddress, decodePayments } from './decode.ts'
import type { BlockHeader, ChainReader } from './read-chain.ts'
import { findSharedBlock } from './find-shared-block.ts'
import { isLinked, reconcileBlock } from './reconcile-block.ts'
import {
  type FollowedChain,
  type Recorded,
  type RecordedPayment,
  readFollowed,
  recordStride,
  type Stride,
} from './record-blocks.ts'

export type FollowDeps = {
  db: Database
  reader: ChainReader
  clock: Clock
  log: Log
  /** Lower case. */
  gateway: string
  assets: AssetsByAddress
  confirmations: ConfirmationRule
  /** Asked once in each stride that has payments, so that one stride has one price. */
  loadValuation: (tx: Tx, now: Date) => Promise<ValueInUsdt>
}

/** Blocks per stride. It shrinks when the node fails, because half is easier, and grows while answers are small. */
export type StrideWidth = { blocks: bigint }

const widest = 20_000n
const paymentsWanted = 5_000n
/** Most blocks per stride near the head, where each is asked for by itself. */
const nearWidth = 32n
/** A long catch-up starts narrow, because an answer may be large. */
export const firstWidth = (): StrideWidth => ({ blocks: 16n })

/**
 * One stride: looks at the head and records what is next. Returns true when there is more to do at once.
 * Near the head each block is checked against its parent and its payments are asked for by the block's hash. Deeper
 * than anything that a payment waits for, many blocks are taken at a time, and the hash of each block that has payments
 * is checked.
 * @throws RpcError, UnreadablePayment, or what the database throws; then nothing of the stride is written
 */
export async function followOnce(deps: FollowDeps, width: StrideWidth): Promise<boolean> {
  try {
    return await followNext(deps, width)
  } catch (error) {
    if (error instanceof RpcError && width.blocks > 1n) width.blocks /= 2n
    throw error
  }
}

async function followNext(deps: FollowDeps, width: StrideWidth): Promise<boolean> {
  const head = await deps.reader.head()
  const followed = await readFollowed(deps.db)
  const from = followed.tip === null ? followed.start : followed.tip.number + 1n
  const safe = head.number - deepOf(deps.confirmations)
  const far = safe - from >= nearWidth
  const most = far ? width.blocks : least(width.blocks, nearWidth)
  const to = least(from + most - 1n, far ? safe : head.number)
  const stride = { head, followed, from, to }
  return far ? followFar(deps, stride, width) : followNear(deps, stride, width)
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

type Plan = { head: BlockHeader; followed: FollowedChain; from: bigint; to: bigint }

/** Blocks deeper than this are taken as final: twice what the largest payment waits for. */
const deepOf = (rule: ConfirmationRule): bigint => BigInt(2 * Math.max(rule.large, rule.normal))

async function followFar(deps: FollowDeps, plan: Plan, width: StrideWidth): Promise<boolean> {
  const { head, followed, from, to } = plan
  const { tip } = followed
  // One batch, so that one node answers: a node without the last block cannot pass "no payments" off as the truth.
  const [logs, [last, ours]] = await Promise.all([
    deps.reader.paymentsIn(from, to),
    deps.reader.headers(tip === null ? [to] : [to, tip.number]),
  ])
  if (!last || ours === null) throw new RpcError('badAnswer', `block ${to}: the node lacks blocks below its head`)
  if (ours !== undefined && ours.hash !== tip?.hash) return followBranch(deps, head, followed, [ours])
  const payments = await withCheckedBlocks(deps, logs, last)
  await write(deps, { from: tip, blocks: [last], payments, head: head.number })
  width.blocks = wider(width.blocks, BigInt(logs.length))
  return true
}

function wider(blocks: bigint, payments: bigint): bigint {
  const fitting = payments === 0n ? widest : (blocks * paymentsWanted) / payments
  const grown = least(least(fitting, 2n * blocks), widest)
  return grown < 1n ? 1n : grown
}

/** Decodes logs of many blocks, and takes each one's time from its block, which must have the hash that the log names. */
async function withCheckedBlocks(deps: FollowDeps, logs: RpcLog[], last: BlockHeader): Promise<RecordedPayment[]> {
  const payments = decodePayments(logs, deps.gateway, deps.assets)
  const numbers = [...new Set(payments.map(({ blockNumber }) => blockNumber))].filter(
    (number) => number !== last.number,
  )
  const headers = await deps.reader.headers(numbers)
  const byNumber = new Map([...headers, last].map((header) => [header?.number, header]))
  return payments.map((payment) => {
    const header = byNumber.get(payment.blockNumber)
    if (header?.hash !== payment.blockHash) {
      throw new RpcError('badAnswer', `payments of block ${payment.blockNumber}: logs of another block`)
    }
    return { ...payment, blockAt: header.at }
  })
}

async function followNear(deps: FollowDeps, plan: Plan, width: StrideWidth): Promise<boolean> {
  const { head, followed, from, to } = plan
  if (from >= head.number) return followBranch(deps, head, followed, [head])
  const numbers = Array.from({ length: Number(to - from) + 1 }, (_none, index) => from + BigInt(index))
  const headers = await deps.reader.headers(numbers)
  const branch = headers.filter((header) => header !== null)
  if (branch.length < headers.length || !isLinked(branch)) {
    throw new RpcError('badAnswer', `blocks ${from} to ${to}: the chain changed while it was read`)
  }
  const more = await followBranch(deps, head, followed, branch)
  width.blocks = wider(width.blocks, 0n)
  return more
}

/** Puts a branch in its place, going back along its parents as far as needed. */
async function followBranch(
  deps: FollowDeps,
  head: BlockHeader,
  followed: FollowedChain,
  shown: readonly BlockHeader[],
): Promise<boolean> {
  let branch = shown
  for (;;) {
    const result = reconcileBlock(followed, branch)
    switch (result.case) {
      case 'known':
        await write(deps, { from: followed.tip, blocks: [], payments: [], head: head.number })
        return false
      case 'fork':
        branch = [await deps.reader.headerOf(result.parent), ...branch]
        if (!isLinked(branch)) throw new RpcError('badAnswer', `block ${result.parent}: not the parent of its child`)
        break
      case 'next':
        return writeBlocks(deps, head, { from: followed.tip }, result.blocks)
      case 'reorganisation': {
        const shared = await sharedBlock(deps, followed, result.ancestor)
        return writeBlocks(deps, head, { from: followed.tip, ancestor: shared }, result.blocks)
      }
      case 'unknownAncestor': {
        const block = await findSharedBlock(deps.db, deps.reader)
        const ancestor = { number: block?.number ?? followed.start - 1n, block, unknown: true }
        await write(deps, { from: followed.tip, ancestor, blocks: [], payments: [], head: head.number })
        return true
      }
      case 'gap':
        assert(false, `blocks ${result.from} to ${result.to} were left out`)
    }
  }
}

async function sharedBlock(deps: FollowDeps, followed: FollowedChain, number: bigint) {
  if (number < followed.start) return { number, block: null, unknown: false }
  const hash = followed.hashes.get(number)
  assert(hash !== undefined, `block ${number} is shared but not known`)
  return { number, block: await deps.reader.headerOf(hash), unknown: false }
}

/** Records blocks with the payments that each one's own hash gives. */
async function writeBlocks(
  deps: FollowDeps,
  head: BlockHeader,
  base: Pick<Stride, 'from' | 'ancestor'>,
  blocks: readonly BlockHeader[],
): Promise<boolean> {
  const logs = await Promise.all(blocks.map((block) => deps.reader.paymentsOf(block)))
  const payments = blocks.flatMap((block, index) =>
    decodePayments(logs[index] ?? [], deps.gateway, deps.assets).map((payment) => ({ ...payment, blockAt: block.at })),
  )
  await write(deps, { ...base, blocks, payments, head: head.number })
  return (blocks.at(-1)?.number ?? 0n) < head.number
}

async function write(deps: FollowDeps, stride: Stride): Promise<void> {
  const now = deps.clock.now()
  const recorded = await transaction(deps.db, async (tx) => {
    const valueInUsdt = stride.payments.length === 0 ? () => null : await deps.loadValuation(tx, now)
    const keepBlocks = 4n * deepOf(deps.confirmations)
    return recordStride(tx, stride, { confirmations: deps.confirmations, valueInUsdt, keepBlocks }, now)
  })
  report(deps.log, stride, recorded)
}

function report(log: Log, stride: Stride, recorded: Recorded): void {
  const { ancestor } = stride
  if (!recorded.written || ancestor === undefined) return
  const facts = {
    ancestor: String(ancestor.number),
    from: String(stride.from?.number),
    unrecorded: recorded.unrecorded,
    orphaned: recorded.orphaned,
  }
  if (recorded.halted === null) log.warn(facts, 'a reorganisation was followed')
  else log.error(facts, `crediting stops: ${recorded.halted}; look at it, then resume`)
}
