import type { texts as tw } from './texts.tw.ts'

export const texts: Record<keyof typeof tw, string> = {
  'nav.label': 'Main sections',
  'nav.logo': 'Candela, home',

  'language.title': 'Language',
  'language.button': 'Choose language',

  'wallet.connect': 'Connect wallet',
  'wallet.choose': 'Choose a wallet',
  'wallet.account': 'Account {address}',
  'wallet.notInstalled': 'Please install a wallet, such as MetaMask',
  'wallet.refused': 'You declined in the wallet. You are not signed in',
  'wallet.wrongChain': 'Your wallet is on another network',
  'wallet.failed': 'The wallet did not finish. Please try again',
  'wallet.accountChanged': 'Wallet account changed. Reloading',

  'account.title': 'Your wallet',
  'account.address': 'Address',
  'account.wallet': 'Wallet',
  'account.walletUsdt': 'USDT in the wallet',
  'account.allowance': 'Allowance to the contract',
  'account.unread': 'Not read',
  'account.signIn': 'Sign in',
  'account.signOut': 'Sign out',

  'network.title': 'Network error',
  'network.text': 'This network is not supported. Switch your wallet to the one below to continue.',
  'network.name': 'Network',
  'network.chainId': 'Chain ID',
  'network.rpc': 'RPC URL',
  'network.recheck': 'Check again',
  'network.switch': 'Switch network',
  'network.stillWrong': 'Your wallet is still on chain {chainId}.',
  'network.switchRefused': 'You declined the switch in the wallet',
  'network.switchFailed': 'The wallet could not switch. Please add this network by hand',

  'invite.title': 'Invitation code',
  'invite.text': 'This address is new here. Its first sign-in needs an invitation code.',
  'invite.placeholder': 'Enter your invitation code',
  'invite.confirm': 'Confirm',

  'devices.title': 'Sign in here instead?',
  'devices.text': 'The other devices are signed out at once. You can sign in there again with the same wallet.',
  'devices.replace': 'Sign out the others',
  'state.offlineNotice': 'Offline. Figures may not be the latest',
  'notice.bell': 'Notices',
  'notice.bellUnread': 'Notices, {count} unread',
}
