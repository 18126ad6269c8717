import { CHAIN_ID } from '@candela/protocol/chain/network'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { RpcError } from '../../chain/ask.ts'
import type { Agree } from '../../chain/nodes/agree.ts'
import type { PayoutChain } from '../../chain/payout/payout-chain.ts'
import { type Database, transaction, type Tx } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { type Books, readBooks } from './read-books.ts'
import { type Owed, readOwed } from './read-owed.ts'
import { type ForeignPayout, listForeignPayouts, wordsOfPayout } from './foreign-payouts.ts'
import { lockComparisons, readRounds, type ReconciliationLine, withTolerated } from './rounds.ts'

export type ReconcileDeps = {
  db: Database
  chain: Pick<PayoutChain, 'holdings'>
  /** Asks each node; by default `chain` alone decides. */
  agree?: Agree<Pick<PayoutChain, 'holdings'>> | undefined
  clock: Clock
  log: Log
}

/** One comparison, as it is kept. */
export type Reconciliation = {
  block: bigint
  lines: ReconciliationLine[]
  /** True while withdrawals wait because of it. */
  paused: boolean
  /** The differences, in words; null when there are none. */
  finding: string | null
}

const MAX_BEHIND = 64n

/**
 * Compares books and chain per asset at the last followed block, and keeps the result. Every movement at the contract is
 * an event that is followed, so the two are equal at each block, also with money under way. Withdrawals are paused while
 * as many comparisons in a row as the setting says have found a difference in the same asset, and go on with the first
 * one that finds none. Null before the
 * first followed block, and while the follower is far behind.
 * @throws RpcError when the node cannot say; then nothing is kept, and what was found before stays
 */
export async function reconcile(deps: ReconcileDeps): Promise<Reconciliation | null> {
  const books = await readBooks(deps.db, (tx, underWay) => readOwed(tx, underWay, deps.clock.now()))
  if (books === null) return null
  // A node keeps the state of its newest blocks only.
  if (books.head - books.at.number > MAX_BEHIND) return null
  const found = await readHoldings(deps, books)
  if (found === null) return null
  const result = await transaction(deps.db, (tx) => keep(tx, books, found, deps.clock.now()))
  for (const payout of result.newPayouts) reportForeign(deps.log, payout)
  report(deps.log, result)
  return result
}

/**
 * Reads what the contract holds, as most nodes say; null while they do not. One node alone is asked once more where it differs from the
 * books, in requests of their own: one that has mixed up answers gives another one then.
 * @throws RpcError from the only node
 */
async function readHoldings(
  { chain, agree }: ReconcileDeps,
  { at, expected }: Books<Record<AssetCode, Owed>>,
): Promise<Record<AssetCode, bigint> | null> {
  if (agree !== undefined) {
    return (await agree({ name: 'comparison all', at }, (node) => node.holdings(at)))?.agreed ?? null
  }
  const found = await chain.holdings(at)
  if (assetCodes.every((asset) => found[asset] === expected[asset])) return found
  const again = await chain.holdings(at)
  if (assetCodes.some((asset) => again[asset] !== found[asset]))
    throw new RpcError('badAnswer', 'what the contract holds: two answers of the node differ')
  return found
}

/**
 * Native currency can be forced on a contract without any event (a contract that ends itself, a block's reward), so more
 * of it than expected is shown and pauses nothing: otherwise one base unit would let anyone stop all withdrawals. Less
 * than was tolerated before is a loss, also when the chain still has no less than the books say.
 */
const pauses = ({ asset, expected, found, tolerated }: ReconciliationLine): boolean =>
  asset === 'JU' ? found - expected < tolerated : found !== expected

async function keep(
  tx: Tx,
  books: Books<Record<AssetCode, Owed>>,
  found: Readonly<Record<AssetCode, bigint>>,
  now: Date,
): Promise<Reconciliation & { wasPaused: boolean; newPayouts: ForeignPayout[] }> {
  await lockComparisons(tx)
  const foreign = await listForeignPayouts(tx)
  const { reconcileRounds } = await readSettings(tx)
  const lines = await withTolerated(
    tx,
    assetCodes.map((asset) => ({ asset, expected: books.expected[asset], found: found[asset] })),
  )
  const before = (await readRounds(tx, reconcileRounds - 1)).map(({ lines: earlier }) => earlier)
  const enough = before.length === reconcileRounds - 1
  const differs =
    enough &&
    lines.some(
      (line) =>
        pauses(line) &&
        before.every((round) => round.some((earlier) => earlier.asset === line.asset && pauses(earlier))),
    )
  const paused = differs || foreign.length > 0
  const finding = findingOf(lines, foreign)
  const agrees = !lines.some(pauses) && foreign.length === 0
  const last = await tx
    .selectFrom('reconciliation')
    .select(['paused', 'finding'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  // Once paused, a difference in another asset keeps it so: only a comparison without any ends it.
  const stays = paused || (last?.paused === true && !agrees)
  const { id } = await tx
    .insertInto('reconciliation')
    .values({
      block_number: books.at.number,
      block_hash: books.at.hash,
      block_at: books.blockAt,
      at: now,
      paused: stays,
      finding,
      agrees,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('reconciliation_line')
    .values(
      lines.map((line) => {
        const { members, unassigned } = books.more[line.asset]
        return { reconciliation_id: id, ...line, owed_members: members, owed_unassigned: unassigned }
      }),
    )
    .execute()
  // Each is told of once: what was told of is in the finding before.
  const newPayouts = foreign.filter((payout) => last?.finding?.includes(wordsOfPayout(payout)) !== true)
  return { block: books.at.number, lines, paused: stays, finding, wasPaused: last?.paused ?? false, newPayouts }
}

function findingOf(lines: readonly ReconciliationLine[], foreign: readonly ForeignPayout[]): string | null {
  const differences = lines
    .filter((line) => line.expected !== line.found || pauses(line))
    .map((line) => {
      const { asset, expected, found, tolerated } = line
      const difference = `${asset}: expected ${fromBaseUnits(expected)}, found ${fromBaseUnits(found)}, difference ${fromBaseUnits(found - expected)}`
      const isHidden = pauses(line) && tolerated > 0n
      return isHidden ? `${difference}, after a surplus of ${fromBaseUnits(tolerated)}` : difference
    })
  const words = [...differences, ...foreign.map(wordsOfPayout)]
  return words.length === 0 ? null : words.join('; ')
}

function reportForeign(log: Log, payout: ForeignPayout): void {
  const facts = {
    event: 'payout.foreign',
    chain: CHAIN_ID,
    eventId: String(payout.id),
    txHash: payout.tx_hash,
  } as const
  log.error({ ...facts, finding: wordsOfPayout(payout) }, 'a payout is not ours: the payer’s key is in other hands')
}

function report(log: Log, { block, paused, finding, wasPaused }: Reconciliation & { wasPaused: boolean }): void {
  const facts = { chain: CHAIN_ID, block: String(block), finding }
  if (paused && !wasPaused) {
    log.error(
      { event: 'reconciliation.withdrawals-paused', ...facts },
      'withdrawals are paused: the books and the chain differ',
    )
  } else if (!paused && wasPaused) {
    log.warn(
      { event: 'reconciliation.withdrawals-resumed', ...facts },
      'withdrawals are resumed: the books and the chain agree again',
    )
  } else if (finding !== null) {
    log.warn({ event: 'reconciliation.difference-found', ...facts }, 'the books and the chain differ')
  }
}
