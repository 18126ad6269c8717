import type { texts as tw } from '../tw/income-list.ts'

export const texts: Record<keyof typeof tw, string> = {
  'income.all': 'All',
  'income.output': 'Output',
  'income.referral': 'Referral',
  'income.filter': 'Filter incomes',
  'income.chart': 'Output of each day',
  'income.ofDays': 'Output, last {days} days',
  'income.ofDaysFrom':
    'The output paid to you for each of these days (UTC), which are over, added up and not rounded. Slide over the picture for one day.',
  'income.ofDay': '{day} (UTC)',
  'income.notClosed': 'Not closed yet',
  'income.none': 'No income yet',
  'income.noneText': 'Power counts from the UTC day after you buy it. A day pays only when real revenue came in.',
  'income.noReferral': 'No referral rewards yet',
  'income.noReferralText': 'When somebody you invited buys power, you get 5% of it out of the platform’s own sales.',
  'income.referralFrom':
    'Somebody you invited bought power. You get 5% of what they paid, out of the platform’s own sales. There is one level only.',
  'income.at': 'Paid',
  'income.purchase': 'Purchase payment',
  'income.agrees': 'Recomputed on your device: agrees to the last unit',
  'income.differs': 'Recomputed, and it does not agree',
  'income.differsAmount':
    'The books say {booked}; recomputed it is {recomputed}. Keep a picture and tell the operator.',
  'income.differsDay':
    'The figures published for this day contradict each other. Keep a picture and tell the operator.',
  'income.formula': '(Revenue + carried over) × (1 − service fee) × your power ÷ total power, cut to the last unit.',
  'income.day': 'Output of (UTC)',
  'income.revenue': 'Revenue of the day',
  'income.deposit': 'Deposit on chain',
  'income.lateDeposit': 'Revenue of {day}, came late',
  'income.carriedIn': 'Carried over',
  'income.totalUnits': 'Total power',
  'income.part': '{rate} fee, share {share}',
  'income.result': 'Result',
  'income.wholeDay': 'The whole day',
  'income.paid': 'Paid to members',
  'income.accounts': 'Accounts: {count}',
  'income.fee': 'Service fees',
  'income.carriedOut': 'Left for the next day',
  'income.closedAt': 'Closed',
}
