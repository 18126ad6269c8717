import type { texts as tw } from '../tw/sign-in-help.ts'

export const texts: Record<keyof typeof tw, string> = {
  'visit.needWallet': 'Open this page in your wallet’s own browser, or install a browser wallet such as MetaMask.',
  'visit.refused':
    'You declined the signature, so you are not signed in. Nothing was moved. Try again whenever you like.',
  'visit.failed': 'The sign-in did not finish. Nothing of yours was touched; please try again.',
  'visit.refusedConnect':
    'You declined the connection, so we do not know your address and you are not signed in. Try again whenever you like.',
  'visit.walletBusy': 'A request is waiting in your wallet. Open it and answer there, then come back.',
  'visit.silent': 'Your wallet does not answer. Open and unlock it, then try again. Nothing of yours was touched.',
  'visit.slow': 'No answer from your wallet yet. Open it to see whether a request waits there, or try again.',
}
