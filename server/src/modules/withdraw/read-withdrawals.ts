import { assetCodes } from '@candela/protocol/money/assets'
import type { Data } from '@candela/protocol/endpoints'
import { withdrawalReasons, withdrawalStates } from '@candela/protocol/endpoints/withdraw'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { sql } from 'kysely'
import { type ConfirmationRule, confirmationsNeeded } from '../../chain/crediting/confirmations.ts'
import { isAboutBlockList } from '../../chain/payout/payout-chain.ts'
import { queryRows } from '../../db/query-rows.ts'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'
import { blocksFor, paceOfBlocks, signableAt } from './wait/expected-time.ts'
import { shareOf, stillUsed } from './wait/old-money.ts'

type State = (typeof withdrawalStates)[number]
/** A withdrawal as the API gives it. */
export type Withdrawal = Data<'GET withdraw/list'>['items'][number]

export type WithdrawalFilter = {
  memberId?: bigint | undefined
  withdrawalNo?: string | undefined
  state?: State | undefined
  /** Only withdrawals with a smaller id, which are older. */
  before?: bigint | undefined
  limit: number
}

/** A withdrawal with what only the operator sees. */
export type FoundWithdrawal = {
  id: bigint
  memberId: bigint
  worthUsdt: bigint
  approvals: number
  approvedBy: string[]
  lastFailure: string | null
  withdrawal: Withdrawal
}

const storedState = z.enum(['review', 'queued', 'sending', 'done', 'rejected', 'failed'])

const withdrawalRow = z.object({
  id: z.bigint(),
  withdrawal_no: z.string(),
  member_id: z.bigint(),
  asset: z.enum(assetCodes),
  amount: z.bigint(),
  fee: z.bigint(),
  payout_amount: z.bigint(),
  to_address: z.string(),
  worth_usdt: z.bigint(),
  approvals: z.number(),
  approved_by: z.array(z.string()),
  last_failure: z.string().nullable(),
  state: z.enum(withdrawalStates),
  reason: z.enum(withdrawalReasons).nullable(),
  note: z.string().nullable(),
  created_at: z.date(),
  taken_back_at: z.date().nullable(),
  steps: z.array(z.object({ state: storedState, at: z.string(), txHash: z.string().nullable() })),
  sent_hash: z.string().nullable(),
  paid_hash: z.string().nullable(),
  paid_at: z.date().nullable(),
  confirmations: z.number().nullable(),
  confirmations_needed: z.number().nullable(),
  followed_at: z.date().nullable(),
  block_ms: z.bigint().nullable(),
  cap: z.bigint().nullable(),
  left_of_cap: z.bigint().nullable(),
  cap_at: z.date().nullable(),
  fresh_amount: z.bigint(),
  fresh_used: z.bigint().nullable(),
  fresh_used_at: z.date().nullable(),
  ahead_count: z.number(),
  ahead_amount: z.bigint(),
  ahead_fresh: z.bigint(),
})
type Row = z.output<typeof withdrawalRow>

/** Above every id. */
const LAST_ID = 2n ** 63n - 1n

/**
 * Withdrawals with their steps, newest first, in one query. A sent one whose payment is recorded on chain is
 * `confirming`; nothing is stored for that, so a reorganisation that reverts the payment undoes it.
 */
export async function readWithdrawals(
  db: Database,
  filter: WithdrawalFilter,
  rule: ConfirmationRule,
): Promise<FoundWithdrawal[]> {
  const { memberId, withdrawalNo, state = null, before = LAST_ID, limit } = filter
  // Only what is asked for is a condition: a plan that fits every question would read all withdrawals.
  const isMembers = memberId === undefined ? sql`true` : sql`w.member_id = ${memberId}`
  const isNamed = withdrawalNo === undefined ? sql`true` : sql`w.withdrawal_no = ${withdrawalNo}`
  const { freshCapPercent } = await readSettings(db)
  const rows = await queryRows(
    db,
    withdrawalRow,
    sql`
    select * from (
      select w.id, w.withdrawal_no, w.member_id, w.asset, w.amount, w.fee, w.payout_amount, w.to_address, w.worth_usdt, w.approvals,
        coalesce(w.reason, waiting.reason) as reason, w.note, w.created_at, w.taken_back_at,
        coalesce(w.last_failure, t.last_failure, waiting.failure) as last_failure,
        case when w.state = 'sending' and e.id is not null then 'confirming' else w.state::text end as state,
        array(select operator from withdrawal_approval where withdrawal_id = w.id and round = w.review_round
          order by at) as approved_by,
        (select json_agg(json_build_object('state', s.state, 'at', s.at, 'txHash', s.tx_hash) order by s.id)
          from withdrawal_step s where s.withdrawal_id = w.id) as steps,
        t.hash as sent_hash, e.tx_hash as paid_hash, e.block_at as paid_at, e.confirmations,
        e.confirmations_needed, b.at as followed_at, pace.block_ms, p.cap, p.left_of_cap, p.block_at as cap_at, w.fresh_amount, f.used as fresh_used, f.at as fresh_used_at,
        coalesce(ahead.count, 0) as ahead_count, coalesce(ahead.amount, 0) as ahead_amount, coalesce(ahead.fresh, 0) as ahead_fresh
      from withdrawal w
      left join chain_cursor c on true
      left join chain_block b on b.number = c.followed
      left join lateral (${paceOfBlocks}) pace on true
      left join lateral (
        select hash, last_failure from payout_transaction where withdrawal_id = w.id and not is_empty order by gas_price desc limit 1
      ) t on true
      left join payout_cap p on p.asset = w.asset
      left join lateral (${whatKeepsWaiting}) waiting on true
      left join lateral (${whatIsAhead}) ahead on w.state = 'queued'
      left join fresh_use f on f.asset = w.asset
      left join chain_payment e on e.action = 'paid' and e.reference = w.payout_id and not e.orphaned
      where ${isMembers} and ${isNamed} and w.id < ${before}
    ) listed
    where ${state}::text is null or state = ${state}
    order by id desc
    limit ${limit}`,
  )
  return rows.map((found) => ({
    id: found.id,
    memberId: found.member_id,
    worthUsdt: found.worth_usdt,
    approvals: found.approvals,
    approvedBy: found.approved_by,
    lastFailure: found.last_failure,
    withdrawal: toWithdrawal(found, rule, freshCapPercent),
  }))
}

/** The withdrawals that are signed before the withdrawal `w`. */
const whatIsAhead = sql`
  select count(*)::integer as count, sum(a.payout_amount) as amount, sum(a.fresh_amount) as fresh
  from withdrawal a where a.asset = w.asset and a.state = 'queued' and a.id < w.id`

/** Why the withdrawal `w` was left out of the last round of paying out, for its owner and in words for the operator. */
const whatKeepsWaiting = sql`
  select case when r.paused is not null or w.payout_amount > r.left_of_held then 'paused' else 'dailyCap' end as reason,
    case when r.paused is not null then r.paused
      when w.payout_amount > r.left_of_held then 'the contract holds ' || r.left_of_held || ' of ' || r.asset || ' beside what is under way'
      when w.payout_amount > r.left_of_cap then 'the contract''s cap leaves ' || r.left_of_cap
      else 'the share of fresh money leaves ' || r.left_of_fresh end as failure
  from payout_round r
  where w.state = 'queued' and r.asset = w.asset
    and (r.paused is not null or w.payout_amount > r.left_of_held or w.payout_amount > r.left_of_cap
      or w.fresh_amount > r.left_of_fresh and w.created_at > r.at - interval '24 hours')`

function toWithdrawal(row: Row, rule: ConfirmationRule, freshCapPercent: number): Withdrawal {
  const needed = row.confirmations_needed ?? confirmationsNeeded(rule, row.worth_usdt)
  return {
    withdrawalNo: row.withdrawal_no,
    asset: row.asset,
    amount: fromBaseUnits(row.amount),
    fee: fromBaseUnits(row.fee),
    received: fromBaseUnits(row.payout_amount),
    feeKept: row.state === 'failed' && row.reason === 'reverted' ? fromBaseUnits(row.fee) : null,
    to: row.to_address,
    state: row.state,
    reason: row.reason,
    ...(isBlocked(row) && { blocked: true as const }),
    note: row.note,
    createdAt: row.created_at.toISOString(),
    takenBackAt: row.taken_back_at?.toISOString() ?? null,
    estimatedAt: estimate(row, needed, freshCapPercent),
    txHash: row.paid_hash ?? row.sent_hash,
    confirmations: row.confirmations ?? 0,
    confirmationsNeeded: needed,
    timeline: timeline(row),
  }
}

const isBlocked = ({ reason, last_failure }: Row): boolean =>
  reason === 'paused' && isAboutBlockList(last_failure ?? '')

/** The stored steps, with the block that holds the payment in its place among them. */
function timeline({ steps, paid_at, paid_hash }: Row): Withdrawal['timeline'] {
  const stored: Withdrawal['timeline'] = steps.map(({ state, at, txHash }) => ({
    state,
    at: new Date(at).toISOString(),
    txHash,
  }))
  if (paid_at === null) return stored
  const end = stored.findIndex(({ state }) => state === 'done')
  const confirming = { state: 'confirming' as const, at: paid_at.toISOString(), txHash: paid_hash }
  return end < 0 ? [...stored, confirming] : stored.toSpliced(end, 0, confirming)
}

/** A time is told only where nobody's decision stands before it, and only once the chain's pace is known. */
function estimate(row: Row, needed: number, freshCapPercent: number): string | null {
  const { state, reason, followed_at, block_ms } = row
  if (followed_at === null || block_ms === null) return null
  if (state !== 'queued' && state !== 'sending' && state !== 'confirming') return null
  if (reason === 'paused') return null
  const start = state === 'queued' ? signable(row, followed_at, freshCapPercent) : (row.paid_at ?? followed_at)
  if (start === null) return null
  const blocks = state === 'confirming' ? needed - 1 : blocksFor(row.ahead_count, needed)
  return new Date(start.getTime() + blocks * Number(block_ms)).toISOString()
}

function signable(row: Row, followedAt: Date, freshCapPercent: number): Date | null {
  const { cap: whole, left_of_cap: left, cap_at: at, fresh_used: used, fresh_used_at: usedAt } = row
  // While nobody has asked the contract, what waits for nothing is signed next.
  if (whole === null || left === null || at === null) return row.reason === null ? followedAt : null
  const share = shareOf(whole, freshCapPercent)
  const use = used === null || usedAt === null ? undefined : { used, at: usedAt }
  const wait = {
    amount: row.payout_amount,
    fresh: row.fresh_amount,
    askedAt: row.created_at,
    ahead: { count: row.ahead_count, amount: row.ahead_amount, fresh: row.ahead_fresh },
    cap: { cap: whole, left, at },
    share,
    shareUsed: stillUsed(share, use, followedAt),
  }
  return signableAt(wait, followedAt)
}

const paidRow = z.object({ withdrawal_no: z.string(), tx_hash: z.string().nullable() })

/** Finds by which transaction each of these withdrawals was paid, by its number. One that is not done is left out. */
export async function readPaidBy(db: Database, withdrawalNos: readonly string[]): Promise<Map<string, string>> {
  if (withdrawalNos.length === 0) return new Map()
  const rows = await queryRows(
    db,
    paidRow,
    // The last step of one that is done is that, so each is one look into an index.
    sql`
    select w.withdrawal_no, s.tx_hash
    from withdrawal w cross join lateral (
      select state, tx_hash from withdrawal_step where withdrawal_id = w.id order by id desc limit 1
    ) s
    where w.withdrawal_no = any (${[...new Set(withdrawalNos)]}) and s.state = 'done'`,
  )
  return new Map(rows.flatMap(({ withdrawal_no, tx_hash }) => (tx_hash === null ? [] : [[withdrawal_no, tx_hash]])))
}
