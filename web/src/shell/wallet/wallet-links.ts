/** Opens a page in the browser inside a wallet app. */
export type WalletLink = { name: string; href: string }

const enc = encodeURIComponent

/**
 * Links to a page by wallets that hold chains of any id, each in the form that its maker documents: `link.metamask.io/dapp` takes the
 * address without scheme and as it is; OKX a link of its app inside one of its site, which helps where the app is missing; TokenPocket
 * JSON; the others the address encoded.
 */
export const walletLinks = (page: string): WalletLink[] => [
  { name: 'MetaMask', href: `https://link.metamask.io/dapp/${page.replace(/^https?:\/\//, '')}` },
  {
    name: 'OKX Wallet',
    href: `https://web3.okx.com/download?deeplink=${enc(`okx://wallet/dapp/url?dappUrl=${enc(page)}`)}`,
  },
  { name: 'Bitget Wallet', href: `https://bkcode.vip?action=dapp&url=${enc(page)}` },
  {
    name: 'TokenPocket',
    href: `tpdapp://open?params=${enc(JSON.stringify({ url: page, chain: 'ETH', source: 'Candela' }))}`,
  },
  { name: 'imToken', href: `imtokenv2://navigate/DappView?url=${enc(page)}` },
]

/**
 * The address of a place of the app for another browser. An invitation code stands before the hash, because links lose their hash
 * more often than their query. `base`: origin and path of the page.
 */
export function pageLink(base: string, hash: string, code: string): string {
  const root = base.endsWith('/') ? base.slice(0, -1) : base
  return `${root}/${code === '' ? '' : `?code=${enc(code)}`}${hash.split('?', 1)[0] ?? ''}`
}
