import { CHAIN_ID } from '@candela/protocol/chain/network'
import { MINUTE_MS } from '@candela/protocol/units'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../../db/open.ts'
import type { Tables } from '../../db/tables/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { type AssetsByAddress, decodePayments, type PaymentFacts } from '../follow/read/decode.ts'
import type { ChainReader } from '../follow/read/read-chain.ts'
import { uncreditedEvents } from '../follow/uncredited.ts'
import type { Agree } from '../nodes/agree.ts'

export type AgreeOnPayments = {
  db: Database
  clock: Clock
  log: Log
  agree: Agree<Pick<ChainReader, 'headerOf' | 'paymentsOf'>>
  gateway: string
  assets: AssetsByAddress
  /** Where there is one node, only what an operator has read again is asked about. */
  isAlone: boolean
}

type Row = Selectable<Tables['chain_event']>

/** Blocks that are asked about in one round. */
const ROUND_SIZE = 50
/** More rows than a round asks about are not read. */
const READ_SIZE = 500
/** A payment on which the nodes do not agree is asked about again after this long. */
const AGAIN_MS = MINUTE_MS / 2

/**
 * Asks the nodes for the payments that are deep enough: each is credited only in the block in which most nodes have it, with the same
 * terms. Each node is asked once for all of a block.
 */
export async function agreeOnPayments(deps: AgreeOnPayments): Promise<void> {
  const { db, clock, isAlone } = deps
  const now = clock.now()
  const rows = await uncreditedEvents(db)
    .where('u.waits_for', 'is', null)
    .where(sql<boolean>`u.block_number + e.confirmations_needed - 1 <= (select followed from chain_cursor)`)
    .where(sql<boolean>`e.agreed_hash is distinct from e.block_hash`)
    .where(sql<boolean>`(e.is_rescanned or not ${isAlone}::boolean)`)
    .where((where) => where.or([where('e.retry_at', 'is', null), where('e.retry_at', '<=', now)]))
    .orderBy('u.block_number')
    .orderBy('u.log_index')
    .limit(READ_SIZE)
    .execute()
  const blocks = [...Map.groupBy(rows, (row) => row.block_hash).values()].slice(0, ROUND_SIZE)
  await Promise.all(blocks.map((ofBlock) => askAbout(deps, ofBlock, now)))
  await endDisputesOfGone(db)
}

/** Asks about payments of one block. One that most nodes do not have there is forgotten, as after a reorganisation. */
async function askAbout({ db, log, ...deps }: AgreeOnPayments, rows: readonly Row[], now: Date): Promise<void> {
  const missing = await missingOf(deps, rows)
  for (const row of rows) {
    const isDenied = missing?.includes(nameOf(row)) === true
    if (isDenied) {
      await db
        .deleteFrom('chain_event')
        .where('id', '=', row.id)
        .where('block_hash', '=', row.block_hash)
        .where('state', '=', 'recorded')
        .execute()
      const facts = { event: 'crediting.payment-denied', chain: CHAIN_ID, txHash: row.tx_hash } as const
      log.error(facts, 'most nodes do not have a payment that is followed here; it is not credited, and forgotten')
      continue
    }
    const retryAt = new Date(now.getTime() + AGAIN_MS)
    await db
      .updateTable('chain_event')
      .set(missing === null ? { retry_at: retryAt } : { agreed_hash: row.block_hash })
      .where('id', '=', row.id)
      .where('block_hash', '=', row.block_hash)
      .execute()
  }
}

/** Finds the payments of a block that most nodes do not have; null where no answer is that of most nodes. */
async function missingOf(
  { agree, gateway, assets }: Pick<AgreeOnPayments, 'agree' | 'gateway' | 'assets'>,
  rows: readonly Row[],
): Promise<string[] | null> {
  const [first] = rows
  if (first === undefined) return []
  const decision = {
    name: `payments ${first.block_number}`,
    at: { number: first.block_number, hash: first.block_hash },
  }
  const answer = await agree(decision, async (chain) => {
    const block = await chain.headerOf(first.block_hash)
    const payments = decodePayments(await chain.paymentsOf(block), gateway, assets)
    return rows.filter((row) => !payments.some((payment) => isSame(payment, row))).map(nameOf)
  })
  return answer?.agreed ?? null
}

const nameOf = ({ tx_hash, tx_position }: Row): string => `${tx_hash}/${tx_position}`

/** No node is asked again about blocks that have left the chain. */
const endDisputesOfGone = (db: Database) =>
  sql`
    delete from chain_dispute d
    where d.decision like 'payments %' and not exists (
      select from chain_event e
      where e.state = 'recorded' and e.agreed_hash is distinct from e.block_hash
        and e.block_number = substr(d.decision, 10)::bigint)`.execute(db)

const isSame = (payment: PaymentFacts, row: Row): boolean =>
  payment.txHash === row.tx_hash &&
  payment.txPosition === row.tx_position &&
  payment.action === row.action &&
  payment.reference === row.reference &&
  payment.asset === row.asset &&
  payment.amount === row.amount &&
  payment.payer === row.payer &&
  payment.customer === row.customer
