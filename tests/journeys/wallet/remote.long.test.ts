/** Wallets on other devices (WalletConnect), over a relay of this machine. How they differ is in `docs/reference/wallets.md`. */
import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import { parseEther } from 'viem'
import { afterAll, expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { journeysOf } from '../support/journey.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import { startProduct } from '../support/products/product.ts'
import { type Relay, startRelay } from '@candela/testing/wallets/remote/relay'
import { openRemoteWallet, type RemoteWallet } from '@candela/testing/wallets/remote/remote-wallet'
import { askToBuy, expectSignedIn } from '../support/steps.ts'

let relay: Relay
const { product, journey } = journeysOf(async () => {
  relay = await startRelay()
  return await startProduct({
    mode: 'production',
    env: { WALLETCONNECT_PROJECT_ID: 'c'.repeat(32), WALLETCONNECT_RELAY_URL: relay.url },
  })
})

let person: Newcomer
let remote: RemoteWallet
const aWallet = async () => {
  await remote?.close()
  person = await newcomer(product(), { ju: parseEther('50') })
  remote = await openRemoteWallet({ relayUrl: relay.url, wallet: person.wallet, address: person.wallet.address })
}
afterAll(async () => {
  await remote?.close()
  await relay?.close()
})

const chooser = (session: BrowserSession) => session.dialog('wallet.choose')

/** From the header's button to the code. */
async function askForCode(session: BrowserSession): Promise<void> {
  await session.connectButton().click()
  await chooser(session).getByRole('button', { name: 'WalletConnect' }).click()
  await session.dialog('pairing.title').waitFor()
}

/** Taps the link that opens the first wallet app. @returns the code in it */
async function openFirstApp(session: BrowserSession): Promise<string> {
  const link = session.dialog('pairing.title').getByRole('link').first()
  await link.click()
  const href = (await link.getAttribute('href')) ?? ''
  expect(href.startsWith('metamask://wc?uri=wc%3A')).toBe(true)
  return new URL(href).searchParams.get('uri') ?? ''
}

type WithApps = {
  apps: string[]
  open: (url: string) => void
  document: { addEventListener(name: 'click', listener: (event: Click) => void): void }
}
type Click = { target: { closest(selector: string): { href: string } | null }; preventDefault(): void }

/** Runs in the page: this system has no wallet apps, so what would open one is written down. */
function recordApps(): void {
  const page = globalThis as unknown as WithApps
  page.apps = []
  page.open = (url) => page.apps.push(url)
  page.document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="metamask:"]')
    if (link === null) return
    event.preventDefault()
    page.apps.push(link.href)
  })
}

/** Without what they carry. */
const openedApps = async (session: BrowserSession): Promise<string[]> =>
  (await session.page.evaluate(() => (globalThis as unknown as WithApps).apps)).map((url) => url.split('=')[0] ?? '')

const expectActiveOrders = (session: BrowserSession, count: number) =>
  expect.poll(() => session.page.locator('[data-order][data-state="active"]').count()).toBe(count)

const onPhone = async () => {
  await aWallet()
  return {}
}

journey(
  'a phone goes over to its wallet app, signs in, pays, and is still connected after a reload',
  onPhone,
  async (session) => {
    await session.page.addInitScript(recordApps)
    await session.open(`#/index?code=${rootInvitation}`)
    await session.connectButton().click()
    // The other way is offered beside it.
    await chooser(session)
      .getByRole('button', { name: session.text('wallet.elsewhere') })
      .click()
    await session.dialog('elsewhere.title').waitFor()
    await session.page.keyboard.press('Escape')
    await askForCode(session)
    const links = session.dialog('pairing.title').getByRole('link')
    expect(await links.allInnerTexts()).toEqual([
      'MetaMask',
      'OKX Wallet',
      'Bitget Wallet',
      'TokenPocket',
      'imToken',
      session.text('pairing.other'),
    ])
    await remote.scan(await openFirstApp(session))
    await session.button('invite.confirm', session.dialog('invite.title')).click()
    await expectSignedIn(session, person.wallet.address)
    expect(relay.projects).toContain('c'.repeat(32))

    await askToBuy(session)
    await expectActiveOrders(session, 1)
    // The link, then the signature and the payment, each of which opens the app.
    const opened = ['metamask://wc?uri', 'metamask://wc?requestId', 'metamask://wc?requestId']
    expect(await openedApps(session)).toEqual(opened)
    await session.page.reload()
    await expectSignedIn(session, person.wallet.address)
    await session.open('#/index')
    await askToBuy(session)
    await expectActiveOrders(session, 2)
    expect(remote.asked.map(({ method, chainId }) => `${method} ${chainId}`)).toEqual([
      'personal_sign eip155:210000',
      'eth_sendTransaction eip155:210000',
      'eth_sendTransaction eip155:210000',
    ])

    await remote.disconnect()
    await session.waitForToast('wallet.locked')
    // A person who is signed in stays so, and is shown a code at once when the wallet is needed.
    await session.open('#/index')
    await askToBuy(session)
    await remote.scan(await openFirstApp(session))
    await expectActiveOrders(session, 3)
    await expectBooksToAgree(product())
  },
)

journey(
  'a computer shows the code as a picture; a no in the wallet, and a code that was closed, say what is so',
  async () => {
    await aWallet()
    return { isDesktop: true, size: { width: 1280, height: 800 } }
  },
  async (session) => {
    await session.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await session.open('#/index')
    await askForCode(session)
    await session.page.getByRole('img', { name: session.text('pairing.qr') }).waitFor()
    await session.page.keyboard.press('Escape')
    await session.dialog('pairing.title').waitFor({ state: 'detached' })
    expect(await session.toasts()).toEqual([])

    remote.refuseNext()
    await askForCode(session)
    await session.button('pairing.copy').click()
    await session.waitForToast('ui.copied')
    const code = await session.page.evaluate(() =>
      (
        globalThis as unknown as { navigator: { clipboard: { readText(): Promise<string> } } }
      ).navigator.clipboard.readText(),
    )
    await remote.scan(code)
    await session.waitForToast('wallet.refusedConnect')
    await session.connectButton().waitFor()
  },
)

journey(
  'where the network lets no WebSocket through, it is said that such a wallet cannot be reached; later it can',
  onPhone,
  async (session) => {
    const { page } = session
    let isBlocked = true
    let refused = 0
    await page.routeWebSocket(
      () => true,
      (socket) => {
        if (isBlocked) {
          refused += 1
          void socket.close({ code: 1011 })
        } else socket.connectToServer()
      },
    )
    await session.open(`#/index?code=${rootInvitation}`)
    const askForRemote = async () => {
      await session.connectButton().click()
      await chooser(session).getByRole('button', { name: 'WalletConnect' }).click()
    }
    await askForRemote()
    await session.waitForToast('wallet.noRelay')
    expect(refused).toBeGreaterThan(0)
    expect(await session.dialog('pairing.title').count()).toBe(0)

    isBlocked = false
    await askForRemote()
    await remote.scan(await openFirstApp(session))
    await session.button('invite.confirm', session.dialog('invite.title')).click()
    await expectSignedIn(session, person.wallet.address)
  },
)
