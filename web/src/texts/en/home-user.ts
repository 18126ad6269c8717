import type { texts as tw } from '../tw/home-user.ts'

export const texts: Record<keyof typeof tw, string> = {
  'home.level': 'Member level {level}',
  'home.uid': 'UID {uid}',
  'home.toNext': '{units} {unit} more to {level}',
  'home.topLevel': 'Highest level',
  'home.levelFrom':
    'Your active power sets the level: 10, 100, 500, 1,000 and 5,000 begin V1 to V5, with 5% to 25% off the exchange fee.',
  'home.balance': 'Account balance',
  'home.balanceNote': 'In USDT at 30-minute average prices',
  'home.balanceFrom':
    'What your account here holds of each asset, free and held, valued at the 30-minute time-weighted price of its pair. Assets in your wallet are not part of it.',
  'home.noPrice': 'A price is paused, so no total for now',
  'home.held': '{amount} held',
  'home.power': 'Active power',
  'home.powerFrom':
    'Your power that has started and not ended. Every change belongs to an order and its payment on chain.',
  'home.order.pending': 'An order is waiting for payment',
  'home.order.confirming': 'Payment confirming, {done} of {needed}',
  'home.assets': 'Assets and credit',
  'home.credit': 'Credit limit',
  'home.loan': 'Loan amount',
  'home.fund': 'In the fund',
  'home.mortgage': 'Mortgage rate',
  'home.mortgageRate': 'Current rate (LTV)',
  'home.safetyLine': 'Safety line',
  'home.clearingLine': 'Clearing line',
  'home.repayment': 'Next repayment',
  'home.repayAmount': 'Amount',
  'home.dueDate': 'Due date',
  'home.everything': 'Everything',
  'home.creditFrom':
    'What you could borrow more if you pledged what you have available: for each asset the best rate of an open project, limited by what projects and fund have left.',
  'home.loanFrom': 'Principal, interest and late charges of all open loans, up to today.',
  'home.fundFrom': 'Your shares of the fund at today’s share price.',
  'home.repayAmountFrom': 'What is due next, with its fee and late charges.',
  'home.noLoan': 'You have no loan, so there is no mortgage rate.',
  'home.noRepayment': 'Nothing to repay.',
  'home.openLoan': 'Open this loan',
  'home.nearestLoan': 'Open the nearest of {count} loans',
  'home.toRepay': 'Repay',
  'home.toProjects': 'See loan projects',
}
