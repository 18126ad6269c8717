import { DAY_MS } from '@candela/protocol/units'
import { OperatorError } from '../../kernel/errors.ts'
import type { Database, Tx } from '../../db/open.ts'

/**
 * Makes a root invitation code, which brings in members without an inviter.
 * @throws OperatorError when the code is malformed or taken, also by a member's own code
 */
export async function createInvitation(tx: Tx, { code, note }: { code: string; note: string }, now: Date) {
  if (!/^[A-Z0-9]{4,16}$/.test(code)) {
    throw new OperatorError(`an invitation code has 4 to 16 capital letters and digits, not "${code}"`)
  }
  const member = await tx.selectFrom('member').select('uid').where('invitation_code', '=', code).executeTakeFirst()
  if (member !== undefined) throw new OperatorError(`${code} is the own code of member ${member.uid}`)
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('root_invitation')
    .values({ code, note, created_at: now, closed_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) throw new OperatorError(`the invitation code ${code} exists already`)
}

/**
 * Closes a code for further members: a root code, or a member's own. @throws OperatorError when no open code has this name
 * @returns the UID of the member whose own it is; null for a root code
 */
export async function closeInvitation(tx: Tx, code: string, now: Date): Promise<bigint | null> {
  const member = await tx
    .updateTable('member')
    .set({ code_closed_at: now })
    .where('invitation_code', '=', code)
    .where('code_closed_at', 'is', null)
    .returning('uid')
    .executeTakeFirst()
  if (member !== undefined) return member.uid
  const { numUpdatedRows } = await tx
    .updateTable('root_invitation')
    .set({ closed_at: now })
    .where('code', '=', code)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new OperatorError(`there is no open invitation code ${code}`)
  return null
}

/** Root codes, oldest first. */
export const listInvitations = (db: Database) =>
  db.selectFrom('root_invitation').selectAll().orderBy('created_at').orderBy('code').execute()

/** How many codes are listed. */
const CROWDED = 50

/** The own codes of members by which most accounts of the last 24 hours came, with how many. */
export const listCrowdedCodes = (db: Database, now: Date) =>
  db
    .selectFrom('member as m')
    .innerJoin('member as inviter', 'inviter.id', 'm.inviter_id')
    .select(['inviter.invitation_code as code', 'inviter.uid'])
    .select(({ fn }) => fn.countAll<bigint>().as('accounts'))
    .where('m.joined_at', '>', new Date(now.getTime() - DAY_MS))
    .groupBy(['inviter.invitation_code', 'inviter.uid'])
    .orderBy('accounts', 'desc')
    .orderBy('inviter.uid')
    .limit(CROWDED)
    .execute()
