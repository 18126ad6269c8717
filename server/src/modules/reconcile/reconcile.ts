import { CHAIN_ID } from '@candela/protocol/chain/network'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { PayoutChain } from '../../chain/payout/payout-chain.ts'
import { type Database, transaction, type Tx } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { type Books, readBooks } from './read-books.ts'

export type ReconcileDeps = {
  db: Database
  chain: Pick<PayoutChain, 'holdings'>
  clock: Clock
  log: Log
}

/** Base units: what the books say, and what the chain says. */
export type ReconciliationLine = { asset: AssetCode; expected: bigint; found: bigint }

/** One comparison, as it is kept. */
export type Reconciliation = {
  block: bigint
  lines: ReconciliationLine[]
  /** True while withdrawals wait because of it. */
  paused: boolean
  /** What differs, in words; null when nothing does. */
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
  const books = await readBooks(deps.db)
  if (books === null) return null
  // A node keeps the state of its newest blocks only.
  if (books.head - books.at.number > MAX_BEHIND) return null
  const found = await deps.chain.holdings(books.at)
  const lines = assetCodes.map((asset) => ({ asset, expected: books.expected[asset], found: found[asset] }))
  const result = await transaction(deps.db, (tx) => keep(tx, books, lines, deps.clock.now()))
  report(deps.log, result)
  return result
}

/**
 * Native currency can be forced on a contract without any event (a contract that ends itself, a block's reward), so more
 * of it than expected is shown and pauses nothing: otherwise one base unit would let anyone stop all withdrawals.
 */
const pauses = ({ asset, expected, found }: ReconciliationLine): boolean =>
  asset === 'JU' ? found < expected : found !== expected

async function keep(
  tx: Tx,
  books: Books,
  lines: ReconciliationLine[],
  now: Date,
): Promise<Reconciliation & { wasPaused: boolean }> {
  const { reconcileRounds } = await readSettings(tx)
  const before = await readRounds(tx, reconcileRounds - 1)
  const enough = before.length === reconcileRounds - 1
  const paused =
    enough &&
    lines.some(
      (line) =>
        pauses(line) &&
        before.every((round) => round.some((earlier) => earlier.asset === line.asset && pauses(earlier))),
    )
  const finding = findingOf(lines)
  const last = await tx.selectFrom('reconciliation').select('paused').orderBy('id', 'desc').limit(1).executeTakeFirst()
  // Once paused, a difference in another asset keeps it so: only a comparison without any ends it.
  const stays = paused || (last?.paused === true && lines.some(pauses))
  const { id } = await tx
    .insertInto('reconciliation')
    .values({
      block_number: books.at.number,
      block_hash: books.at.hash,
      block_at: books.blockAt,
      at: now,
      paused: stays,
      finding,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('reconciliation_line')
    .values(lines.map((line) => ({ reconciliation_id: id, ...line })))
    .execute()
  return { block: books.at.number, lines, paused: stays, finding, wasPaused: last?.paused ?? false }
}

/** The lines of the last comparisons. */
async function readRounds(tx: Tx, count: number): Promise<ReconciliationLine[][]> {
  if (count === 0) return []
  const runs = await tx.selectFrom('reconciliation').select('id').orderBy('id', 'desc').limit(count).execute()
  if (runs.length === 0) return []
  const ids = runs.map(({ id }) => id)
  const lines = await tx.selectFrom('reconciliation_line').selectAll().where('reconciliation_id', 'in', ids).execute()
  return ids.map((id) => lines.filter((line) => line.reconciliation_id === id))
}

function findingOf(lines: readonly ReconciliationLine[]): string | null {
  const words = lines
    .filter(({ expected, found }) => expected !== found)
    .map(
      ({ asset, expected, found }) =>
        `${asset}: expected ${fromBaseUnits(expected)}, found ${fromBaseUnits(found)}, difference ${fromBaseUnits(found - expected)}`,
    )
  return words.length === 0 ? null : words.join('; ')
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
