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
const ROUND_SIZE = 20
/** A payment on which the nodes do not agree is asked about again after this long. */
const AGAIN_MS = MINUTE_MS / 2

/**
 * Asks the nodes for payments that are deep enough and wait for `large` confirmations: those are credited only in the block in which
 * most nodes have them, with the same terms. Returns how many were agreed on.
 */
export async function agreeOnLarge(deps: AgreeOnPayments, large: number): Promise<number> {
  const { db, clock } = deps
  const now = clock.now()
  const rows = await db
    .selectFrom('chain_event')
    .selectAll()
    .where('state', '=', 'recorded')
    .where('confirmations_needed', '>=', large)
    .where(sql<boolean>`block_number + confirmations_needed - 1 <= (select followed from chain_cursor)`)
    .where(sql<boolean>`agreed_hash is distinct from block_hash`)
    .where((where) => where.or([where('retry_at', 'is', null), where('retry_at', '<=', now)]))
    .orderBy('id')
    .limit(ROUND_SIZE)
    .execute()
  let agreed = 0
  for (const row of rows) {
    const isAgreed = await isThere(deps, row)
    await db
      .updateTable('chain_event')
      .set(isAgreed ? { agreed_hash: row.block_hash } : { retry_at: new Date(now.getTime() + AGAIN_MS) })
      .where('id', '=', row.id)
      .where('block_hash', '=', row.block_hash)
      .execute()
    if (isAgreed) agreed += 1
  }
  return agreed
}

async function isThere({ agree, gateway, assets, log }: AgreeOnPayments, row: Row): Promise<boolean> {
  const decision = {
    name: `payment ${row.tx_hash}/${row.tx_position}`,
    at: { number: row.block_number, hash: row.block_hash },
  }
  const answer = await agree(decision, async (chain) => {
    const block = await chain.headerOf(row.block_hash)
    const payments = decodePayments(await chain.paymentsOf(block), gateway, assets)
    return payments.some((payment) => isSame(payment, row))
  })
  // Said when it is first asked for.
  if (answer?.agreed === false && row.retry_at === null) {
    const facts = { event: 'crediting.payment-denied', chain: CHAIN_ID, txHash: row.tx_hash } as const
    log.error(facts, 'most nodes do not have a large payment that is followed here; it is not credited')
  }
  return answer?.agreed === true
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
