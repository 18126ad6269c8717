import { CHAIN_ID } from '@candela/protocol/chain/network'
import { type Database, transaction } from '../../db/open.ts'
import { assert } from '../../kernel/assert.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { RpcError } from '../ask.ts'
import { type LearnedLimit, learnedLimit } from '../node/learned-limit.ts'
import type { ConfirmationRule } from '../crediting/confirmations.ts'
import { readPrices, valueAt } from '../price/price.ts'
import { type AssetsByAddress, decodePayments } from './read/decode.ts'
import type { BlockHeader, ChainReader } from './read/read-chain.ts'
import { type HistoricalRange, fetchHistoricalRange } from './read/historical-range.ts'
import { findCommonAncestor } from './find-common-ancestor.ts'
import { isLinked, reconcileBlock } from './reconcile-block.ts'
import {
  type BlockRange,
  type FollowedChain,
  readFollowed,
  type Recorded,
  recordedAt,
  recordRange,
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
}

/** The state that the follower keeps in memory between two rounds; everything else is in the database. */
export type SyncState = {
  /** How many blocks are asked for at a time: halved when the node fails, and grown while answers are small. */
  blocks: bigint
  /** How many blocks a node answers for at a time. */
  range: LearnedLimit
  /** The next range, fetched while the one before it is written. */
  prefetched: Prefetched | null
}

/** The newest block, and when it was asked for. */
type Head = BlockHeader & { seenAt: Date }

/** The next range, and the head that was read with it. */
type Prefetched = {
  tipHash: string
  from: bigint
  to: bigint
  fetched: Promise<HistoricalRange>
  head: Promise<Head>
}

/** The header of each block is read too, about 1 kB each, so this limits the memory that a range takes. */
const MAX_BLOCKS = 2_000n
/** Payments that one answer should have at most. */
const TARGET_PAYMENTS = 5_000n
/** Blocks at a time close to the head, where each block is asked for by itself. */
const REALTIME_BLOCKS = 32n
/** Starts with few blocks, because a long catch-up may have large answers. */
export function initialSyncState({ maxRange = MAX_BLOCKS }: { maxRange?: bigint } = {}): SyncState {
  const most = Number(min(maxRange, MAX_BLOCKS))
  return { blocks: 16n, range: learnedLimit({ first: most, most }), prefetched: null }
}

/**
 * One round: records the next range of blocks. Reads the head first, unless the one that was read with a prefetched range shows
 * that the next range is historical too. Returns true when there is more to do at once.
 * Realtime, close to the head: each block is checked against its parent, and its payments are asked for by the block's
 * hash. Historical, deeper than any payment waits for: many blocks at a time, and the hash of each block that has payments
 * is checked.
 * @throws RpcError, UnreadablePayment, or what the database throws; then nothing of the range is written
 */
export async function followOnce(deps: FollowDeps, sync: SyncState): Promise<boolean> {
  try {
    return await followRange(deps, sync)
  } catch (error) {
    // A node that was asked too often answers no smaller range.
    if (error instanceof RpcError && error.failure !== 'limited' && sync.blocks > 1n) sync.blocks /= 2n
    throw error
  }
}

async function followRange(deps: FollowDeps, sync: SyncState): Promise<boolean> {
  const { prefetched } = sync
  sync.prefetched = null
  // A head that failed is read again where it is needed; the range with it may be good.
  const [followed, earlier] = await Promise.all([readFollowed(deps.db), prefetched?.head.catch(() => undefined)])
  const from = followed.tip === null ? followed.start : followed.tip.number + 1n
  const lastFinal = (head: Head): bigint => head.number - deepOf(deps.confirmations)
  const isHistorical = (head: Head): boolean => lastFinal(head) - from >= REALTIME_BLOCKS
  // A historical range needs no newer head than the one that came with it, so no request has to be waited for before the next
  // range is fetched.
  const head = earlier !== undefined && isHistorical(earlier) ? earlier : await readHead(deps)
  if (isHistorical(head))
    return followHistorical(deps, { head, followed, from, safe: lastFinal(head), prefetched }, sync)
  const to = min(from + min(sync.blocks, REALTIME_BLOCKS) - 1n, head.number)
  return followRealtime(deps, { head, followed, from, to }, sync)
}

async function readHead({ reader, clock }: FollowDeps): Promise<Head> {
  const seenAt = clock.now()
  return { ...(await reader.head()), seenAt }
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Blocks deeper than this are taken as final: twice what the largest payment waits for. */
const deepOf = (rule: ConfirmationRule): bigint => BigInt(2 * Math.max(rule.large, rule.normal))

async function followHistorical(
  deps: FollowDeps,
  plan: { head: Head; followed: FollowedChain; from: bigint; safe: bigint; prefetched: Prefetched | null },
  sync: SyncState,
): Promise<boolean> {
  const { head, followed, from, safe, prefetched } = plan
  const { tip } = followed
  const isNext = prefetched?.from === from && prefetched.tipHash === tip?.hash
  const to = isNext ? prefetched.to : min(from + rangeOf(sync) - 1n, safe)
  const fetched = isNext ? prefetched.fetched : fetchHistoricalRange(deps, tip, from, to)
  const size = Number(to - from + 1n)
  const { ours, last, aroundGaps, payments, columns } = await fetched.catch((error: unknown) => {
    if (error instanceof RpcError && (error.failure === 'refused' || error.failure === 'timeout'))
      sync.range.refused(size)
    throw error
  })
  sync.range.bore(size)
  if (ours !== null && ours.hash !== tip?.hash) return followBranch(deps, head, followed, [ours])
  sync.blocks = grow(to - from + 1n, BigInt(payments.length))
  if (safe - last.number > REALTIME_BLOCKS)
    sync.prefetched = prefetch(deps, last, min(last.number + rangeOf(sync), safe))
  await write(deps, { from: tip, blocks: [...aroundGaps, last], payments, columns, head })
  return true
}

/** Blocks of the next range: no more than fit for their payments, and than the node answers for. */
const rangeOf = ({ blocks, range }: SyncState): bigint => min(blocks, BigInt(range.current()))

/** Fetches the next range while the database writes this one. If this one is not written, the fetched one is not used. */
function prefetch(deps: FollowDeps, tip: BlockHeader, to: bigint): Prefetched {
  const from = tip.number + 1n
  const fetched = fetchHistoricalRange(deps, tip, from, to)
  const head = readHead(deps)
  // The caller that awaits them gets the failure. Without this line a failure that nobody awaits would end the process.
  for (const started of [fetched, head]) started.catch(() => undefined)
  return { tipHash: tip.hash, from, to, fetched, head }
}

function grow(blocks: bigint, payments: bigint): bigint {
  const fitting = payments === 0n ? MAX_BLOCKS : (blocks * TARGET_PAYMENTS) / payments
  const grown = min(min(fitting, 2n * blocks), MAX_BLOCKS)
  return grown < 1n ? 1n : grown
}

async function followRealtime(
  deps: FollowDeps,
  plan: { head: Head; followed: FollowedChain; from: bigint; to: bigint },
  sync: SyncState,
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
  sync.blocks = grow(sync.blocks, 0n)
  return more
}

/** Connects a branch to the followed chain, fetching parents until they meet. */
async function followBranch(
  deps: FollowDeps,
  head: Head,
  followed: FollowedChain,
  shown: readonly BlockHeader[],
): Promise<boolean> {
  let branch = shown
  for (;;) {
    const result = reconcileBlock(followed, branch)
    switch (result.case) {
      case 'known':
        await write(deps, { from: followed.tip, blocks: [], payments: [], head })
        return false
      case 'fork':
        branch = [await deps.reader.headerOf(result.parent), ...branch]
        if (!isLinked(branch)) throw new RpcError('badAnswer', `block ${result.parent}: not the parent of its child`)
        break
      case 'next':
        return writeBlocks(deps, head, { from: followed.tip }, result.blocks)
      case 'reorganisation': {
        const ancestor = await ancestorBlock(deps, followed, result.ancestor)
        return writeBlocks(deps, head, { from: followed.tip, ancestor }, result.blocks)
      }
      case 'unknownAncestor': {
        const block = await findCommonAncestor(deps.db, deps.reader)
        const ancestor = { number: block?.number ?? followed.start - 1n, block, unknown: true }
        await write(deps, { from: followed.tip, ancestor, blocks: [], payments: [], head })
        return true
      }
      case 'gap':
        assert(false, `blocks ${result.from} to ${result.to} were left out`)
    }
  }
}

async function ancestorBlock(deps: FollowDeps, followed: FollowedChain, number: bigint) {
  if (number < followed.start) return { number, block: null, unknown: false }
  const hash = followed.hashes.get(number)
  assert(hash !== undefined, `block ${number} is a common ancestor but not known`)
  return { number, block: await deps.reader.headerOf(hash), unknown: false }
}

/** Records blocks with the payments that each one's own hash gives. */
async function writeBlocks(
  deps: FollowDeps,
  head: Head,
  base: Pick<BlockRange, 'from' | 'ancestor'>,
  blocks: readonly BlockHeader[],
): Promise<boolean> {
  const logs = await Promise.all(blocks.map((block) => deps.reader.paymentsOf(block)))
  const payments = blocks.flatMap((block, index) =>
    decodePayments(logs[index] ?? [], deps.gateway, deps.assets).map((payment) => recordedAt(payment, block.at)),
  )
  await write(deps, { ...base, blocks, payments, head })
  return (blocks.at(-1)?.number ?? 0n) < head.number
}

async function write(deps: FollowDeps, range: BlockRange): Promise<void> {
  const now = deps.clock.now()
  const recorded = await transaction(deps.db, async (tx) => {
    const valueInUsdt = range.payments.length === 0 ? () => null : valueAt(await readPrices(tx, now))
    const keepBlocks = 4n * deepOf(deps.confirmations)
    return recordRange(tx, range, { confirmations: deps.confirmations, valueInUsdt, keepBlocks }, now)
  })
  report(deps.log, range, recorded)
}

function report(log: Log, range: BlockRange, recorded: Recorded): void {
  const { ancestor } = range
  if (!recorded.written || ancestor === undefined) return
  const facts = {
    chain: CHAIN_ID,
    ancestor: String(ancestor.number),
    from: String(range.from?.number),
    reverted: recorded.reverted,
    orphaned: recorded.orphaned,
  }
  if (recorded.halted === null) {
    log.warn({ event: 'follower.reorganisation-recorded', ...facts }, 'a reorganisation replaced recorded blocks')
  } else {
    log.error({ event: 'crediting.halted', ...facts }, `crediting stops: ${recorded.halted}; inspect it, then resume`)
  }
}
