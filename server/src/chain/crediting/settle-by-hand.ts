import type { Tx } from '../../db/open.ts'
import { type ConfirmedPayment, confirmedPayment } from './credit-payments.ts'

/**
 * A payment out that is deep enough and could not be settled, locked until the transaction ends: neither crediting nor a reorganisation
 * touches it meanwhile. Undefined when there is none with this id.
 */
export async function lockUnsettledPayout(tx: Tx, eventId: bigint): Promise<ConfirmedPayment | undefined> {
  await tx.selectFrom('chain_cursor').select('only_row').forUpdate().executeTakeFirst()
  const row = await tx
    .selectFrom('chain_event')
    .selectAll()
    .where('id', '=', eventId)
    .where('action', '=', 'paid')
    .where('state', '=', 'recorded')
    .where('failures', '>', 0)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? undefined : confirmedPayment(row)
}

/** Marks it as settled: nothing waits for it any more. Its postings are the caller's, in the same transaction. */
export async function markExplained(tx: Tx, eventId: bigint, now: Date): Promise<void> {
  await tx
    .updateTable('chain_event')
    .set({ state: 'credited', outcome: 'explained', credited_at: now, failures: 0, last_failure: null, retry_at: null })
    .where('id', '=', eventId)
    .execute()
}

/**
 * A credited payment that is on no known block, locked until the transaction ends; not one that was taken back. Undefined when there is
 * none with this id. Payouts that left the chain are paid again instead.
 */
export async function lockOrphaned(tx: Tx, eventId: bigint): Promise<ConfirmedPayment | undefined> {
  await tx.selectFrom('chain_cursor').select('only_row').forUpdate().executeTakeFirst()
  const row = await tx
    .selectFrom('chain_event')
    .selectAll()
    .where('id', '=', eventId)
    .where('action', '<>', 'paid')
    .where('orphaned_at', 'is not', null)
    .where('outcome', '<>', 'takenBack')
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? undefined : confirmedPayment(row)
}

/** Ends it for good: should the same payment come again, it is another one, with postings of its own. */
export async function markTakenBack(tx: Tx, eventId: bigint): Promise<void> {
  await tx.updateTable('chain_event').set({ outcome: 'takenBack' }).where('id', '=', eventId).execute()
}
