import { codes } from '@candela/protocol/codes/codes'
import { utcDay } from '@candela/protocol/calendar'
import { DAY_MS } from '@candela/protocol/units'
import { AssertionFailed } from '../../kernel/assert.ts'
import type { Tx } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'
import { AppError } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'

/** An account beyond the limits stays so long without enough paid in. */
export const STAYS_DAYS = 30

export type Newcomer = { address: `0x${string}`; invitationCode: string | undefined; now: Date }

/**
 * The member of an address; on its first visit a new one, with a UID, an invitation code of its own that opens later, and the member who
 * invited it.
 * @throws AppError 4002 for a new address without an invitation code, 4003 when nobody has that code
 */
export async function registerMember(tx: Tx, ids: IdSource, newcomer: Newcomer): Promise<bigint> {
  const known = await findMember(tx, newcomer.address)
  if (known !== undefined) return known
  const inviterId = await findInviter(tx, newcomer.invitationCode)
  const leaves_at = await leavesAt(tx, inviterId, newcomer.now)
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
        leaves_at,
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

/**
 * When the account of a newcomer goes again unless enough is paid in for it; null where it stays. The limits refuse nobody: a
 * crowd would keep everybody else out.
 */
async function leavesAt(tx: Tx, inviterId: bigint | null, now: Date): Promise<Date | null> {
  const { accountsPerDay, codeAccountsPerDay } = await readSettings(tx)
  const today = utcDay(now)
  const joined = (limit: number) =>
    tx
      .selectFrom('member')
      .select('joined_at')
      .orderBy('id', 'desc')
      .offset(limit - 1)
      .limit(1)
  const isUsedUp = (row: { joined_at: Date } | undefined) => row !== undefined && utcDay(row.joined_at) >= today
  const isBeyond =
    isUsedUp(await joined(accountsPerDay).executeTakeFirst()) ||
    // Root codes are the operator's own, who closes them.
    (inviterId !== null &&
      isUsedUp(await joined(codeAccountsPerDay).where('inviter_id', '=', inviterId).executeTakeFirst()))
  return isBeyond ? new Date(now.getTime() + STAYS_DAYS * DAY_MS) : null
}

/** The member whose code it is, once it is open and while nobody has closed it; null for a root code. */
async function findInviter(tx: Tx, code: string | undefined): Promise<bigint | null> {
  if (code === undefined || code === '') throw new AppError(codes.invitationNeeded)
  const member = await tx
    .selectFrom('member')
    .select('id')
    .where('invitation_code', '=', code)
    .where('code_open_at', 'is not', null)
    .where('code_closed_at', 'is', null)
    .executeTakeFirst()
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
