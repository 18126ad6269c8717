import type { Tx } from '../../../db/open.ts'

/** Has a day attested before the time. False when its attestation is signed already. */
export async function requestAttestation(tx: Tx, day: string, now: Date): Promise<boolean> {
  const known = await tx.selectFrom('attestation').select('day').where('day', '=', day).executeTakeFirst()
  if (known !== undefined) return false
  await tx
    .insertInto('attestation_request')
    .values({ day, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}
