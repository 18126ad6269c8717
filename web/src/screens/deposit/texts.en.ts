import type { texts as tw } from './texts.tw.ts'

export const texts: Record<keyof typeof tw, string> = {
  'deposit.lead':
    'From your wallet to your account balance. Only your wallet can send this, and what arrives on chain is what counts.',
  'deposit.asset': 'Asset',
  'deposit.amount': 'Amount',
  'deposit.inWallet': 'In your wallet',
  'deposit.gasNote': 'Keep a little JU for network fees.',
  'deposit.pay': 'Deposit',
  'deposit.records': 'Deposits',
  'deposit.empty': 'No deposits yet',
  'deposit.emptyText': 'Each step of a deposit shows here: sent, confirming, credited.',
  'deposit.state.announced': 'Not paid yet',
  'deposit.state.confirming': 'Confirming',
  'deposit.state.credited': 'Credited',
  'deposit.state.lapsed': 'Not paid',
  'deposit.announcedText': 'Not seen on chain so far. If you do not pay, nothing happens.',
  'deposit.lapsedText': 'Nothing came within a day. If you pay later, it is still credited.',
  'deposit.confirmingText': 'In a block. You can use it once it has enough confirmations; you may leave this page.',
  'deposit.unannounced': 'Sent straight to the contract',
  'deposit.amountFrom': 'What the transaction really moved into the contract, to the last unit.',
  'deposit.no': 'Deposit number',
  'deposit.seen': 'In a block at',
  'deposit.created': 'Started',
  'deposit.block': 'Block',
  'deposit.payer': 'Paid from',
}
