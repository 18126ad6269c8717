import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestWallet } from '@candela/testing/wallets/test-wallet'
import { waitUntil } from '@candela/testing/browser/wait-until'
import {
  openBrowserSession,
  type BrowserSession,
  type BrowserSessionOptions,
} from '@candela/testing/browser/browser-session'

export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

export const tokenOf = (session: BrowserSession): Promise<string | null> =>
  session.page.evaluate(() => (globalThis as unknown as { localStorage: Storage }).localStorage.getItem('token'))

type Storage = { getItem(key: string): string | null }

/** Another session in the same browser process: another device of the same person, or somebody else's. */
export async function openAnotherSession(
  session: BrowserSession,
  options: Omit<BrowserSessionOptions, 'browser' | 'origin'>,
) {
  const browser = session.page.context().browser()
  if (browser === null) throw new Error('The page has no browser')
  const other = await openBrowserSession({ browser, origin: new URL(session.page.url()).origin, ...options })
  return { ...other, [Symbol.asyncDispose]: () => other.close() }
}

/** Waits until the service worker answers for this page. */
export const untilControlled = (page: Page): Promise<void> =>
  waitUntil('the service worker answers', () =>
    page.evaluate(() => (globalThis as unknown as WithWorker).navigator.serviceWorker.controller !== null),
  )

type WithWorker = { navigator: { serviceWorker: { controller: unknown } } }

/**
 * Lets the page's own timers go on by so long, at once, and waits until the calls that they made have ended: what has not
 * happened by then will not happen. The page's clock must have been installed.
 */
export async function letTimePass(session: BrowserSession, ms: number): Promise<void> {
  await session.page.clock.runFor(ms)
  await session.page.waitForLoadState('networkidle')
}

/** Stops the page's clock, which must have been installed. From then on its timers wait for `clock.runFor` or `clock.resume`. */
export async function stopClock(session: BrowserSession): Promise<void> {
  const nowMs = await session.page.evaluate(() => Date.now())
  // A clock can only be stopped in its future. The gateway refuses calls that are minutes off.
  await session.page.clock.pauseAt(nowMs + 20_000)
}

/** As if the page were opened on another device of the same person. */
export async function forgetEverything(session: BrowserSession): Promise<void> {
  await session.page.evaluate(() => (globalThis as unknown as { localStorage: { clear(): void } }).localStorage.clear())
  await session.page.reload()
}

/** From the header's button to the invitation sheet, which a link has filled in. A development build has a demo wallet besides `wallet`. */
export async function connectInvited(
  session: BrowserSession,
  code: string = rootInvitation,
  wallet?: string,
): Promise<void> {
  await session.open(`#/index?code=${code}`)
  await session.connectButton().click()
  if (wallet !== undefined) await session.dialog('wallet.choose').getByRole('button', { name: wallet }).click()
  const sheet = session.dialog('invite.title')
  await sheet.waitFor()
  await waitUntil('the code is filled in', async () => (await sheet.getByRole('textbox').inputValue()) === code)
}

/** A new address signs in for the first time. */
export async function signInInvited(
  session: BrowserSession,
  person: { wallet: TestWallet },
  code: string = rootInvitation,
  wallet?: string,
): Promise<void> {
  await connectInvited(session, code, wallet)
  await session.button('invite.confirm', session.dialog('invite.title')).click()
  await expectSignedIn(session, person.wallet.address)
}

/** Somebody who has an account signs in on a device that does not know them. */
export async function signInAgain(
  session: BrowserSession,
  { wallet, pageWallet }: { wallet: TestWallet; pageWallet: { name: string } },
): Promise<void> {
  await session.open()
  await session.connectButton().click()
  await session.dialog('wallet.choose').getByRole('button', { name: pageWallet.name }).click()
  await expectSignedIn(session, wallet.address)
}

export async function expectSignedIn(session: BrowserSession, address: string): Promise<void> {
  await session.page.getByRole('banner').getByText(shortAddress(address)).waitFor()
  await waitUntil('a token is kept', async () => ((await tokenOf(session)) ?? '').length >= 20)
}

/** Goes to the plans as a person does and asks for the first one; the wallet is asked next. */
export async function askToBuy(session: BrowserSession): Promise<void> {
  await session.page
    .getByRole('link', { name: session.text('home.buy'), exact: true })
    .first()
    .click()
  await session.button('buy.pay').click()
}

/** The newest order on the screen. */
export const newestOrder = (session: BrowserSession) => session.page.locator('[data-order]').first()

/** Waits for the newest order to come into a state; returns the states that were seen on the way, oldest first. */
export async function waitForOrder(session: BrowserSession, wanted: string): Promise<string[]> {
  const seen: string[] = []
  await expect
    .poll(async () => {
      const state = (await newestOrder(session).getAttribute('data-state')) ?? 'none'
      if (seen.at(-1) !== state) seen.push(state)
      return state
    })
    .toBe(wanted)
  return seen
}

/** Goes home and waits for the figure of active power. */
export async function expectPowerAtHome(session: BrowserSession, power: string): Promise<void> {
  await session.page
    .getByRole('banner')
    .getByRole('link', { name: session.text('nav.logo') })
    .click()
  const figure = session.page.locator('.figure').filter({ hasText: session.text('home.power') })
  await expect.poll(() => figure.locator('.figure-value').innerText()).toBe(power)
}

type AmountLabel = `${'deposit' | 'withdraw' | 'transfer' | 'exchange'}.amount`

/** A field by its label: screens that were left stay in the page, and their labels are the same in some languages. */
export const inSight = (session: BrowserSession, label: AmountLabel) =>
  session.page.getByLabel(session.text(label), { exact: true }).filter({ visible: true })

type Scrolling = { scrollY: number; scrollTo(x: number, y: number): void; document: { body: { scrollHeight: number } } }

/** How far the page is scrolled, in CSS pixels. */
export const scrolled = (session: BrowserSession): Promise<number> =>
  session.page.evaluate(() => (globalThis as unknown as Scrolling).scrollY)

/** Scrolls as far as the page goes, as soon as there is enough on it. */
export async function scrollToEnd(session: BrowserSession): Promise<void> {
  const scroll = () =>
    session.page.evaluate(() => {
      const page = globalThis as unknown as Scrolling
      page.scrollTo(0, page.document.body.scrollHeight)
      return page.scrollY
    })
  await expect.poll(scroll).toBeGreaterThan(0)
}

/** The screen where money is paid in. */
export async function openDeposit(session: BrowserSession): Promise<void> {
  await session.open('#/deposit')
  await session.page.getByRole('heading', { name: session.text('deposit.records') }).waitFor()
}

/** Fills the form and taps the button; the wallet is asked next. */
export async function askToDeposit(
  session: BrowserSession,
  { asset, amount }: { asset: 'JU' | 'USDT' | 'HASH'; amount: string },
): Promise<void> {
  await session.page.getByRole('radio', { name: asset, exact: true }).check()
  await session.page.locator('.amount-input-head:visible').getByText(asset).waitFor()
  await inSight(session, 'deposit.amount').fill(amount)
  await session.button('deposit.pay').click()
}

export const newestDeposit = (session: BrowserSession) => session.page.locator('[data-deposit]').first()

export async function waitForDeposit(session: BrowserSession, wanted: string): Promise<void> {
  await expect.poll(() => newestDeposit(session).getAttribute('data-state')).toBe(wanted)
}

/** Pays USDT in on the screen for it, until it is credited. */
export async function depositUsdt(session: BrowserSession, amount: string): Promise<void> {
  await openDeposit(session)
  await askToDeposit(session, { asset: 'USDT', amount })
  await waitForDeposit(session, 'credited')
}

/** The screen where money is taken out. */
export async function openWithdrawal(session: BrowserSession): Promise<void> {
  await session.open('#/withdrawal')
  await session.page.getByRole('heading', { name: session.text('withdraw.records') }).waitFor()
}

export async function fillWithdrawal(session: BrowserSession, amount: string): Promise<void> {
  await inSight(session, 'withdraw.amount').fill(amount)
}

/** Fills the form and opens the sheet that asks once more. */
export async function askToWithdraw(session: BrowserSession, amount: string): Promise<void> {
  await fillWithdrawal(session, amount)
  const next = session.button('withdraw.next')
  await expect.poll(() => next.getAttribute('aria-disabled')).toBeNull()
  await next.click()
  await session.dialog('withdraw.review').waitFor()
}

export const newestWithdrawal = (session: BrowserSession) => session.page.locator('[data-withdrawal]').first()

/** Waits for the newest withdrawal to come into a state; returns the states that were seen on the way. */
export async function waitForWithdrawal(session: BrowserSession, wanted: string): Promise<string[]> {
  const seen: string[] = []
  await expect
    .poll(async () => {
      const state = (await newestWithdrawal(session).getAttribute('data-state')) ?? 'none'
      if (seen.at(-1) !== state) seen.push(state)
      return state
    })
    .toBe(wanted)
  return seen
}
