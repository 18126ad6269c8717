import { codes } from '@candela/protocol/codes/codes'
import { AssertionFailed } from '../../kernel/assert.ts'
import type { Tx } from '../../db/open.ts'
import { AppError } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'

export type Newcomer = { address: `0x${string}`; invitationCode: string | undefined; now: Date }

/**
 * The member of an address; on its first visit a new one, with a UID, an invitation code of its own, and the member who
 * invited it.
 * @throws AppError 4002 for a new address without an invitation code, 4003 when nobody has that code
 */
export async function registerMember(tx: Tx, ids: IdSource, newcomer: Newcomer): Promise<bigint> {
  const known = await findMember(tx, newcomer.address)
  if (known !== undefined) return known
  const inviterId = await findInviter(tx, newcomer.invitationCode)
  for (let attempt = 0; attempt < 8; attempt++) {
    const code = invitationCode(ids)
    if (await isRootCode(tx, code)) continue
    const inserted = await tx
      .insertInto('member')
      .values({
        address: newcomer.address,
        inviter_id: inviterId,
        invitation_code: code,
        ju_uid: null,
        joined_at: newcomer.now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (inserted !== undefined) return inserted.id
    // Either another login of the same address was first, or the code is taken.
    const other = await findMember(tx, newcomer.address)
    if (other !== undefined) return other
  }
  throw new AssertionFailed('eight random invitation codes in a row were taken')
}

async function findMember(tx: Tx, address: string): Promise<bigint | undefined> {
  const row = await tx.selectFrom('member').select('id').where('address', '=', address).executeTakeFirst()
  return row?.id
}

/** The member whose code it is; null for a root code. */
async function findInviter(tx: Tx, code: string | undefined): Promise<bigint | null> {
  if (code === undefined || code === '') throw new AppError(codes.invitationNeeded)
  const member = await tx.selectFrom('member').select('id').where('invitation_code', '=', code).executeTakeFirst()
  if (member !== undefined) return member.id
  const root = await tx
    .selectFrom('root_invitation')
    .select('code')
    .where('code', '=', code)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (root === undefined) throw new AppError(codes.invitationUnknown)
  return null
}

async function isRootCode(tx: Tx, code: string): Promise<boolean> {
  return (
    (await tx.selectFrom('root_invitation').select('code').where('code', '=', code).executeTakeFirst()) !== undefined
  )
}

/** Eight characters without I, L, O and U, which people misread: 40 random bits. */
function invitationCode(ids: IdSource): string {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  const bytes = Buffer.from(ids.token(), 'base64url').subarray(0, 8)
  return Array.from(bytes, (byte) => alphabet.charAt(byte & 31)).join('')
}
