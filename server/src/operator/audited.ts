import { type Database, transaction, type Tx } from '../db/open.ts'

/** Who does what with which input, as it is kept for good. */
export type AuditedCommand = {
  operator: string
  /** The command's own words, such as "plan close". */
  command: string
  input: Readonly<Record<string, unknown>>
}

/** Does the operator's work and writes who did it, both or neither. */
export async function audited<T>(
  db: Database,
  { operator, command, input }: AuditedCommand,
  now: Date,
  work: (tx: Tx) => Promise<T>,
) {
  return transaction(db, async (tx) => {
    const result = await work(tx)
    await tx
      .insertInto('operator_audit')
      .values({ operator, command, input: JSON.stringify(input), at: now })
      .execute()
    return result
  })
}
