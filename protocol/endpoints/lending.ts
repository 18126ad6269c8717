import { z } from 'zod'
import type { installmentCounts } from '../lending/schedule.ts'
import { endpoint } from '../endpoint.ts'
import {
  amountData,
  amountField,
  dayData,
  hashData,
  localizedText,
  numberField,
  pageFields,
  pageOf,
  requestIdErrors,
  requestIdField,
  signedAmountData,
  timeData,
} from '../fields.ts'
import type { PostingKind } from '../posting-kinds.ts'
import { rechargeTransaction } from './payment.ts'
import { chargesData, linesData } from './project.ts'
import { collateralAssets, loanTerms } from '../lending/choices.ts'

export const loanStates = [
  'active',
  'installment',
  'overdue',
  'liquidating',
  'repaid',
  'liquidated',
  'written-off',
] as const

export const safetyStatuses = ['safe', 'warning', 'liquidating'] as const

/** A price of a collateral with those that it was chosen from. USDT per whole unit. */
export const collateralPriceData = z.object({
  asset: z.enum(collateralAssets),
  used: amountData,
  spot: amountData,
  /** Over 30 minutes for new debt; when a line is watched the median of 5 minutes, which is used then. */
  average: amountData,
  /** Null where it does not count. */
  dayAverage: amountData.nullable(),
  weekAverage: amountData.nullable(),
  pair: z.string(),
  blockNumber: z.int(),
  observedAt: timeData,
})

/** Figures of a loan's safety. Null prices and rates: the price is unknown or too old, or there is no collateral. */
export const safetyData = z.object({
  /** Debt ÷ collateral value, as a fraction, rounded up to millionths. */
  mortgageRate: amountData.nullable(),
  status: z.enum(safetyStatuses).nullable(),
  price: collateralPriceData.nullable(),
  /** At this price and below it the safety line, or the clearing line, is reached. */
  safetyPrice: amountData.nullable(),
  liquidationPrice: amountData.nullable(),
})

const dueData = z.object({
  number: z.int().positive(),
  dueOn: dayData,
  /** Without the fee; null for all that is left then. */
  amount: amountData.nullable(),
  paid: amountData,
  fee: amountData,
  feePaid: amountData,
  overdue: z.boolean(),
})

const loanData = z.object({
  loanNo: z.string(),
  kind: z.enum(['project', 'lever']),
  projectNo: z.string().nullable(),
  projectName: localizedText.nullable(),
  state: z.enum(loanStates),
  /** Principal, USDT. */
  lent: amountData,
  collateralAsset: z.enum(collateralAssets),
  collateral: amountData,
  rate: amountData,
  ...linesData,
  /** Owed now, with interest of today. */
  principal: amountData,
  interest: amountData,
  charges: amountData,
  /** The amount that ends the loan today: the three above and handling fees that have come due. */
  payoff: amountData,
  /** Parts of `lent`: paid by the borrower or by sales, and lost because nothing was left to pay for it. With `principal` they sum to it. */
  principalRepaid: amountData,
  principalWrittenOff: amountData,
  openedOn: dayData,
  dueOn: dayData,
  /** Null without installments. */
  installments: z.object({ count: z.int().positive(), paid: z.int().nonnegative(), payment: amountData }).nullable(),
  /** The amount to be paid next, with its fee and late charges; null when nothing is owed. */
  next: z.object({ number: z.int().positive(), dueOn: dayData, amount: amountData }).nullable(),
  safety: safetyData,
  /** The position of a leveraged loan. */
  lever: z.object({ margin: amountData, ratio: amountData, bought: amountData, buyPrice: amountData }).nullable(),
  createdAt: timeData,
  closedAt: timeData.nullable(),
})

export type LoanItem = z.output<typeof loanData>

/** Kinds of posting that change an account of a loan. */
export const loanEntryKinds = [
  'loan',
  'repayment',
  'pledge',
  'pledge-return',
  'lever-open',
  'lever-close',
  'interest',
  'late-charge',
  'interest-correction',
  'interest-waiver',
  'liquidation',
  'deficit',
] as const satisfies readonly PostingKind[]

export type LoanEntryKind = (typeof loanEntryKinds)[number]

/** One change of one part of a loan. All lines of a part sum to what is owed, or to the collateral. */
const loanEntryData = z.object({
  id: z.string(),
  kind: z.enum(loanEntryKinds),
  /** The kind and the part in LANG, for people. */
  label: z.string(),
  part: z.enum(['principal', 'interest', 'charges', 'collateral']),
  /** The debt grows by a positive amount; the same for collateral. */
  amount: signedAmountData,
  /** After this line. */
  balance: amountData,
  /** The day of interest and late charges; of a correction the day of the block. */
  day: dayData.nullable(),
  txHash: hashData.nullable(),
  /** When it was recorded: this orders lines and carries `balance`. */
  bookedAt: timeData,
  /** When it happened: the time of its block for a payment on chain. The value date. */
  at: timeData,
})

/** A liquidation with every figure that `planLiquidation` computes it from, as they were before it. */
const liquidationData = z.object({
  liquidationNo: z.string(),
  loanNo: z.string(),
  reason: z.enum(['line', 'default', 'term']),
  full: z.boolean(),
  collateralAsset: z.enum(collateralAssets),
  /** Before. */
  principal: amountData,
  interest: amountData,
  charges: amountData,
  collateral: amountData,
  mortgageRate: amountData.nullable(),
  clearingLine: amountData,
  /** The median of 5 minutes, and `salePriceOf`. Where `median5` is null: higher of spot and 5-minute average, lower of spot and 30-minute average. */
  watchPrice: amountData,
  salePrice: amountData,
  spot: amountData,
  average5: amountData,
  median5: amountData.nullable(),
  average30: amountData,
  averageDay: amountData.nullable(),
  pair: z.string(),
  blockNumber: z.int(),
  observedAt: timeData,
  /**
   * Blocks of the observations with which the windows begin; all of them end with that of `blockNumber`. An average is the difference of
   * the pair's cumulative prices after the two blocks ÷ the seconds between them. Null in older reports and where there was no observation.
   */
  windowBlocks: z.object({ minutes5: z.int(), minutes30: z.int(), day: z.int() }).nullable(),
  /** The amount that the desk could pay in this look: its stock, at most what the pair bears. */
  deskUsdt: amountData,
  /** Result. */
  sold: amountData,
  proceeds: amountData,
  repaid: amountData,
  feeRate: amountData,
  fee: amountData,
  returned: amountData,
  shortfall: amountData,
  /** Parts of the shortfall: paid by the reserve, and lost by the fund. */
  reservePaid: amountData,
  fundLost: amountData,
  incomplete: z.boolean(),
  at: timeData,
})

const scheduleData = z.array(
  z.object({
    number: z.int().positive(),
    dueOn: dayData,
    payment: amountData,
    interest: amountData,
    principal: amountData,
    fee: amountData,
    left: amountData,
  }),
)

const loanNo = numberField
const loanAnswer = z.object({ loan: loanData })
const countField = z.enum(['3', '6', '9', '12'] satisfies `${(typeof installmentCounts)[number]}`[]).transform(Number)
const termField = z.enum(loanTerms).transform(Number)

export const lendingEndpoints = {
  'GET lending/orders': endpoint({
    summary: 'Loans of the caller, leveraged ones included, newest first.',
    auth: 'session',
    input: z.object({ open: z.enum(['0', '1']).optional(), ...pageFields }),
    data: pageOf(loanData),
    errors: [],
  }),
  'GET lending/detail': endpoint({
    summary: 'One loan with its due amounts, its terms and its liquidations.',
    auth: 'session',
    input: z.object({ loanNo }),
    data: z.object({
      loan: loanData,
      terms: chargesData,
      dues: z.array(dueData),
      liquidations: z.array(liquidationData),
      /** Collateral that may be released now; null while the price is paused. */
      releasable: amountData.nullable(),
    }),
    errors: ['notFound'],
  }),
  'GET lending/entries': endpoint({
    summary: 'Every change of what a loan owes and of its collateral, newest first.',
    auth: 'session',
    input: z.object({ loanNo, ...pageFields }),
    data: pageOf(loanEntryData),
    errors: ['notFound'],
  }),
  'GET lending/quote': endpoint({
    summary: 'What a loan of a project would cost and where it would be liquidated, before it is made.',
    auth: 'session',
    input: z.object({
      projectNo: numberField,
      amount: amountField,
      collateral: amountField.optional(),
      days: termField,
    }),
    data: z.object({
      amount: amountData,
      /** The least collateral for this amount, and what the figures below are computed with. */
      collateralNeeded: amountData,
      collateral: amountData,
      collateralAvailable: amountData,
      price: collateralPriceData,
      rate: amountData,
      interestPerDay: amountData,
      interest: amountData,
      /** Amount and interest, at the end of the term. */
      repayment: amountData,
      dueOn: dayData,
      mortgageRate: amountData,
      safetyPrice: amountData,
      liquidationPrice: amountData,
      /** How far the price may fall until liquidation, as a fraction. */
      fall: amountData,
    }),
    errors: ['notFound', 'belowMinimum', 'overCreditLimit', 'fundShort', 'projectClosed', 'pricePaused'],
  }),
  'POST lending/borrow': endpoint({
    summary: 'Locks collateral and lends USDT on it to the caller’s balance (idempotent by requestId).',
    auth: 'session',
    input: z.object({
      projectNo: numberField,
      amount: amountField,
      collateral: amountField,
      days: termField,
      requestId: requestIdField,
    }),
    data: loanAnswer,
    errors: [
      'notFound',
      'notEnoughBalance',
      'belowMinimum',
      'aboveLimit',
      'overCreditLimit',
      'fundShort',
      'projectClosed',
      ...requestIdErrors,
      'pricePaused',
    ],
  }),
  'GET lending/payoff': endpoint({
    summary:
      'What ends a loan today, what its next installment takes, and until when a payment, or the block that has it, must come.',
    auth: 'session',
    input: z.object({ loanNo }),
    data: z.object({
      loanNo: z.string(),
      payoff: amountData,
      next: amountData,
      principal: amountData,
      interest: amountData,
      charges: amountData,
      fees: amountData,
      /** Interest of another day. */
      perDay: amountData,
      /** The amount that ends it on the day after. */
      payoffNextDay: amountData,
      available: amountData,
      expiresAt: timeData,
    }),
    errors: ['notFound', 'loanState'],
  }),
  'GET lending/transaction': endpoint({
    summary: 'What the wallet has to send to pay a loan on chain: `recharge("repay", …)` with its number.',
    auth: 'session',
    input: z.object({ loanNo, amount: amountField }),
    data: z.object({ transaction: rechargeTransaction }),
    errors: ['notFound', 'loanState'],
  }),
  'POST lending/repay': endpoint({
    summary: 'Pays a loan from the balance: the next installment, everything, or an amount (idempotent by requestId).',
    auth: 'session',
    input: z.object({
      loanNo,
      mode: z.enum(['next', 'full', 'amount']),
      /** With `amount` what is paid. Else it may be left out; where it is given and `maxAmount` is not, it was shown: when it is more by now, 4204 and nothing is paid. */
      amount: amountField.optional(),
      /** With `next` and `full` the most that may be paid: when it is more by now, 4210 and nothing is paid. */
      maxAmount: amountField.optional(),
      requestId: requestIdField,
    }),
    data: z.object({
      loan: loanData,
      paid: amountData,
      parts: z.object({ charges: amountData, fees: amountData, interest: amountData, principal: amountData }),
    }),
    errors: [
      'belowMinimum',
      'dailyLimit',
      'notFound',
      'notEnoughBalance',
      'priceMoved',
      'aboveMaxAmount',
      'loanState',
      ...requestIdErrors,
    ],
  }),
  'GET lending/schedule': endpoint({
    summary: 'The whole schedule of turning a loan into installments, before it is done.',
    auth: 'session',
    input: z.object({ loanNo, count: countField }),
    data: z.object({
      /** Figures that the schedule is computed from, with `scheduleOf`. */
      principal: amountData,
      interest: amountData,
      rate: amountData,
      from: dayData,
      interestThrough: dayData,
      installments: scheduleData,
      totalInterest: amountData,
      totalFees: amountData,
      total: amountData,
    }),
    errors: ['notFound', 'belowMinimum', 'loanState'],
  }),
  'POST lending/installment': endpoint({
    summary: 'Turns a loan into equal monthly installments (idempotent by requestId).',
    auth: 'session',
    input: z.object({ loanNo, count: countField, requestId: requestIdField }),
    data: loanAnswer,
    errors: ['notFound', 'belowMinimum', 'loanState', ...requestIdErrors],
  }),
  'POST lending/addCollateral': endpoint({
    summary: 'Locks more collateral for a loan (idempotent by requestId).',
    auth: 'session',
    input: z.object({ loanNo, amount: amountField, requestId: requestIdField }),
    data: loanAnswer,
    errors: ['dailyLimit', 'notFound', 'notEnoughBalance', 'loanState', ...requestIdErrors],
  }),
  'POST lending/releaseCollateral': endpoint({
    summary: 'Returns collateral that a loan does not need at its initial rate (idempotent by requestId).',
    auth: 'session',
    input: z.object({ loanNo, amount: amountField, requestId: requestIdField }),
    data: loanAnswer,
    errors: ['dailyLimit', 'notFound', 'overCreditLimit', 'loanState', ...requestIdErrors, 'pricePaused'],
  }),
}

export { loanData }
