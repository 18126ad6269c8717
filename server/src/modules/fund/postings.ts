import type { FundState } from '@candela/protocol/fund/fund'
import { startOfDay } from '@candela/protocol/calendar'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { timeOfId, uuidFromName } from '../../kernel/ids.ts'
import { memberAccount, platformAccount } from '../../ledger/chart.ts'
import type { Leg, Posting, PostingOf } from '../../ledger/post.ts'

/** A move of a member into the fund or out of it. Amounts and shares in base units. */
export type FundMove = {
  memberId: bigint
  requestId: string
  amount: bigint
  shares: bigint
  /** The fund before it, and the interest that members who come in pay for. */
  fund: FundState
  pending: bigint
}

/**
 * Money becomes idle money of the fund, and the member gets shares for it. The equalisation is no asset of the fund until
 * the close: the share price is the same before and after.
 */
export const fundInPosting = (move: FundMove & { equalisation: bigint }, now: Date): Posting => ({
  ...common(move, now),
  kind: 'fund-in',
  legs: [
    {
      debit: memberAccount(move.memberId, 'memberAvailable', 'USDT'),
      credit: platformAccount('fundIdle', 'USDT'),
      amount: move.amount,
    },
    {
      debit: platformAccount('fundShares', 'SHARE'),
      credit: memberAccount(move.memberId, 'memberShares', 'SHARE'),
      amount: move.shares,
    },
    ...equalisationLegs(move.equalisation),
  ],
})

const equalisationLegs = (amount: bigint): Leg[] =>
  amount === 0n
    ? []
    : [{ debit: platformAccount('fundClaims', 'USDT'), credit: platformAccount('fundPending', 'USDT'), amount }]

/** The member gives shares back and gets idle money of the fund for them. */
export const fundOutPosting = (move: FundMove, now: Date): Posting => ({
  ...common(move, now),
  kind: 'fund-out',
  legs: [
    {
      debit: memberAccount(move.memberId, 'memberShares', 'SHARE'),
      credit: platformAccount('fundShares', 'SHARE'),
      amount: move.shares,
    },
    {
      debit: platformAccount('fundIdle', 'USDT'),
      credit: memberAccount(move.memberId, 'memberAvailable', 'USDT'),
      amount: move.amount,
    },
  ],
})

type Common = Pick<PostingOf<'fund-in'>, 'id' | 'memo' | 'occurredAt'>

const common = ({ memberId, requestId, amount, fund, pending }: FundMove, now: Date): Common => ({
  id: uuidFromName(`fund:${memberId}:${requestId}`, timeOfId(requestId)),
  memo: {
    amount: fromBaseUnits(amount),
    assets: fromBaseUnits(fund.assets),
    shares: fromBaseUnits(fund.shares),
    pending: fromBaseUnits(pending),
  },
  occurredAt: now,
})

/** Interest that was charged until the end of the day counts in the share price from its close on. */
export const earningsPosting = (day: string, amount: bigint, now: Date): Posting => ({
  id: uuidFromName(`fund:${day}:earnings`, startOfDay(day)),
  kind: 'fund-earnings',
  legs: [{ debit: platformAccount('fundPending', 'USDT'), credit: platformAccount('fundClaims', 'USDT'), amount }],
  memo: { day },
  occurredAt: now,
})

/** Interest that was charged and paid while nobody had shares becomes money of the reserve. The fund's assets stay the same. */
export const unownedPosting = (cause: string, day: string, amount: bigint, now: Date): Posting => ({
  id: uuidFromName(`fund:${cause}:unowned`),
  kind: 'fund-earnings',
  legs: [
    { debit: platformAccount('fundPending', 'USDT'), credit: platformAccount('fundClaims', 'USDT'), amount },
    { debit: platformAccount('fundIdle', 'USDT'), credit: platformAccount('reserve', 'USDT'), amount },
  ],
  memo: { day },
  occurredAt: now,
})

/** A debt that nothing is left to pay for. All parts belong to the loan; amounts are USDT base units. */
export type Deficit = {
  loanNo: string
  /** The parts of it that were owed to the fund and to the reserve. */
  fundPart: bigint
  reservePart: bigint
  /** The money of the reserve. */
  reserve: bigint
  /** The assets of the fund, without interest that is not counted in the price yet. */
  assets: bigint
}

type SharedDeficit = {
  reservePaid: bigint
  /** Lost by the fund in all. */
  fundLost: bigint
  /** The part of it that lowers the share price. The rest is interest that no price has counted. */
  fromAssets: bigint
}

/**
 * Divides a deficit into what the reserve pays and what the fund loses. A debt contains interest of the running day, which is no asset
 * yet: so it can be more than all assets of a fund that has lent nearly everything.
 */
export function shareDeficit({ fundPart, reserve, assets }: Deficit): SharedDeficit {
  const reservePaid = fundPart < reserve ? fundPart : reserve
  const fundLost = fundPart - reservePaid
  return { reservePaid, fundLost, fromAssets: fundLost < assets ? fundLost : assets }
}

/** The reserve pays first, in money; what is left lowers the share price. The account `deficit` is at zero after them. */
export function deficitPostings(deficit: Deficit, now: Date): Posting[] {
  const { loanNo, reservePart } = deficit
  const { reservePaid, fundLost, fromAssets } = shareDeficit(deficit)
  const claims = platformAccount('fundClaims', 'USDT')
  const open = platformAccount('deficit', 'USDT')
  const byReserve: Posting = {
    id: uuidFromName(`loan:${loanNo}:deficit-reserve`, timeOfId(loanNo)),
    kind: 'deficit-reserve',
    legs: [
      { debit: platformAccount('reserve', 'USDT'), credit: platformAccount('fundIdle', 'USDT'), amount: reservePaid },
      { debit: claims, credit: open, amount: reservePaid },
    ],
    memo: { loanNo },
    occurredAt: now,
  }
  const lost = [
    { debit: claims, credit: open, amount: fromAssets },
    { debit: platformAccount('fundPending', 'USDT'), credit: open, amount: fundLost - fromAssets },
    { debit: platformAccount('reserveClaims', 'USDT'), credit: open, amount: reservePart },
  ].filter(({ amount }) => amount > 0n)
  const byFund: Posting = {
    id: uuidFromName(`loan:${loanNo}:deficit-fund`, timeOfId(loanNo)),
    kind: 'deficit-fund',
    legs: lost,
    memo: { loanNo },
    occurredAt: now,
  }
  return [...(reservePaid > 0n ? [byReserve] : []), ...(lost.length > 0 ? [byFund] : [])]
}
