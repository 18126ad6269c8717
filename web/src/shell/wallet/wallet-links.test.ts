import { expect, test } from 'vitest'
import { pageLink, walletLinks } from './wallet-links.ts'

const page = pageLink('https://candela.example/', '#/order?no=AB12', 'CANDELA1')

test('a place with its invitation code, in the form that the app reads', () => {
  expect(page).toBe('https://candela.example/?code=CANDELA1#/order')
  expect(pageLink('https://candela.example/app/', '#/index', '')).toBe('https://candela.example/app/#/index')
  expect(new URL(pageLink('https://candela.example', '', 'A&B #1')).searchParams.get('code')).toBe('A&B #1')
})

test('each wallet gets the page in the form that its maker documents', () => {
  const links = Object.fromEntries(walletLinks(page).map(({ name, href }) => [name, href]))
  expect(links['MetaMask']).toBe('https://link.metamask.io/dapp/candela.example/?code=CANDELA1#/order')
  const okx = new URL(links['OKX Wallet'] ?? '')
  expect(okx.origin + okx.pathname).toBe('https://web3.okx.com/download')
  const inner = new URL(okx.searchParams.get('deeplink') ?? '')
  expect(inner.href.split('?')[0]).toBe('okx://wallet/dapp/url')
  expect(inner.searchParams.get('dappUrl')).toBe(page)
  const bitget = new URL(links['Bitget Wallet'] ?? '')
  expect([bitget.host, bitget.searchParams.get('action'), bitget.searchParams.get('url')]).toEqual([
    'bkcode.vip',
    'dapp',
    page,
  ])
  const tokenPocket = new URL(links['TokenPocket'] ?? '')
  expect(tokenPocket.href).toMatch(/^tpdapp:\/\/open\?params=/)
  expect(JSON.parse(tokenPocket.searchParams.get('params') ?? '')).toMatchObject({ url: page, chain: 'ETH' })
  const imToken = new URL(links['imToken'] ?? '')
  expect(imToken.href).toMatch(/^imtokenv2:\/\/navigate\/DappView\?url=/)
  expect(imToken.searchParams.get('url')).toBe(page)
})
