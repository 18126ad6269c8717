import { z } from 'zod'
import { assetCodes } from './money/assets.ts'
import { withdrawalReasons } from './endpoints/withdraw.ts'
import { amountData, dayData, hashData } from './fields.ts'

const money = { asset: z.enum(assetCodes), amount: amountData }

/**
 * Every kind of notice, with the values that its text contains. Add a kind here: without its texts in all three languages
 * nothing compiles then.
 */
export const noticeParams = {
  /** Money from the chain was credited to the balance. */
  deposit: z.object({ ...money, txHash: hashData }),
  /** Money from the chain that matched no order or deposit was credited to the balance. */
  unmatched: z.object({ ...money, txHash: hashData }),
  transferReceived: z.object({ ...money, transferNo: z.string(), fromUid: z.string() }),
  /** A day's income of one asset. */
  income: z.object({ ...money, day: dayData }),
  referral: z.object(money),
  /** `amount` is what was received. */
  withdrawalDone: z.object({ ...money, withdrawalNo: z.string(), txHash: hashData }),
  withdrawalRejected: z.object({
    ...money,
    withdrawalNo: z.string(),
    reason: z.enum(withdrawalReasons).nullable(),
    /** The operator's own words. */
    note: z.string().nullable(),
  }),
  /** `amount` is what was given back. */
  withdrawalFailed: z.object({
    ...money,
    withdrawalNo: z.string(),
    reason: z.enum(withdrawalReasons).nullable(),
    /** The fee that was kept; absent where everything was given back. */
    feeKept: amountData.optional(),
  }),
  orderActivated: z.object({ orderNo: z.string(), units: z.string(), startsOn: dayData, endsOn: dayData }),
  /** Paid too late: the money is on its sender's balance. */
  orderLate: z.object({ ...money, orderNo: z.string(), txHash: hashData }),
  /** Paid with another amount: the money is on its sender's balance. */
  orderMismatch: z.object({ ...money, orderNo: z.string(), txHash: hashData }),
  /** The units were sold to others before the payment was credited: the money is on its sender's balance. */
  orderSoldOut: z.object({ ...money, orderNo: z.string(), txHash: hashData }),
  powerExpired: z.object({ orderNo: z.string(), units: z.string() }),
  /** Seven days before `amount` is due. */
  loanReminder: z.object({ ...money, loanNo: z.string(), dueOn: dayData }),
  loanOverdue: z.object({ ...money, loanNo: z.string(), dueOn: dayData }),
  /** The safety line is reached. `price` is where the loan would be liquidated; above `safePrice` it is safe again. */
  marginCall: z.object({
    loanNo: z.string(),
    asset: z.enum(assetCodes),
    price: amountData,
    liquidationPrice: amountData,
    safePrice: amountData,
  }),
  /** `amount` of the collateral was sold and `repaid` USDT of the debt paid with it. */
  loanLiquidated: z.object({ ...money, loanNo: z.string(), liquidationNo: z.string(), repaid: amountData }),
  /** `amount` of the collateral is returned. */
  loanRepaid: z.object({ ...money, loanNo: z.string() }),
  /** The fund lost `amount`; shares of the member lost `loss` of it. */
  fundDeficit: z.object({ ...money, loss: amountData }),
  newDevice: z.object({ userAgent: z.string() }),
} as const satisfies Record<string, z.ZodObject>

export type NoticeKind = keyof typeof noticeParams
export type NoticeParams<K extends NoticeKind> = z.output<(typeof noticeParams)[K]>
/** A kind with its own values. */
export type NoticeContent = { [K in NoticeKind]: { kind: K; params: NoticeParams<K> } }[NoticeKind]
