import type { texts as tw } from '../../tw/initial/shell.ts'

export const texts: Record<keyof typeof tw, string> = {
  'nav.label': 'Main sections',
  'nav.logo': 'Candela, home',

  'language.title': 'Language',
  'language.button': 'Choose language',

  'wallet.connect': 'Connect wallet',
  'wallet.account': 'Account {address}',
  'wallet.accountChanged': 'Wallet account changed. Reloading',
  'wallet.locked': 'Your wallet is locked or disconnected. You stay signed in; unlock it when you pay or sign.',

  'account.title': 'Your wallet',
  'account.address': 'Address',
  'account.wallet': 'Wallet',
  'account.walletUsdt': 'USDT in the wallet',
  'account.allowance': 'Allowance to the contract',
  'account.unread': 'Unavailable',
  'account.chain': 'Chain',
  'account.notConnected': 'Locked or not connected',
  'account.signIn': 'Sign in',
  'account.signOut': 'Sign out',

  'invite.title': 'Invitation code',
  'invite.text': 'This address is new here. Its first sign-in needs an invitation code.',
  'invite.placeholder': 'Enter your invitation code',
  'invite.form': 'A code has only letters and digits, 16 at most. Please check yours',
  'invite.confirm': 'Confirm',

  'devices.title': 'Sign in here instead?',
  'devices.text': 'The other devices are signed out at once. You can sign in there again with the same wallet.',
  'devices.replace': 'Sign out the others',
  'state.offlineNotice': 'Offline. Figures may not be the latest',
  'state.chainDelayed':
    'The chain has brought no new block for a while. Payments are safe and are credited once it goes on.',
  'state.newBuild': 'A new version is ready.',
  'state.toExit': 'Go to “Way out”',
  'state.reload': 'Reload',
  'state.clockOff':
    'This device’s clock is about {time} off. Deadlines go by the service’s time; turning on automatic time in the settings helps.',
  'state.broken':
    'Something went wrong on this page. If it does not respond, reload it; if it happens again, send this to support: {detail}',
  'notice.bell': 'Notices',
  'notice.bellUnread': 'Notices, {count} unread',
}
