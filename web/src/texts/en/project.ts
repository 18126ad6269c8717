import type { texts as tw } from '../tw/project.ts'

export const texts: Record<keyof typeof tw, string> = {
  'project.popular': 'Popular projects',
  'project.none': 'No project is open right now',
  'project.noneText': 'New loan projects are listed here with their terms as they open.',
  'project.progress': '{borrowed} of {total} USDT lent',
  'project.borrowedOf': '{amount} USDT borrowed',
  'project.totalOf': 'of {amount} USDT',
  'project.available': 'Can be borrowed',
  'project.availableFrom':
    'The least of what the project has left, what the fund has idle, and what the limit of the collateral leaves.',
  'project.collateral': 'Collateral',
  'project.interest': 'Interest so far',
  'project.interestFrom':
    'What all loans of this project were charged so far. It goes to the shares of the fund and to the reserve.',
  'project.all': 'All projects',
  'project.rate': 'Annual interest rate',
  'project.rateFrom':
    'Simple interest on 365 days, charged by the day: one day at once, and one more at each UTC midnight.',
  'project.terms': 'All terms',
  'project.limits': 'Limits',
  'project.limitsText':
    'All loans on {asset} together are limited by how much USDT its trading pair can take if the collateral has to be sold.',
  'project.depth': 'Depth of the pair',
  'project.depthNote': 'USDT it held in nine tenths of the last 7 days. Observed since {time}',
  'project.ceilingAll': 'Limit of all loans on {asset}',
  'project.ceilingOwed': 'Of it borrowed',
  'project.ceilingMember': 'Limit of one member',
  'project.closed': 'This project is closed',
  'project.closedText': 'It lends no more. Loans that exist are not affected.',
  'project.amount': 'Loan amount',
  'project.amountHint': 'At least {amount} USDT, paid to your balance',
  'project.tooSmall': 'The smallest loan is {amount} USDT',
  'project.days': 'Term',
  'project.pledge': 'Collateral to lock',
  'project.pledgeHint': 'Enter a loan amount to see the least collateral',
  'project.needed': 'At least {amount} {asset}. More of it lowers the liquidation price',
  'project.short': 'This needs {amount} {asset}, more than you have available',
  'project.next': 'Review the loan',
  'project.cost': 'Interest over the term',
  'project.costFrom':
    'Interest of a day × days. A day costs amount × annual rate ÷ 365. Repaid early, it costs only the days until then.',
  'project.perDay': 'Interest of a day',
  'project.perDayNote': '{amount} USDT a day',
  'project.repayment': 'To repay at the end',
  'project.repaymentFrom':
    'Amount and interest over the term, due by the end of that day (UTC). You can repay earlier at no cost.',
  'project.review': 'Review the loan',
  'project.sentence':
    'You get {amount} USDT now and repay {repayment} USDT by {day}, {interest} USDT of it interest. Repay earlier and you pay only the days until then.',
  'project.youGet': 'To your balance',
  'project.locked': 'Locked as collateral',
  'project.endOn': 'To repay by {day}',
  'project.reviewNote':
    'Once repaid, all collateral is yours again. You are reminded seven days before the end. If the price falls to the liquidation price, collateral is sold to repay, for a fee of {fee} of what is repaid.',
  'project.confirm': 'Borrow now',
  'project.done': '{amount} USDT borrowed',
}
