import { rootInvitation } from '@candela/devnet/seed'
import { expect } from 'vitest'
import type { TestWallet } from './test-wallet.ts'
import { openStage, type Stage, type StageOptions } from './browser-session.ts'

export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

export const tokenOf = (stage: Stage): Promise<string | null> =>
  stage.page.evaluate(() => (globalThis as unknown as { localStorage: Storage }).localStorage.getItem('token'))

type Storage = { getItem(key: string): string | null }

/** Another browser beside that of a stage: another device of the same person, or somebody else's. */
export async function openBeside(stage: Stage, options: Omit<StageOptions, 'browser' | 'origin'>) {
  const browser = stage.page.context().browser()
  if (browser === null) throw new Error('The page has no browser')
  const beside = await openStage({ browser, origin: new URL(stage.page.url()).origin, ...options })
  return { ...beside, [Symbol.asyncDispose]: () => beside.close() }
}

/** As if the page were opened on another device of the same person. */
export async function forgetEverything(stage: Stage): Promise<void> {
  await stage.page.evaluate(() => (globalThis as unknown as { localStorage: { clear(): void } }).localStorage.clear())
  await stage.page.reload()
}

/** From the header's button to the invitation sheet, which a link has filled in. */
export async function connectInvited(stage: Stage, code: string = rootInvitation): Promise<void> {
  await stage.open(`#/index?code=${code}`)
  await stage.connectButton().click()
  const sheet = stage.dialog('invite.title')
  await sheet.waitFor()
  await expect.poll(() => sheet.getByRole('textbox').inputValue()).toBe(code)
}

/** A new address signs in for the first time. */
export async function signInInvited(
  stage: Stage,
  person: { wallet: TestWallet },
  code: string = rootInvitation,
): Promise<void> {
  await connectInvited(stage, code)
  await stage.button('invite.confirm', stage.dialog('invite.title')).click()
  await expectSignedIn(stage, person.wallet.address)
}

export async function expectSignedIn(stage: Stage, address: string): Promise<void> {
  await stage.page.getByRole('banner').getByText(shortAddress(address)).waitFor()
  await expect.poll(() => tokenOf(stage)).toMatch(/.{20,}/)
}

/** Goes to the plans as a person does and asks for the first one; the wallet is asked next. */
export async function askToBuy(stage: Stage): Promise<void> {
  await stage.page
    .getByRole('link', { name: stage.text('home.buy'), exact: true })
    .first()
    .click()
  await stage.button('buy.pay').click()
}

/** The newest order on the screen. */
export const newestOrder = (stage: Stage) => stage.page.locator('[data-order]').first()

/** Waits for the newest order to come into a state; returns the states that were seen on the way, oldest first. */
export async function waitForOrder(stage: Stage, wanted: string): Promise<string[]> {
  const seen: string[] = []
  await expect
    .poll(
      async () => {
        const state = (await newestOrder(stage).getAttribute('data-state')) ?? 'none'
        if (seen.at(-1) !== state) seen.push(state)
        return state
      },
      { timeout: 40_000, interval: 100 },
    )
    .toBe(wanted)
  return seen
}

/** Goes home and waits for the figure of active power. */
export async function expectPowerAtHome(stage: Stage, power: string): Promise<void> {
  await stage.page
    .getByRole('banner')
    .getByRole('link', { name: stage.text('nav.logo') })
    .click()
  const figure = stage.page.locator('.figure').filter({ hasText: stage.text('home.power') })
  await expect.poll(() => figure.locator('.figure-value').innerText(), { timeout: 40_000 }).toBe(power)
}

type AmountLabel = `${'deposit' | 'withdraw' | 'transfer' | 'exchange'}.amount`

/** A field by its label: screens that were left stay in the page, and their labels are the same in some languages. */
export const inSight = (stage: Stage, label: AmountLabel) =>
  stage.page.getByLabel(stage.text(label), { exact: true }).filter({ visible: true })

/** The screen where money is paid in. */
export async function openDeposit(stage: Stage): Promise<void> {
  await stage.open('#/deposit')
  await stage.page.getByRole('heading', { name: stage.text('deposit.records') }).waitFor()
}

/** Fills the form and taps the button; the wallet is asked next. */
export async function askToDeposit(
  stage: Stage,
  { asset, amount }: { asset: 'JU' | 'USDT' | 'HASH'; amount: string },
): Promise<void> {
  await stage.page.getByRole('radio', { name: asset, exact: true }).check()
  await stage.page.locator('.amount-input-head:visible').getByText(asset).waitFor()
  await inSight(stage, 'deposit.amount').fill(amount)
  await stage.button('deposit.pay').click()
}

export const newestDeposit = (stage: Stage) => stage.page.locator('[data-deposit]').first()

export async function waitForDeposit(stage: Stage, wanted: string): Promise<void> {
  await expect
    .poll(() => newestDeposit(stage).getAttribute('data-state'), { timeout: 40_000, interval: 100 })
    .toBe(wanted)
}

/** The screen where money is taken out. */
export async function openWithdrawal(stage: Stage): Promise<void> {
  await stage.open('#/withdrawal')
  await stage.page.getByRole('heading', { name: stage.text('withdraw.records') }).waitFor()
}

export async function fillWithdrawal(stage: Stage, amount: string): Promise<void> {
  await inSight(stage, 'withdraw.amount').fill(amount)
}

/** Fills the form and opens the sheet that asks once more. */
export async function askToWithdraw(stage: Stage, amount: string): Promise<void> {
  await fillWithdrawal(stage, amount)
  const next = stage.button('withdraw.next')
  await expect.poll(() => next.getAttribute('aria-disabled')).toBeNull()
  await next.click()
  await stage.dialog('withdraw.review').waitFor()
}

export const newestWithdrawal = (stage: Stage) => stage.page.locator('[data-withdrawal]').first()

/** Waits for the newest withdrawal to come into a state; returns the states that were seen on the way. */
export async function waitForWithdrawal(stage: Stage, wanted: string): Promise<string[]> {
  const seen: string[] = []
  await expect
    .poll(
      async () => {
        const state = (await newestWithdrawal(stage).getAttribute('data-state')) ?? 'none'
        if (seen.at(-1) !== state) seen.push(state)
        return state
      },
      { timeout: 60_000, interval: 100 },
    )
    .toBe(wanted)
  return seen
}
