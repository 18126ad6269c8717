import { type Database, transaction, type Tx } from '../../db/open.ts'
import { assert } from '../../kernel/assert.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { RpcError } from '../client.ts'
import type { ConfirmationRule, ValueInUsdt } from '../credit/confirmations.ts'
import { type AssetsByAddress, decodePayments } from './decode.ts'
import type { BlockHeader, ChainReader } from './read-chain.ts'
import { type HistoricalRange, fetchHistoricalRange } from './historical-range.ts'
import { findCommonAncestor } from './find-common-ancestor.ts'
import { isLinked, reconcileBlock } from './reconcile-block.ts'
import { type FollowedChain, type Recorded, readFollowed, recordRange, type BlockRange } from './record-blocks.ts'

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

/** What the follower remembers from stride to stride; the database has the rest. */
export type SyncState = {
  /** Blocks per stride. It shrinks when the node fails, because half is easier, and grows while answers are small. */
  blocks: bigint
  /** The stride that is fetched while the one before it is written. */
  ahead: { tipHash: string; from: bigint; to: bigint; fetched: Promise<HistoricalRange> } | null
}

const widest = 20_000n
const paymentsWanted = 5_000n
/** Most blocks per stride near the head, where each is asked for by itself. */
const REALTIME_BLOCKS = 32n
/** A long catch-up starts narrow, because an answer may be large. */
export const initialSyncState = (): SyncState => ({ blocks: 16n, ahead: null })

/**
 * One stride: looks at the head and records what is next. Returns true when there is more to do at once.
 * Near the head each block is checked against its parent and its payments are asked for by the block's hash. Deeper
 * than anything that a payment waits for, many blocks are taken at a time, and the hash of each block that has payments
 * is checked.
 * @throws RpcError, UnreadablePayment, or what the database throws; then nothing of the stride is written
 */
export async function followOnce(deps: FollowDeps, pace: SyncState): Promise<boolean> {
  try {
    return await followNext(deps, pace)
  } catch (error) {
    if (error instanceof RpcError && pace.blocks > 1n) pace.blocks /= 2n
    throw error
  }
}

async function followNext(deps: FollowDeps, pace: SyncState): Promise<boolean> {
  const head = await deps.reader.head()
  const followed = await readFollowed(deps.db)
  const from = followed.tip === null ? followed.start : followed.tip.number + 1n
  const safe = head.number - deepOf(deps.confirmations)
  if (safe - from >= REALTIME_BLOCKS) return followHistorical(deps, { head, followed, from, safe }, pace)
  const to = least(from + least(pace.blocks, REALTIME_BLOCKS) - 1n, head.number)
  return followRealtime(deps, { head, followed, from, to }, pace)
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Blocks deeper than this are taken as final: twice what the largest payment waits for. */
const deepOf = (rule: ConfirmationRule): bigint => BigInt(2 * Math.max(rule.large, rule.normal))

async function followHistorical(
  deps: FollowDeps,
  plan: { head: BlockHeader; followed: FollowedChain; from: bigint; safe: bigint },
  pace: SyncState,
): Promise<boolean> {
  const { head, followed, from, safe } = plan
  const { tip } = followed
  const { ahead } = pace
  pace.ahead = null
  const isAhead = ahead?.from === from && ahead.tipHash === tip?.hash
  const to = isAhead ? ahead.to : least(from + pace.blocks - 1n, safe)
  const { ours, last, payments } = await (isAhead ? ahead.fetched : fetchHistoricalRange(deps, tip, from, to))
  if (ours !== null && ours.hash !== tip?.hash) return followBranch(deps, head, followed, [ours])
  pace.blocks = wider(to - from + 1n, BigInt(payments.length))
  if (safe - last.number > REALTIME_BLOCKS) pace.ahead = fetchAhead(deps, last, least(last.number + pace.blocks, safe))
  await write(deps, { from: tip, blocks: [last], payments, head: head.number })
  return true
}

/** While the database works, the node can. If this stride is not written after all, what was fetched fits nothing. */
function fetchAhead(deps: FollowDeps, tip: BlockHeader, to: bigint): SyncState['ahead'] {
  const from = tip.number + 1n
  const fetched = fetchHistoricalRange(deps, tip, from, to)
  // Who waits for it hears of a failure; when nobody does, there is nobody to tell.
  fetched.catch(() => undefined)
  return { tipHash: tip.hash, from, to, fetched }
}

function wider(blocks: bigint, payments: bigint): bigint {
  const fitting = payments === 0n ? widest : (blocks * paymentsWanted) / payments
  const grown = least(least(fitting, 2n * blocks), widest)
  return grown < 1n ? 1n : grown
}

async function followRealtime(
  deps: FollowDeps,
  plan: { head: BlockHeader; followed: FollowedChain; from: bigint; to: bigint },
  pace: SyncState,
): Promise<boolean> {
  const { head, followed, from, to } = plan
  if (from >= head.number) return followBranch(deps, head, followed, [head])
  const numbers = Array.from({ length: Number(to - from) + 1 }, (_none, index) => from + BigInt(index))
  const headers = await deps.reader.headers(numbers)
  const branch = headers.filter((header) => header !== null)
  if (branch.length < headers.length || !isLinked(branch)) {
    throw new RpcError('badAnswer', `blocks ${from} to ${to}: the chain changed while it was read`)
  }
  const more = await followBranch(deps, head, followed, branch)
  pace.blocks = wider(pace.blocks, 0n)
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
        const block = await findCommonAncestor(deps.db, deps.reader)
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
  base: Pick<BlockRange, 'from' | 'ancestor'>,
  blocks: readonly BlockHeader[],
): Promise<boolean> {
  const logs = await Promise.all(blocks.map((block) => deps.reader.paymentsOf(block)))
  const payments = blocks.flatMap((block, index) =>
    decodePayments(logs[index] ?? [], deps.gateway, deps.assets).map((payment) => ({ ...payment, blockAt: block.at })),
  )
  await write(deps, { ...base, blocks, payments, head: head.number })
  return (blocks.at(-1)?.number ?? 0n) < head.number
}

async function write(deps: FollowDeps, stride: BlockRange): Promise<void> {
  const now = deps.clock.now()
  const recorded = await transaction(deps.db, async (tx) => {
    const valueInUsdt = stride.payments.length === 0 ? () => null : await deps.loadValuation(tx, now)
    const keepBlocks = 4n * deepOf(deps.confirmations)
    return recordRange(tx, stride, { confirmations: deps.confirmations, valueInUsdt, keepBlocks }, now)
  })
  report(deps.log, stride, recorded)
}

function report(log: Log, stride: BlockRange, recorded: Recorded): void {
  const { ancestor } = stride
  if (!recorded.written || ancestor === undefined) return
  const facts = {
    ancestor: String(ancestor.number),
    from: String(stride.from?.number),
    reverted: recorded.reverted,
    orphaned: recorded.orphaned,
  }
  if (recorded.halted === null) log.warn(facts, 'a reorganisation was followed')
  else log.error(facts, `crediting stops: ${recorded.halted}; look at it, then resume`)
}
