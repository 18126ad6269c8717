import type { texts as tw } from '../tw/repayments.ts'

export const texts: Record<keyof typeof tw, string> = {
  'repayments.of': 'Loan number',
  'repayments.noLoan': 'Open this from a loan',
  'repayments.toLoans': 'See loans',
  'repayments.none': 'Nothing here yet',
  'repayments.left': 'left',
  'repayments.part': 'Part',
  'repayments.after': 'After it',
  'repayments.day': 'Interest of (UTC)',
  'repayments.booked': 'Booked',
  'repayments.valueDate': 'Value date (its block)',
  'repayments.transaction': 'Payment on chain',
  'repayments.debtText':
    'Above zero what is owed grew, below zero it was repaid. All lines of a part add up to what is owed of it now.',
  'repayments.collateralText':
    'Above zero it was locked, below zero returned or sold. All lines add up to the collateral there is now.',
}
