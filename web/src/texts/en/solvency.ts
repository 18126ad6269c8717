import type { texts as tw } from '../tw/solvency.ts'

export const texts: Record<keyof typeof tw, string> = {
  'solvency.none': 'Nothing compared yet',
  'solvency.noneText':
    'The service compares its books with the chain every minute. After the first time, what is held and owed of each asset is shown here.',
  'solvency.ratio': 'Solvency',
  'solvency.lowest': 'Solvency (lowest: {asset})',
  'solvency.ratioFrom':
    'What the contract holds on chain divided by what is owed to everybody, for each asset, rounded down. The lowest is shown.',
  'solvency.compared': 'Compared {age}',
  'solvency.covered': 'All that is owed is there, in every asset.',
  'solvency.short': 'The contract holds less than is owed: {missing} is missing.',
  'solvency.and': ' and ',
  'solvency.old':
    'The last comparison was {age}. That is too long ago to say anything about now. The figures return when reconciliation does.',
  'solvency.nothingOwed': 'Nothing owed',
  'solvency.held': 'Held on chain',
  'solvency.heldFrom': 'The balance of the payment contract at the compared block. Anybody can ask the chain for it.',
  'solvency.owed': 'Owed',
  'solvency.owedFrom':
    'All that the books owed at that moment. A borrower’s debt is taken from its USDT first, then from its collateral at the 30-minute average price. The platform’s own money does not count.',
  'solvency.owedMembers': 'To members',
  'solvency.owedUnassigned': 'Not credited yet',
  'solvency.over': 'More than owed',
  'solvency.overFrom': 'Held less owed: the platform’s own stock, reserve and revenue are in the same contract.',
  'solvency.missing': 'Missing',
  'solvency.missingFrom':
    'Owed less held. USDT that is lent is not in the contract; borrowers’ collateral secures it. What is missing beyond that is really missing.',
  'solvency.exact': 'In full: {amount}.',
  'solvency.history': 'The last seven days',
  'solvency.asset': 'Asset',
  'solvency.noHistory': 'There will be a picture here in an hour.',
  'solvency.pickHour': 'Choose a time',
  'solvency.axis': 'dashed line: 100%',
  'solvency.source': 'What was compared',
  'solvency.block': 'Block',
  'solvency.books': 'Books and chain',
  'solvency.agrees': 'Equal',
  'solvency.differs': 'Different',
  'solvency.booksFrom':
    'What the books say that the contract holds, against what it holds. While the two keep differing, withdrawals pause until the reason is known.',
  'solvency.contract': 'Payment contract',
}
