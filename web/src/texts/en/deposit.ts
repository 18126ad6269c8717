import type { texts as tw } from '../tw/deposit.ts'

export const texts: Record<keyof typeof tw, string> = {
  'deposit.lead':
    'From your wallet to your account balance. Only your wallet can send this, and what arrives on chain is what counts.',
  'deposit.asset': 'Asset',
  'deposit.amount': 'Amount',
  'deposit.inWallet': 'In your wallet',
  'deposit.gasNote': 'Keep a little JU for network fees.',
  'deposit.way': 'How to deposit',
  'deposit.way.numbered': 'With a deposit number',
  'deposit.way.numberedText': 'The payment carries a deposit number, so each step can be matched.',
  'deposit.way.plain': 'Plain transfer',
  'deposit.way.plainText':
    'An ordinary JU transfer without data. It counts for the address that sends it, from any wallet app.',
  'deposit.contract': 'Contract address',
  'deposit.onlyFrom':
    'Send it only from your own address {address}. What comes from an exchange or another address cannot be recognised as yours.',
  'deposit.pay': 'Deposit',
  'deposit.records': 'Deposits',
  'deposit.empty': 'No deposits yet',
  'deposit.emptyText': 'Each step of a deposit shows here: sent, confirming, credited.',
  'deposit.state.announced': 'Not paid yet',
  'deposit.state.confirming': 'Confirming',
  'deposit.state.credited': 'Credited',
  'deposit.state.lapsed': 'Not paid',
  'deposit.announcedText': 'Not seen on chain so far. If you do not pay, nothing happens.',
  'deposit.payNow': 'Pay now',
  'deposit.lapsedText': 'Nothing came within a day. If you pay later, it is still credited.',
  'deposit.confirmingText': 'On chain. You can use it once it has enough confirmations; you may leave this page.',
  'deposit.unannounced': 'Sent straight to the contract',
  'deposit.amountFrom': 'What the transaction really moved into the contract, to the last unit.',
  'deposit.no': 'Deposit number',
  'deposit.seen': 'On chain at',
  'deposit.created': 'Started',
  'deposit.block': 'Block',
  'deposit.payer': 'Paid from',
}
