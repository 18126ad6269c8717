import type { texts as tw } from './texts.tw.ts'

export const texts: Record<keyof typeof tw, string> = {
  'pay.approve': 'Confirm the approval in your wallet',
  'pay.approveOnChain': 'Approval sent, waiting for the chain',
  'pay.approveStillChecking': 'Still checking the approval. Once it is in, tap pay again',
  'pay.approvalFailed': 'The approval did not go through. Please try again',
  'pay.cancelled': 'You cancelled this in your wallet. Nothing was paid',
  'pay.onItsWay': 'Your wallet has sent it. Waiting for it to show on chain.',
  'pay.unreserved':
    'These units are not set aside for you. If others pay for them first, all of your payment goes to your account balance.',
  'pay.confirmations': '{done} of {needed} confirmations',
  'pay.transaction': 'Payment transaction',
  'pay.asset': 'Pay with',
  'allow.title': 'Approval',
  'allow.exact': 'Approve this amount',
  'allow.exactText': 'Used up by this payment. The next one asks again.',
  'allow.max': 'Approve the maximum once',
  'allow.maxText': 'Later {asset} payments need no approval. Revoke it at any time.',
  'allow.enough': 'What you approved before covers this payment.',
  'allow.standing': 'The contract may take',
  'allow.standingFrom':
    'Read from the token contract’s allowance. The payment contract can use it only inside a transaction that you send yourself; the operator cannot use it for you. Revoking sets it to 0.',
  'allow.unlimited': 'No limit',
  'allow.revoke': 'Revoke',

  'pay.confirming': 'Confirm the payment in your wallet',
  'pay.onChain': 'Payment sent. Waiting for the chain',
  'pay.otherAccount': 'Your wallet is on a different account from the one signed in',
  'pay.failed': 'Payment failed',
  'pay.stillChecking': 'Still checking the payment. Your order updates by itself',
}
