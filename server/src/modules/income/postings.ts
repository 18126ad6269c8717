import { startOfDay } from '@candela/protocol/calendar'
import { uuidFromName } from '../../kernel/ids.ts'
import { platformAccount } from '../../ledger/chart.ts'
import type { Posting } from '../../ledger/post.ts'
import type { Sharing } from '../../ledger/share/share.ts'

/** The platform's part of a day's revenue. */
export const serviceFeePosting = (day: string, fee: bigint, at: Date): Posting => ({
  id: uuidFromName(`income:${day}:fee`, startOfDay(day)),
  kind: 'service-fee',
  legs: [{ debit: platformAccount('revenuePool', 'HASH'), credit: platformAccount('fees', 'HASH'), amount: fee }],
  memo: { day },
  occurredAt: at,
})

/**
 * The incomes of the members behind one place of the day's sharing. The id is a function of the day and of that place,
 * so the ledger refuses to share from there a second time.
 */
export const incomeSharing = (day: string, afterMember: bigint, at: Date): Omit<Sharing, 'shares'> => ({
  id: uuidFromName(`income:${day}:${afterMember}`, startOfDay(day)),
  kind: 'income',
  memo: { day },
  occurredAt: at,
  debit: platformAccount('revenuePool', 'HASH'),
  credit: 'memberAvailable',
})
