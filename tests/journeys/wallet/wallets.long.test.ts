/** Wallets as they differ, each told to an extension of this test. The table of them is `docs/reference/wallets.md`. */
import { needs } from '@candela/testing/process/needs'
import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import type { BrowserContext } from 'playwright-core'
import { formatEther, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { startBrowserWithExtensions } from '@candela/testing/browser/browser'
import { type BrowserSession, openSessionIn, saveScreenshot } from '@candela/testing/browser/browser-session'
import { balancesOf } from '../support/database.ts'
import { sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import type { RunningProduct } from '../support/products/product.ts'
import {
  askToBuy,
  askToDeposit,
  expectSignedIn,
  newestDeposit,
  newestOrder,
  openDeposit,
  tokenOf,
  waitForDeposit,
  waitForOrder,
} from '../support/steps.ts'
import {
  decide,
  type Features,
  makeWalletExtension,
  type WalletExtension,
  walletWindow,
  walletWindows,
} from './extension.ts'

/** The headless shell that npm brings has no extensions. */
const inBrowser = needs('chromium')

let product: RunningProduct
let extension: WalletExtension
let context: BrowserContext
let closeBrowser: () => Promise<void>
let session: BrowserSession
let person: Newcomer

beforeAll(async () => {
  product = await sharedProduct('production')()
  extension = await makeWalletExtension('Wallet of windows', 'test.candela.windows')
  const browser = await startBrowserWithExtensions([extension.folder])
  context = browser.context
  closeBrowser = browser.close
  if (context.serviceWorkers().length === 0) await context.waitForEvent('serviceworker')
})
afterAll(async () => {
  await closeBrowser?.()
  await extension?.close()
})

beforeEach(async () => {
  await context.clearCookies()
  session = await openSessionIn(context, { origin: product.origin })
})
afterEach(async (current) => {
  if (current.task.result?.state === 'fail') await saveScreenshot(session, current.task.name).catch(() => undefined)
  for (const page of walletWindows(context)) await page.close()
  await session.page.evaluate(() => (globalThis as unknown as { localStorage: { clear(): void } }).localStorage.clear())
  await session.page.close()
})

/** Somebody new, with a wallet of these ways, on the page that a link with an invitation code opens. */
async function arrive(features: Partial<Features> = {}, options: Parameters<typeof newcomer>[1] = {}): Promise<void> {
  person = await newcomer(product, { ju: parseEther('50'), ...options })
  extension.use(context, person.wallet, features)
  await session.open(`#/index?code=${rootInvitation}`)
}

/** The wallet's own window, in which nothing is preselected. */
const confirm = (method: string) => decide(context, method, 'Confirm')

async function signIn(): Promise<void> {
  await session.connectButton().click()
  await confirm('wallet_requestPermissions')
  await session.button('invite.confirm', session.dialog('invite.title')).click()
  await confirm('personal_sign')
  await expectSignedIn(session, person.wallet.address)
}

test('a reload opens no window, and a window that nobody answers can be left', inBrowser, async () => {
  await arrive({ closedIsSilent: true, noChecksum: true })
  await session.connectButton().click()
  await decide(context, 'wallet_requestPermissions', 'close')
  // Still waiting, because the wallet has said nothing; the person gives up, without a word of blame.
  await session.button('ui.cancel').click()
  await session.page.getByText(session.text('visit.invited', { code: rootInvitation })).waitFor()
  expect(await session.toasts()).toEqual([])
  await session.connectButton().click()
  // In the other way: the first was never answered.
  await confirm('eth_requestAccounts')
  await session.button('invite.confirm', session.dialog('invite.title')).click()
  await walletWindow(context, 'personal_sign')
  await session.page.reload()
  // The address is known to the page again, and nothing more was asked for.
  await session.dialog('invite.title').waitFor()
  expect(walletWindows(context)).toHaveLength(1)
  for (const page of walletWindows(context)) await page.close()
  await session.button('invite.confirm', session.dialog('invite.title')).click()
  await confirm('personal_sign')
  await expectSignedIn(session, person.wallet.address)
  extension.become({ silent: ['eth_accounts'] })
  await session.page.reload()
  // A wallet that says nothing leaves the session as it was.
  await expectSignedIn(session, person.wallet.address)
  expect(walletWindows(context)).toHaveLength(0)
})

test('a request that waits in the wallet is named, and so is who refused what', inBrowser, async () => {
  await arrive({ throwsTexts: true })
  await session.connectButton().click()
  await walletWindow(context, 'wallet_requestPermissions')
  await session.button('ui.cancel').click()
  await session.connectButton().click()
  await session.waitForToast('wallet.busy')
  await session.page.getByText(session.text('visit.walletBusy')).waitFor()
  await decide(context, 'wallet_requestPermissions', 'Reject')
  await extension.untilNothingWaits()
  await session.connectButton().click()
  await decide(context, 'wallet_requestPermissions', 'Reject')
  await extension.untilNothingWaits()
  await session.waitForToast('wallet.refusedConnect')
  await session.page.getByText(session.text('visit.refusedConnect')).waitFor()
  await session.connectButton().click()
  await confirm('wallet_requestPermissions')
  await session.button('invite.confirm', session.dialog('invite.title')).click()
  await decide(context, 'personal_sign', 'Reject')
  await session.waitForToast('wallet.refused')
  await session.page.getByText(session.text('visit.refused')).waitFor()
  expect(await tokenOf(session)).toBeNull()
})

test.each(['number', 'HEX'] as const)(
  'a wallet that changes its chain without a word, whose chain is a %s: the dialog asks it and closes by itself',
  inBrowser,
  async (chainIdAs) => {
    await arrive({ noEvents: true, chainIdAs }, { chainId: 1, knowsChain: false })
    await session.connectButton().click()
    await confirm('wallet_requestPermissions')
    const dialog = session.dialog('network.title')
    await session.button('network.recheck', dialog).click()
    await dialog.getByText(session.text('network.stillWrong', { chainId: 1 })).waitFor()
    await session.button('network.switch', dialog).click()
    await decide(context, 'wallet_switchEthereumChain', 'Reject')
    await dialog.getByText(session.text('network.refused')).waitFor()
    if (chainIdAs === 'number') {
      // Unknown to the wallet (4902), so it is added; then it is switched to.
      await session.button('network.switch', dialog).click()
      await confirm('wallet_switchEthereumChain')
      await confirm('wallet_addEthereumChain')
      await confirm('wallet_switchEthereumChain')
    } else person.wallet.setChain(210_000)
    await dialog.waitFor({ state: 'hidden' })
    await session.dialog('invite.title').waitFor()
  },
)

test('an extension that appears late ends what was said of its absence', inBrowser, async () => {
  await arrive({ lateMs: 4_000 })
  await session.connectButton().click()
  await session.waitForToast('wallet.notInstalled')
  await session.dialog('elsewhere.onPhone').waitFor()
  await session.page.keyboard.press('Escape')
  await session.page.getByText(session.text('visit.invited', { code: rootInvitation })).waitFor()
  await signIn()
})

test(
  'a payment left in the wallet can be paid again; paid twice, the second is on the balance',
  inBrowser,
  async () => {
    await arrive()
    await signIn()
    await askToBuy(session)
    const first = await walletWindow(context, 'eth_sendTransaction')
    await session.button('pay.stopWaiting').click()
    await session.waitForToast('pay.givenUp')
    await waitForOrder(session, 'pending')
    await newestOrder(session).getByText(session.text('pay.oldPrompt')).waitFor()
    await session.button('order.pay', newestOrder(session)).click()
    // It may be on its way, so this is said first.
    await session.waitForToast('pay.doubt.open')
    expect(walletWindows(context)).toHaveLength(1)
    await session.button('pay.payAnyway').click()
    await expect.poll(() => walletWindows(context).length).toBe(2)
    const second = walletWindows(context).find((page) => page !== first)
    await second?.getByRole('button', { name: 'Confirm' }).click()
    await expect.poll(() => person.wallet.sent.length).toBe(1)
    await first.getByRole('button', { name: 'Confirm' }).click()
    await expect.poll(() => person.wallet.sent.length).toBe(2)
    await waitForOrder(session, 'active')
    const payments = await Promise.all(person.wallet.sent.map((hash) => person.wallet.client.getTransaction({ hash })))
    expect(payments[0]?.input).toBe(payments[1]?.input)
    const paid = formatEther(payments[0]?.value ?? 0n)
    await expect.poll(async () => (await balancesOf(product, person)).join()).toContain(paid)
    await expectBooksToAgree(product)
  },
)

test('a wallet that names another transaction: "payment sent" ends when the order is seen', inBrowser, async () => {
  await arrive({ otherHash: true })
  await signIn()
  await askToBuy(session)
  await confirm('eth_sendTransaction')
  await session.waitForToast('pay.onChain')
  await waitForOrder(session, 'active')
  await session.page.locator('.toast').waitFor({ state: 'hidden' })
  expect(await session.toasts()).not.toContain(session.text('pay.stillChecking.order'))
})

test(
  'a wallet that sends and then says that it failed: nothing is called a failure, and the deposit is credited by itself',
  inBrowser,
  async () => {
    await arrive({ throwsAfterSend: true })
    await signIn()
    await openDeposit(session)
    await askToDeposit(session, { asset: 'JU', amount: '3' })
    await confirm('eth_sendTransaction')
    await expect.poll(async () => (await session.toasts()).join()).toContain(session.text('pay.unknown'))
    await waitForDeposit(session, 'credited')
    expect(person.wallet.sent).toHaveLength(1)
    expect(await session.toasts()).not.toContain(session.text('pay.failed'))
  },
)

test(
  'a page that is reloaded while the wallet asks: the deposit is asked about before it is paid again, and ends by itself',
  inBrowser,
  async () => {
    await arrive()
    await signIn()
    await openDeposit(session)
    await askToDeposit(session, { asset: 'JU', amount: '2' })
    const window = await walletWindow(context, 'eth_sendTransaction')
    await session.page.reload()
    await newestDeposit(session).getByText(session.text('pay.oldPrompt')).waitFor()
    await session.button('deposit.payNow', newestDeposit(session)).click()
    await session.waitForToast('pay.doubt.open')
    expect(walletWindows(context)).toHaveLength(1)
    await window.getByRole('button', { name: 'Confirm' }).click()
    // Without a tap, and though the page has heard nothing of the wallet.
    await waitForDeposit(session, 'credited')
    expect(person.wallet.sent).toHaveLength(1)
    await session.button('deposit.payNow').waitFor({ state: 'detached' })
  },
)

test(
  'a lock keeps the session and says so; what needs the wallet then asks for it or says what is in the way',
  inBrowser,
  async () => {
    await arrive()
    await signIn()
    person.wallet.forget()
    await session.waitForToast('wallet.locked')
    expect(await tokenOf(session)).not.toBeNull()
    await askToBuy(session)
    await decide(context, 'wallet_requestPermissions', 'Confirm')
    await decide(context, 'eth_sendTransaction', 'Reject')
    await session.waitForToast('pay.refused')
    await waitForOrder(session, 'pending')
    extension.become({ unauthorized: ['eth_sendTransaction'] })
    await session.button('order.pay', newestOrder(session)).click()
    const address = `${person.wallet.address.slice(0, 6)}…${person.wallet.address.slice(-4)}`
    // It matters, so it stays until it is closed.
    const said = session.page.locator('.toast').getByText(session.text('pay.otherAccount', { address }))
    await said.waitFor()
    await session.page
      .locator('.toast')
      .getByRole('button', { name: session.text('ui.close') })
      .click()
    await said.waitFor({ state: 'hidden' })
    extension.become({ unauthorized: [], silent: ['eth_chainId'] })
    await session.button('order.pay', newestOrder(session)).click()
    await session.waitForToast('pay.waitingForWallet')
    await session.waitForToast('pay.silent')
  },
)
