import type { Insertable } from 'kysely'
import type { Database } from '../../db/open.ts'
import type { Tables } from '../../db/tables/index.ts'

type NewWithdrawal = Insertable<Tables['withdrawal']>

/**
 * Adds the row of a withdrawal of 2 base units without a posting, unsigned, for tests of what is read from such rows.
 * @param nth makes its numbers its own
 */
export async function addWithdrawal(
  db: Database,
  nth: number,
  given: Pick<NewWithdrawal, 'member_id' | 'to_address' | 'state'> & Partial<NewWithdrawal>,
): Promise<string> {
  const at = new Date('2026-03-15T12:00:00Z')
  const row = {
    withdrawal_no: `W${nth}`,
    payout_id: `0x${nth.toString(16).padStart(64, '0')}`,
    asset: 'USDT' as const,
    amount: 2n,
    fee: 1n,
    worth_usdt: 1n,
    reason: null,
    note: null,
    approvals: 0,
    payer: null,
    nonce: null,
    try_at: null,
    last_failure: null,
    created_at: at,
    changed_at: at,
    ...given,
  }
  await db.insertInto('withdrawal').values(row).execute()
  return row.withdrawal_no
}
