import type { texts as tw } from '../tw/payment.ts'

export const texts: Record<keyof typeof tw, string> = {
  'pay.takingBack': 'This token first wants the old allowance set to 0. Confirm twice in your wallet',
  'pay.tokenRefuses': 'The token’s contract refuses to change this allowance. Nothing has changed.',
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
  'pay.failed': 'Payment failed',
  'pay.refused': 'You declined it in your wallet. Nothing was paid',
  'pay.approvalRefused': 'You declined the approval in your wallet. Nothing was paid',
  'pay.noGas': 'Your wallet has too little JU for the amount and the network fee. Nothing was paid. Add some JU first.',
  'pay.wouldRevert': 'The contract would refuse this payment right now, so it was not sent. Please try again later.',
  'pay.reverted': 'Payment failed: the chain refused the transaction. Only the network fee was spent.',
  'pay.busy': 'A request is waiting in your wallet: open it.',
  'pay.silent': 'Your wallet does not answer. Open and unlock it, then try again.',
  'pay.noRelay':
    'This network lets nothing through to wallets on other devices. Try another network, or open this page in your wallet’s browser.',
  'pay.noWallet': 'There is no wallet in this browser. Open or install the one you signed in with.',
  'pay.walletFailed': 'The wallet did not finish. Please try again',
  'pay.waitingForWallet': 'Waiting for your wallet. Open and unlock it',
  'pay.stopWaiting': 'Stop waiting',
  'pay.givenUp':
    'No longer waiting. The request may still be open in your wallet: confirmed there, it is still paid. If you pay twice, the second payment goes to your account balance.',
  'pay.givenUpApproval':
    'No longer waiting. The approval may still be open in your wallet: confirmed there, it approves and pays nothing.',
  'pay.oldPrompt':
    'An earlier request may still be open in your wallet. If you confirm both, the second payment goes to your account balance.',
  'pay.otherAccount':
    'Your wallet is not on {address}, the account signed in, or is locked. Switch to that account in your wallet.',
  'pay.unknown':
    'Your wallet reported an error after it was asked, so it is not known yet whether this was paid. If it was, that shows here by itself. Look into your wallet before you pay again.',
  'pay.unknownGone':
    'Your wallet has stopped or was updated while it was asked. Reload this page. It is not known yet whether this was paid: if it was, that shows here by itself.',
  'pay.leftChain':
    'Your wallet went to another network while it was asked. What it may have sent there does not count here. Look into your wallet before you pay again.',
  'pay.noToken': 'Your wallet has less of this token than the amount. Nothing was paid.',
  'pay.noAllowance':
    'The contract may take less of this token than the amount. Nothing was paid. Tap pay again to approve more.',
  'pay.noAccount': 'Your wallet opens no account to this page. Unlock it, or add an account in it, then try again.',
  'pay.walletGone': 'Your wallet has stopped or was updated since this page was opened. Reload the page.',
  'pay.reload': 'Reload',
  'pay.altered':
    'The service named another network, contract or amount than this page shows, so your wallet was not asked. Reload the page. If it says so again, tell support.',
  'pay.approvalUnknown':
    'It is not known yet whether the approval went through. Nothing was paid. Look into your wallet, then tap pay again: what is approved by then counts.',
  'pay.approvedLess':
    'Less was approved than this payment takes. Nothing was paid. Tap pay again and leave the amount in your wallet as it is.',
  'pay.walletSays': 'The wallet says: {said}',
  'pay.alreadyPaid': 'This is paid already, or its time to pay is over. Nothing was sent.',
  'pay.payAnyway': 'Pay all the same',
  'pay.doubt.sentSince':
    'Your account has sent a transaction since your wallet was asked for this payment. It may be this one. If you pay twice, the second payment goes to your account balance.',
  'pay.doubt.waiting':
    'Your account has a transaction that is not in a block yet. It may be this payment. If you pay twice, the second payment goes to your account balance.',
  'pay.doubt.open':
    'Your wallet was asked for this payment before, and the request may still be open there. If you confirm both, the second payment goes to your account balance.',
  'pay.stillChecking.order': 'Still checking the payment. Your order updates by itself',
  'pay.stillChecking.deposit': 'Still checking the payment. Your deposit updates by itself',
  'pay.stillChecking.repayment': 'Still checking the payment. Your loan updates by itself',
}
