import type { Database } from '../../db/open.ts'

/** An attested snapshot with the transaction that attests it: the last one, or that of a day. */
export const readAttested = (db: Database, day?: string) =>
  db
    .selectFrom('attestation as a')
    .innerJoin('proof_snapshot as s', 's.day', 'a.day')
    .innerJoin('attestation_transaction as t', 't.day', 'a.day')
    .selectAll('s')
    .select(['a.attested_at', 't.hash'])
    .where('a.state', '=', 'attested')
    .$if(day !== undefined, (query) => query.where('a.day', '=', day ?? ''))
    .orderBy('a.day', 'desc')
    // One is left, that which was mined, unless the node had no receipts: then the dearest is the most likely.
    .orderBy('t.gas_price', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Milliseconds since the last attestation came; null before the first. */
export async function readAttestationAge(db: Database, now: Date): Promise<number | null> {
  const last = await db
    .selectFrom('attestation')
    .select('attested_at')
    .where('state', '=', 'attested')
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  const at = last?.attested_at ?? null
  return at === null ? null : Math.max(0, now.getTime() - at.getTime())
}
