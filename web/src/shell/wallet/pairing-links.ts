import type { WalletApp } from '../../wallet/remote/types.ts'

const apps: readonly WalletApp[] = [
  { name: 'MetaMask', href: 'metamask://' },
  { name: 'OKX Wallet', href: 'okex://main' },
  { name: 'Bitget Wallet', href: 'bitkeep://' },
  { name: 'TokenPocket', href: 'tpoutside://' },
  { name: 'imToken', href: 'imtokenv2://' },
]

/**
 * Links that hand a connection to a wallet app, as the makers have entered them in WalletConnect's register: all take it in the
 * same form.
 */
export const pairingLinks = (uri: string): { app: WalletApp; link: string }[] =>
  apps.map((app) => ({ app, link: `${app.href.replace(/\/$/, '')}/wc?uri=${encodeURIComponent(uri)}` }))
