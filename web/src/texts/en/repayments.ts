import type { texts as tw } from '../tw/repayments.ts'

export const texts: Record<keyof typeof tw, string> = {
  'repayments.of': 'Loan number',
  'repayments.noLoan': 'Open this from a loan',
  'repayments.toLoans': 'See loans',
  'repayments.none': 'Nothing here yet',
  'repayments.left': 'left',
  'repayments.part': 'Part',
  'repayments.part.principal': 'Principal',
  'repayments.part.interest': 'Interest',
  'repayments.part.charges': 'Late charges',
  'repayments.part.collateral': 'Collateral',
  'repayments.after': 'After it',
  'repayments.day': 'Interest of (UTC)',
  'repayments.at': 'Time',
  'repayments.transaction': 'Payment on chain',
  'repayments.debtText':
    'Above zero what is owed grew, below zero it was repaid. All lines of a part add up to what is owed of it now.',
  'repayments.collateralText':
    'Above zero it was locked, below zero returned or sold. All lines add up to the collateral there is now.',
  'repayments.kind.loan': 'Borrowed',
  'repayments.kind.interest': 'Interest charged',
  'repayments.kind.lateCharge': 'Late charge',
  'repayments.kind.repayment': 'Repaid',
  'repayments.kind.pledge': 'Collateral locked',
  'repayments.kind.pledgeReturn': 'Collateral returned',
  'repayments.kind.liquidation': 'Liquidated',
  'repayments.kind.leverOpen': 'Bought with leverage',
  'repayments.kind.leverClose': 'Sold on closing',
  'repayments.kind.deficit': 'Written off',
  'repayments.kind.interestCorrection': 'Interest corrected by block time',
  'repayments.kind.interestWaiver': 'Interest waived',
}
