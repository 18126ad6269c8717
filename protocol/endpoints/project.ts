import { collateralAssets } from '../lending/choices.ts'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { amountData, localizedText, numberField, timeData } from '../fields.ts'

/** Rates and lines as fractions: "0.5" is 50 %. Rates are of a year. */
export const linesData = {
  initialRate: amountData,
  safetyLine: amountData,
  clearingLine: amountData,
}

/** Terms that every new loan is made with, besides its own rate and lines. */
export const chargesData = z.object({
  /** A day, of the overdue amount, after the days of grace, from the due date. */
  lateRate: amountData,
  graceDays: z.int().nonnegative(),
  defaultDays: z.int().positive(),
  liquidationFee: amountData,
  /** A smaller debt is liquidated as a whole. USDT. */
  fullBelow: amountData,
  /** The fee of each installment. USDT. */
  installmentFee: amountData,
})

const projectData = z.object({
  projectNo: z.string(),
  name: localizedText,
  information: localizedText,
  /** Where browsers load its picture from. */
  picture: z.url().nullable(),
  collateralAsset: z.enum(collateralAssets),
  /** In USDT, as are all amounts here: what the project lends in all, and what is lent now. */
  total: amountData,
  borrowed: amountData,
  /** The amount that can be borrowed now: of the project, of the fund's idle money, and below the ceiling of the collateral. */
  available: amountData,
  /** Bounds of all loans on the collateral, of every project and leveraged. */
  ceiling: z.object({
    /** The pair held at least as much USDT in nine tenths of the last week; null while it is not observed. */
    depth: amountData.nullable(),
    observedSince: timeData.nullable(),
    /** The most that may be owed by all, and by one member. Zero while the pair is too young. */
    all: amountData,
    member: amountData,
    /** The debt now, without interest. */
    owed: amountData,
  }),
  rate: amountData,
  ...linesData,
  minLoan: amountData,
  termDays: z.array(z.int().positive()),
  /** Interest that its loans were charged so far. */
  interestEarned: amountData,
  charges: chargesData,
  open: z.boolean(),
  createdAt: timeData,
})

export type ProjectItem = z.output<typeof projectData>

export const projectEndpoints = {
  'GET project/list': endpoint({
    summary: 'Loan products that are open, with what each has lent and can lend.',
    auth: 'session',
    input: z.object({}),
    data: z.object({ items: z.array(projectData) }),
    errors: [],
  }),
  'GET project/detail': endpoint({
    summary: 'One loan product, also when it is closed.',
    auth: 'session',
    input: z.object({ projectNo: numberField }),
    data: z.object({ project: projectData }),
    errors: ['notFound'],
  }),
}
