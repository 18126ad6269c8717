import type { texts as tw } from '../tw/wallet.ts'

export const texts: Record<keyof typeof tw, string> = {
  'wallet.choose': 'Choose a wallet',
  'wallet.chooseAgain': 'Choose the wallet that holds {address}. The one you used before is not in this browser.',
  'wallet.noneHere': 'This browser has no wallet. You can connect one from elsewhere.',
  'wallet.remote': 'Scan a QR code with the wallet on your phone',
  'wallet.remotePhone': 'Connect a wallet app of this phone',
  'wallet.elsewhere': 'In the browser of a wallet app',

  'wallet.notInstalled': 'Please install a wallet, such as MetaMask',
  'wallet.refusedConnect': 'You declined the connection in your wallet. You are not signed in',
  'wallet.refused': 'You declined the signature in your wallet. You are not signed in',
  'wallet.busy': 'A request is waiting in your wallet: open it',
  'wallet.silent': 'Your wallet does not answer. Open and unlock it, then try again',
  'wallet.noRelay':
    'This network lets nothing through to wallets on other devices. Try another network, or open this page in your wallet’s browser',
  'wallet.failed': 'The wallet did not finish. Please try again',
  'wallet.noAccount': 'Your wallet opens no account to this page. Unlock it, or add an account in it, then try again',
  'wallet.gone': 'Your wallet has stopped or was updated since this page was opened. Reload the page',
  'wallet.reload': 'Reload',
  'wallet.altered':
    'The service named another network, or another text to sign, than this app is made for, so your wallet was not asked. Reload the page; if it says so again, tell support',
  'wallet.says': 'The wallet says: {said}',
  'wallet.slow': 'No answer from your wallet yet. Open it: a request may be waiting there',
  'wallet.stopWaiting': 'Stop waiting',

  'elsewhere.title': 'Open in your wallet',
  'elsewhere.onPhone': 'Continue on your phone',
  'elsewhere.text': 'This browser has no wallet. Choose yours, and Candela opens in the browser inside it.',
  'elsewhere.onPhoneText':
    'This browser has no wallet. Scan this with your phone and open it in the browser of your wallet, or install a browser wallet such as MetaMask here.',
  'elsewhere.code': 'Your invitation code {code} comes along.',
  'elsewhere.copy': 'Copy the link',
  'elsewhere.qr': 'QR code of the link to this page',

  'pairing.title': 'Connect your wallet',
  'pairing.scan': 'Scan this code with the wallet on your phone, and agree to the connection there.',
  'pairing.open': 'Choose your wallet, agree to the connection there, then come back to this page.',
  'pairing.other': 'Another wallet app',
  'pairing.copy': 'Copy the connection code',
  'pairing.qr': 'QR code of the connection, for your wallet',

  'network.title': 'Network error: wrong network',
  'network.text':
    'This network is not supported. Switch your wallet to the one below to continue. This window closes by itself once it is there.',
  'network.name': 'Network',
  'network.chainId': 'Chain ID',
  'network.rpc': 'RPC URL',
  'network.recheck': 'Check again',
  'network.switch': 'Switch network',
  'network.asked': 'Confirm the switch in your wallet',
  'network.stillWrong': 'Your wallet is still on chain {chainId}.',
  'network.refused': 'You declined the switch in your wallet.',
  'network.busy': 'A request is waiting in your wallet: open it.',
  'network.silent': 'Your wallet does not answer. Open and unlock it, then check again.',
  'network.failed': 'The wallet could not switch. Please add this network by hand.',
}
