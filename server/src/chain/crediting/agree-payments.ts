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
import type { Agree } from '../nodes/agree.ts'

export type AgreeOnPayments = {
  db: Database
  clock: Clock
  log: Log
  agree: Agree<Pick<ChainReader, 'headerOf' | 'paymentsOf'>>
  gateway: string
  assets: AssetsByAddress
}

type Row = Selectable<Tables['chain_event']>

/** Payments that are asked about in one round. */
const ROUND_SIZE = 100
/** A payment on which the nodes do not agree is asked about again after this long. */
const AGAIN_MS = MINUTE_MS / 2

/**
 * Asks the nodes for payments that are deep enough, those of a block together: they are credited only in the block in which most
 * nodes have them, with the same terms. Returns how many were agreed on.
 */
export async function agreeOnPayments(deps: AgreeOnPayments): Promise<number> {
  const { db, clock } = deps
  const now = clock.now()
  const rows = await db
    .selectFrom('chain_event')
    .selectAll()
    .where('state', '=', 'recorded')
    .where('waits_for', 'is', null)
    .where(sql<boolean>`block_number + confirmations_needed - 1 <= (select followed from chain_cursor)`)
    .where(sql<boolean>`agreed_hash is distinct from block_hash`)
    .where((where) => where.or([where('retry_at', 'is', null), where('retry_at', '<=', now)]))
    .orderBy('block_number')
    .orderBy('log_index')
    .limit(ROUND_SIZE)
    .execute()
  let agreed = 0
  for (const ofBlock of Map.groupBy(rows, (row) => row.block_hash).values()) {
    const there = await areThere(deps, ofBlock)
    for (const [nth, row] of ofBlock.entries()) {
      const isThere = there?.[nth] ?? null
      if (isThere === false && row.denied_hash !== row.block_hash) reportDenied(deps, row)
      await db
        .updateTable('chain_event')
        .set({
          agreed_hash: isThere === true ? row.block_hash : null,
          denied_hash: isThere === false ? row.block_hash : null,
          ...(isThere !== true && { retry_at: new Date(now.getTime() + AGAIN_MS) }),
        })
        .where('id', '=', row.id)
        .where('block_hash', '=', row.block_hash)
        .execute()
      if (isThere === true) agreed += 1
    }
  }
  return agreed
}

/** Which payments of one block most nodes have; null where they do not agree. */
async function areThere(
  { agree, gateway, assets }: AgreeOnPayments,
  rows: readonly Row[],
): Promise<readonly boolean[] | null> {
  const [first] = rows
  if (first === undefined) return []
  const at = { number: first.block_number, hash: first.block_hash }
  const answer = await agree({ name: `payments ${at.number}`, at }, async (chain) => {
    const block = await chain.headerOf(at.hash)
    const payments = decodePayments(await chain.paymentsOf(block), gateway, assets)
    return rows.map((row) => payments.some((payment) => isSame(payment, row)))
  })
  return answer?.agreed ?? null
}

function reportDenied({ log }: AgreeOnPayments, row: Row): void {
  const facts = { event: 'crediting.payment-denied', chain: CHAIN_ID, txHash: row.tx_hash } as const
  log.error(facts, 'most nodes do not have a payment that is followed here; it is not credited')
}

const isSame = (payment: PaymentFacts, row: Row): boolean =>
  payment.txHash === row.tx_hash &&
  payment.txPosition === row.tx_position &&
  payment.action === row.action &&
  payment.reference === row.reference &&
  payment.asset === row.asset &&
  payment.amount === row.amount &&
  payment.payer === row.payer &&
  payment.customer === row.customer
