import { codes } from '@candela/protocol/codes/codes'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { readLimitPrice } from '../../chain/price/use-price.ts'
import { runIdempotent } from '../../db/idempotency/run-idempotent.ts'
import { transaction, type Tx } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'
import { must } from '../../kernel/assert.ts'
import { AppError } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { readPauseReason } from '../reconcile/pause.ts'
import { readCap } from './contract-caps.ts'
import { causeWhenAsked, readEvidence } from './evidence.ts'
import { insertWithdrawal } from './insert-withdrawal.ts'
import { freshPart, readOldMoney } from './wait/old-money.ts'
import { type QuoteDeps, readAllowances } from './quote.ts'
import { readUnseen } from './read-unseen.ts'
import { readWithdrawals } from './read-withdrawals.ts'
import { approvalsFor, leftOf, limitsOf, periodEndsOf, tariffOf, worthAt } from './terms.ts'

const endpoint = 'POST withdraw/apply'

export type ApplyDeps = QuoteDeps & {
  ids: Pick<IdSource, 'uuid' | 'orderNumber'>
}

type ApplyInput = HandlerInput<typeof endpoint>
type Caller = { memberId: bigint; now: Date }

/**
 * Sets the amount aside and puts a payout to the member's own wallet into the queue, or before an operator when it is
 * large or its asset's price is paused. Once for each request id; a repetition gets the same withdrawal as it is by then.
 * @throws AppError 4201 balance, 4202 minimum, 4203 limits or more than the contract ever pays at once, 4204 another fee, 4090 to 4092,
 * 4213 too many under way, 5031 price unknown, 5033 paused
 */
export async function applyForWithdrawal(
  deps: ApplyDeps,
  input: ApplyInput,
  { memberId, now }: Caller,
): Promise<Data<typeof endpoint>> {
  return transaction(deps.db, async (tx) => {
    const call = { memberId, requestId: input.requestId, endpoint, input, now }
    const { withdrawalNo } = await runIdempotent(tx, call, () => openWithdrawal(tx, deps, input, { memberId, now }))
    const [found] = await readWithdrawals(tx, { memberId, withdrawalNo, limit: 1 }, deps.confirmations)
    return { withdrawal: must(found, `withdrawal ${withdrawalNo} of a request id exists`).withdrawal }
  })
}

async function openWithdrawal(
  tx: Tx,
  deps: ApplyDeps,
  { asset, amount, fee: shownFee }: ApplyInput,
  { memberId, now }: Caller,
): Promise<{ withdrawalNo: string }> {
  // One after the other per member, so that two calls at once cannot pass a limit that one alone would reach.
  const member = await tx
    .selectFrom('member')
    .select('address')
    .where('id', '=', memberId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if ((await readPauseReason(tx, now)) !== null) throw new AppError(codes.withdrawalsPaused)
  const settings = await readSettings(tx)
  await refuseTooMany(tx, memberId, settings.openWithdrawals)
  const { fee, minimum } = tariffOf(settings, asset)
  if (amount < minimum) throw new AppError(codes.belowMinimum, { minimum: fromBaseUnits(minimum) })
  if (shownFee !== undefined && shownFee !== fromBaseUnits(fee))
    throw new AppError(codes.feeChanged, { fee: `${fromBaseUnits(fee)} ${asset}` })
  const cap = await readCap(tx, asset)
  // It would wait for ever: the contract never pays that much at once.
  if (cap !== null && amount - fee > cap)
    throw new AppError(codes.aboveLimit, { limit: `${fromBaseUnits(cap + fee)} ${asset}` })
  const { worth, isPaused } = await withinLimits(tx, { memberId, asset, amount, now })
  const evidence = await readEvidence(tx, { memberId, address: member.address }, now)
  const cause = causeWhenAsked(evidence, isPaused)
  const unseen = await readUnseen(tx, memberId, now)
  const approvals = approvalsFor(worth, { isReviewed: cause !== null, unseen }, limitsOf(settings))
  const terms = {
    withdrawalNo: deps.ids.orderNumber(),
    payoutId: `0x${deps.ids.uuid().replaceAll('-', '')}${'0'.repeat(32)}`,
    memberId,
    asset,
    amount,
    fee,
    to: member.address,
  }
  const reason = approvals === 0 ? null : (cause ?? 'overLimit')
  const old = await readOldMoney(tx, memberId, now)
  const freshAmount = freshPart(amount - fee, { worth, old })
  await insertWithdrawal(tx, terms, { worth, approvals, reason, freshAmount }, now)
  return { withdrawalNo: terms.withdrawalNo }
}

/** @throws AppError 4213 when the member has as many under way as it may */
async function refuseTooMany(tx: Tx, memberId: bigint, limit: number): Promise<void> {
  const open = await tx
    .selectFrom('withdrawal')
    .select('id')
    .where('member_id', '=', memberId)
    .where('state', 'in', ['review', 'queued', 'sending'])
    .limit(limit)
    .execute()
  if (open.length >= limit) throw new AppError(codes.tooManyWithdrawals, { limit: String(limit) })
}

const CENT = WHOLE_UNIT / 100n

/** "2026-03-01 12:00". */
const toMinute = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ')

type Wanted = { memberId: bigint; asset: ApplyInput['asset']; amount: bigint; now: Date }

/**
 * Returns what it counts as, and whether by a price that is paused: a person looks at those.
 * @throws AppError 4203 above what the day or the month leaves, 4215 when that is nothing, 5031 when nobody knows what it is worth
 */
async function withinLimits(
  tx: Tx,
  { memberId, asset, amount, now }: Wanted,
): Promise<{ worth: bigint; isPaused: boolean }> {
  const price = await readLimitPrice(tx, asset, now)
  if (price === null) throw new AppError(codes.pricePaused, { asset })
  const worth = worthAt(amount, price.price)
  const allowances = await readAllowances(tx, memberId, now)
  const ends = periodEndsOf(now)
  for (const name of ['day', 'month'] as const) {
    const allowance = allowances[name]
    const left = leftOf(allowance)
    if (worth <= left) continue
    // No cent is left: what limits is the time.
    if (left < CENT) throw new AppError(codes.allowanceUsed, { at: `${toMinute(ends[name])} UTC` })
    throw new AppError(codes.aboveLimit, { limit: `${fromBaseUnits(left - (left % CENT))} USDT` })
  }
  return { worth, isPaused: price.isPaused }
}
