import { DAY_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { queryRows } from '../../db/query-rows.ts'

/** So many payments to a member may revert before a person looks at the next one. */
export const MAX_REVERTED = 2
const REVERTED_COUNT_FOR_MS = 30 * DAY_MS

/** First instant at which a reverted payment still counts. */
export const revertedSince = (now: Date): Date => new Date(now.getTime() - REVERTED_COUNT_FOR_MS)

/** Reasons not to pay a member before an operator has looked at the withdrawal. */
export type Evidence = {
  /** Credited payments by or for the member that are off the chain now. */
  orphaned: number
  /** Payments to the member that reverted in the last 30 days because of it, or it cannot be told why. */
  reverted: number
}

const evidenceRow = z.object({ orphaned: z.number(), reverted: z.number() })

export async function readEvidence(
  db: Database,
  { memberId, address }: { memberId: bigint; address: string },
  now: Date,
): Promise<Evidence> {
  const rows = await queryRows(
    db,
    evidenceRow,
    sql`
    select
      (select count(*)::integer from chain_payment
        where orphaned and action <> 'paid' and (payer = ${address} or customer = ${address})) as orphaned,
      (select count(*)::integer from withdrawal
        where member_id = ${memberId} and state = 'failed' and reason in ('reverted', 'unclear')
          and changed_at >= ${revertedSince(now)}) as reverted`,
  )
  return rows[0] ?? { orphaned: 0, reverted: 0 }
}

/** Why a person has to look; null when nothing is new since operators last approved with what they had `seen`. */
export function causeOfReview(
  { orphaned, reverted }: Evidence,
  seen: Evidence = { orphaned: 0, reverted: 0 },
): 'flagged' | 'reverts' | null {
  if (orphaned > seen.orphaned) return 'flagged'
  return reverted >= MAX_REVERTED && reverted > seen.reverted ? 'reverts' : null
}

/** Why a person looks at a withdrawal that is asked for now, whatever it is worth; null when nobody has to. */
export const causeWhenAsked = (evidence: Evidence, isPricePaused: boolean) =>
  causeOfReview(evidence) ?? (isPricePaused ? ('pricePaused' as const) : null)
