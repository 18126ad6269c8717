import { CHAIN_ID } from '@candela/protocol/chain/network'
import type { AssetCode } from '@candela/protocol/money/assets'
import { contextHash, sameSums, type Sums, toHex } from '@candela/protocol/proof/sum-tree'
import { readFollowedBlock } from '../../../chain/follow/followed-block.ts'
import type { At } from '../../../chain/payout/payout-chain.ts'
import { type Database, letWait, transaction, type Tx } from '../../../db/open.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { atOneSequence } from '../../../ledger/at-one-sequence.ts'
import { buildPieces } from '../tree/build-pieces.ts'
import { storePieces } from '../tree/store-pieces.ts'
import { lastSettledBlock, paymentsAfter } from './followed-payments.ts'
import { hashLeaves } from './hash-leaves.ts'
import { makeMasterKey, platformSecret, seedKey } from './leaf-secrets.ts'
import type { OrderedLeaves } from './order-leaves.ts'
import {
  addFound,
  compareFound,
  type Given,
  nothingFound,
  type OwedSources,
  readGiven,
  SumsDiffer,
} from './read-members.ts'
import { addSmall, nothingSmall, type RangeTask, type Small } from './read-range.ts'
import { type MemberParts, storeParts } from './store-parts.ts'
import { type ThreadStart, type Work, workHere, workInThreads } from './work.ts'

export type SnapshotDeps = {
  db: Database
  clock: Clock
  /** The contract that attests, lower case. */
  gateway: string
  sources: OwedSources
  /** Reads what the gateway holds at a followed block, base units. */
  holdings: (at: At) => Promise<Record<AssetCode, bigint>>
  /** The newest block that counts as final, in the same snapshot; null while too few are followed. */
  readFinal: (tx: Tx) => Promise<At | null>
  /** 32 secret bytes: once for members' secrets, and for the padding of each snapshot. Passed in, so that a simulation repeats. */
  newSeed: () => Uint8Array
  /** Without it all is done in this thread, however many members there are. */
  threads?: ThreadStart
}

/** Ids of members that are read in one go by one thread. */
const RANGE = 8_192n

type Read = {
  leaves: OrderedLeaves
  parts: readonly MemberParts[]
  small: Small
  sums: Sums
  valuation: Given['valuation']
  sequence: bigint
  block: At
}

/**
 * Takes the snapshot of a day and keeps its tree, once: false when the day has one, or no block is final yet. All is read at
 * one sequence of the ledger, hashed by all processors, and stored in one transaction.
 * @throws SumsDiffer when the ledger's own accounts say otherwise; nothing is stored then
 * @throws RpcError
 */
export async function takeSnapshot(deps: SnapshotDeps, day: string): Promise<boolean> {
  const { db, gateway } = deps
  const known = await db.selectFrom('proof_snapshot').select('day').where('day', '=', day).executeTakeFirst()
  if (known !== undefined) return false
  const context = contextHash({ chainId: CHAIN_ID, gateway, day })
  const isLarge = (await deps.sources.lastMemberId(db)) > RANGE
  const work =
    isLarge && deps.threads !== undefined ? workInThreads(deps.threads) : workHere(deps.sources.listAddresses)
  try {
    return await takeBy(work, deps, day, context)
  } finally {
    await work.end()
  }
}

async function takeBy(work: Work, deps: SnapshotDeps, day: string, context: Uint8Array): Promise<boolean> {
  const { db, clock, gateway } = deps
  const read = await readLeaves(work, deps, context)
  if (read === null) return false
  const { leaves, parts, small, sums, valuation, sequence, block } = read
  const [held, { pieces, root }] = await Promise.all([
    deps.holdings(block),
    buildPieces(leaves.nodes, (task) => work.hashPieces(task)),
  ])
  if (!sameSums(root.sums, sums)) throw new SumsDiffer('the root has other sums than its leaves')
  return transaction(db, async (tx) => {
    const stored = await tx
      .insertInto('proof_snapshot')
      .values({
        day,
        sequence,
        block_number: block.number,
        taken_at: clock.now(),
        gateway,
        seed: null,
        depth: Math.log2(leaves.count),
        root: toHex(root.hash),
        owed_usdt: sums[0],
        owed_hash: sums[1],
        owed_ju: sums[2],
        held_usdt: held.USDT,
        held_hash: held.HASH,
        held_ju: held.JU,
        fund_assets: valuation.fund.assets,
        fund_shares: valuation.fund.shares,
        pool_usdt: valuation.pool.amounts.USDT,
        pool_hash: valuation.pool.amounts.HASH,
        pool_ju: valuation.pool.amounts.JU,
        pool_shares: valuation.pool.shares,
        price_ju: valuation.prices.JU,
        price_hash: valuation.prices.HASH,
        small_members: BigInt(small.members),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('day')
      .executeTakeFirst()
    if (stored === undefined) return false
    await storePieces(tx, day, pieces, leaves.keys)
    await storeParts(tx, day, parts)
    return true
  })
}

async function readLeaves(work: Work, deps: SnapshotDeps, context: Uint8Array): Promise<Read | null> {
  const master = await makeMasterKey(deps.db, deps.newSeed)
  const read = await atOneSequence(deps.db, async (tx, sequence) => {
    // While ranges are read, hashed and counted, which this transaction waits for.
    await letWait(tx)
    const final = await deps.readFinal(tx)
    if (final === null) return null
    const block = await readFollowedBlock(tx, await lastSettledBlock(tx, final.number))
    if (block === null) return null
    const given = await readGiven(tx, deps.sources, await paymentsAfter(tx, block.number))
    const last = await deps.sources.lastMemberId(tx)
    const readRange = await work.readerIn(tx)
    const tasks = rangesUpTo(last, given).map((range) => ({ ...range, master, context }))
    const ranges = await Promise.all(tasks.map((task) => readRange(task)))
    const found = ranges.map((range) => range.found).reduce(addFound, nothingFound())
    await compareFound(tx, given, found)
    const small = ranges.map((range) => range.small).reduce(addSmall, nothingSmall)
    return { ranges, small, sums: found.sums, valuation: given.valuation, sequence, block }
  })
  if (read === null) return null
  // Not inside the transaction: sorting needs no database.
  const { ranges, ...rest } = read
  const platform = hashLeaves(context)
  platform.add(deps.gateway, rest.small.sums, platformSecret(seedKey(master)))
  const leaves = [...ranges.map((range) => range.leaves), platform.leaves()]
  const task = { leaves, context, seed: deps.newSeed() }
  return { ...rest, parts: ranges.flatMap(({ parts }) => parts), leaves: await work.orderLeaves(task) }
}

/** All ids up to the last, each range with the debts of its own members: all of them for each would be copied to a thread each time. */
export function rangesUpTo(last: bigint, given: Given): Pick<RangeTask, 'after' | 'upTo' | 'given'>[] {
  const debts = Map.groupBy(given.debts, ({ memberId }) => (memberId - 1n) / RANGE)
  return Array.from({ length: Number((last + RANGE - 1n) / RANGE) }, (_, nth) => ({
    after: BigInt(nth) * RANGE,
    upTo: BigInt(nth + 1) * RANGE < last ? BigInt(nth + 1) * RANGE : last,
    given: { ...given, debts: debts.get(BigInt(nth)) ?? [] },
  }))
}

/** The sums of a stored snapshot, in the order of the tree's assets. */
export const sumsOf = (row: { owed_usdt: bigint; owed_hash: bigint; owed_ju: bigint }): Sums => [
  row.owed_usdt,
  row.owed_hash,
  row.owed_ju,
]
