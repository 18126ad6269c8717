/** Commands as a member gives them on screen, each brought to its last button and confirmed. */
import type { Key } from '@candela/protocol/endpoints'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { askToWithdraw, openWithdrawal } from '../support/steps.ts'

export type Act = {
  key: Key
  /** From any screen to the last button; the same is asked for each time. */
  fill: (session: BrowserSession) => Promise<void>
  confirm: (session: BrowserSession) => Promise<void>
}

/** On a page that has just been loaded, so that nothing of the last time is left in the form. */
async function openAnew(session: BrowserSession, hash: string): Promise<void> {
  await session.open(hash)
  await session.page.reload()
}

/** Where what is pending comes instead of a review, there is nothing to agree to. */
async function agree(
  session: BrowserSession,
  review: Locator,
  key: 'exchange.confirm' | 'transfer.sign',
): Promise<void> {
  await review.or(session.dialog('pending.title')).waitFor()
  if (await review.isVisible()) await session.button(key, review).click()
}

export const withdrawal: Act = {
  key: 'POST withdraw/apply',
  async fill(session) {
    await openAnew(session, '#/withdrawal')
    await openWithdrawal(session)
    await askToWithdraw(session, '10')
  },
  confirm: (session) => session.button('withdraw.confirm', session.dialog('withdraw.review')).click(),
}

export const intoFund: Act = {
  key: 'POST finance/transferIn',
  async fill(session) {
    await openAnew(session, '#/finance')
    await session.button('finance.in').click()
    await session.dialog('finance.in').getByLabel(session.text('finance.quantity'), { exact: true }).fill('5')
  },
  confirm: (session) => session.button('finance.confirmIn', session.dialog('finance.in')).click(),
}

export const outOfFund: Act = {
  key: 'POST finance/transferOut',
  async fill(session) {
    await openAnew(session, '#/finance')
    await session.button('finance.out').click()
    await session.dialog('finance.out').getByLabel(session.text('finance.quantity'), { exact: true }).fill('5')
  },
  confirm: (session) => session.button('finance.confirmOut', session.dialog('finance.out')).click(),
}

export const leverage: Act = {
  key: 'POST lever/open',
  async fill(session) {
    const { page, text } = session
    await openAnew(session, '#/lever')
    await page.getByLabel(text('lever.margin'), { exact: true }).fill('20')
    await page.locator('.lever-form .verdict[data-agrees]').waitFor()
    await session.button('lever.next').click()
    await session.dialog('lever.review').locator('.price-sentence').waitFor()
  },
  confirm: (session) => session.button('lever.confirm', session.dialog('lever.review')).click(),
}

export const borrowing: Act = {
  key: 'POST lending/borrow',
  async fill(session) {
    const { page, text } = session
    await openAnew(session, '#/project')
    const card = page.locator('.project-card').filter({ has: page.getByText('JU', { exact: true }) })
    await card.click()
    await page.getByLabel(text('project.amount'), { exact: true }).fill('10')
    await session.button('project.next').and(page.locator(':not([aria-disabled])')).click()
    await session.dialog('project.review').locator('.price-sentence').waitFor()
  },
  confirm: (session) => session.button('project.confirm', session.dialog('project.review')).click(),
}

export const exchange: Act = {
  key: 'POST exchange/index',
  async fill(session) {
    const { page, text } = session
    await openAnew(session, '#/exchange')
    await page.getByLabel(text('exchange.amount'), { exact: true }).fill('2')
    await page.locator('.exchange-left').waitFor()
  },
  async confirm(session) {
    await session.button('exchange.next').click()
    await agree(session, session.dialog('exchange.review'), 'exchange.confirm')
  },
}

export const transferTo = (to: string): Act => ({
  key: 'POST transfer/index',
  async fill(session) {
    const { page, text } = session
    await openAnew(session, '#/transfer')
    await page.getByLabel(text('transfer.recipient'), { exact: true }).fill(to)
    await page.locator('.recipient-found code').waitFor()
    await page.getByLabel(text('transfer.amount'), { exact: true }).fill('3')
    const next = session.button('transfer.next')
    await expect.poll(() => next.getAttribute('aria-disabled')).toBeNull()
  },
  async confirm(session) {
    await session.button('transfer.next').click()
    await agree(session, session.dialog('transfer.review'), 'transfer.sign')
  },
})

/** The one button of a sheet that sends the command, as soon as nothing is missing. */
const primaryOf = (sheet: Locator) => sheet.locator('.sheet-foot button[data-look="primary"]:not([aria-disabled])')

const openLoan = async (session: BrowserSession, loanNo: string): Promise<void> => {
  await openAnew(session, `#/lending?no=${loanNo}`)
}

/** A part of a loan from the balance. */
export const repaymentOf = (loanNo: string): Act => ({
  key: 'POST lending/repay',
  async fill(session) {
    const { page, text } = session
    await openLoan(session, loanNo)
    await session.button('lending.repay', page.locator('main')).click()
    const sheet = session.dialog('lending.repay')
    await sheet.getByRole('radio', { name: text('lending.mode.amount'), exact: true }).check()
    await sheet.getByLabel(text('lending.amount'), { exact: true }).fill('1')
  },
  confirm: (session) => primaryOf(session.dialog('lending.repay')).click(),
})

const changeOfCollateral =
  (act: 'add' | 'release', amount: string) =>
  (loanNo: string): Act => ({
    key: `POST lending/${act}Collateral`,
    async fill(session) {
      await openLoan(session, loanNo)
      await session.button(`lending.${act}`, session.page.locator('main')).click()
      const sheet = session.dialog(`lending.${act}`)
      await sheet.getByLabel(session.text('lending.quantity'), { exact: true }).first().fill(amount)
    },
    confirm: (session) => primaryOf(session.dialog(`lending.${act}`)).click(),
  })

export const collateralFor = changeOfCollateral('add', '1')
export const collateralBackOf = changeOfCollateral('release', '0.1')

/** A loan is turned into installments once, so the next one of the list is asked for each time. */
export function installmentsOf(loanNos: readonly string[]): Act {
  const left = [...loanNos]
  return {
    key: 'POST lending/installment',
    async fill(session) {
      await openLoan(session, left.shift() ?? '')
      await session.button('lending.toInstallments').click()
      await session.dialog('lending.toInstallments').locator('.verdict[data-agrees]').waitFor()
    },
    confirm: (session) => primaryOf(session.dialog('lending.toInstallments')).click(),
  }
}

const openPositions = async (session: BrowserSession): Promise<void> => {
  await openAnew(session, '#/lever')
  await session.button('lever.view.positions').click()
}

/** To the only position. */
export const margin: Act = {
  key: 'POST lever/addMargin',
  async fill(session) {
    await openPositions(session)
    await session.button('lever.addMargin').click()
    const sheet = session.dialog('lever.addMargin')
    await sheet.getByLabel(session.text('lever.margin'), { exact: true }).first().fill('1')
  },
  confirm: (session) => primaryOf(session.dialog('lever.addMargin')).click(),
}

/** A part of the only position. */
export const closing: Act = {
  key: 'POST lever/close',
  async fill(session) {
    await openPositions(session)
    await session.button('lever.close').click()
    const sheet = session.dialog('lever.close')
    await sheet.getByLabel(session.text('lever.percent'), { exact: true }).last().fill('5')
    await primaryOf(sheet).waitFor()
  },
  confirm: (session) => primaryOf(session.dialog('lever.close')).click(),
}

/** The wallet is asked for the payment once the deposit is announced. */
export const announcement: Act = {
  key: 'POST deposit/getOrder',
  async fill(session) {
    await openAnew(session, '#/deposit')
    await session.page.getByRole('radio', { name: 'JU', exact: true }).check()
    await session.page.locator('.amount-input-head:visible').getByText('JU').waitFor()
    await session.page.getByLabel(session.text('deposit.amount'), { exact: true }).fill('1')
  },
  confirm: (session) => session.button('deposit.pay').click(),
}

/** The wallet is asked for the payment once the order is made. */
export const order: Act = {
  key: 'POST power/getOrder',
  async fill(session) {
    await openAnew(session, '#/computing')
    // The average price of JU moves for half an hour after a trade, and an order at the price before it is refused.
    await session.page.getByRole('radio', { name: 'USDT', exact: true }).check()
    await session.page.locator('.pay-amount').getByText('USDT').waitFor()
    await session.button('buy.pay').and(session.page.locator(':not([disabled])')).waitFor()
  },
  confirm: (session) => session.button('buy.pay').click(),
}

/** The newest withdrawal that is not signed. */
export const takingBack: Act = {
  key: 'POST withdraw/cancel',
  async fill(session) {
    await openAnew(session, '#/withdrawal')
    await session.button('withdraw.back').first().click()
    await session.dialog('withdraw.backTitle').waitFor()
  },
  confirm: (session) => primaryOf(session.dialog('withdraw.backTitle')).click(),
}
