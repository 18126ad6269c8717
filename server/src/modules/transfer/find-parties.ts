import { codes } from '@candela/protocol/codes'
import { sql } from 'kysely'
import type { Database } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'
import { AppError } from '../../kernel/errors.ts'

/** A member as a transfer names it. Nothing in it ever changes. */
export type Party = { id: bigint; uid: bigint; address: `0x${string}` }

/**
 * The sender and whoever has this address or UID.
 * @param to lower-case address, or the decimal text of a UID
 * @throws AppError 4205 when nobody has it
 */
export async function findParties(
  db: Database,
  { memberId, to }: { memberId: bigint; to: string },
): Promise<{ sender: Party; recipient: Party }> {
  const address = to.startsWith('0x') ? to : null
  const uid = address === null ? to : null
  const { rows } = await sql<Party>`
    select id, uid, address from member where id = ${memberId} or address = ${address} or uid = ${uid}`.execute(db)
  const sender = must(
    rows.find(({ id }) => id === memberId),
    `member ${memberId} of a session exists`,
  )
  const recipient = rows.find((row) => row.address === to || row.uid.toString() === to)
  if (recipient === undefined) throw new AppError(codes.recipientUnknown)
  return { sender, recipient }
}
