import type { Database } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'
import { readLevel } from '../member/read-level.ts'
import { feeAt } from './fee.ts'

/** The exchange's fee for a member, in millionths. */
export async function readFeePpm(db: Database, memberId: bigint): Promise<number> {
  const [{ exchangeFeePpm }, level] = await Promise.all([readSettings(db), readLevel(db, memberId)])
  return feeAt(exchangeFeePpm, level).feePpm
}
