import { expect } from 'vitest'
import type { BrowserSession } from './browser-session.ts'

/** Puts money of the person's balance into the money fund, from which loans are made. */
export async function intoFund(session: BrowserSession, amount: string): Promise<void> {
  await session.open('#/finance')
  await session.button('finance.in').click()
  const sheet = session.dialog('finance.in')
  await sheet.getByLabel(session.text('finance.quantity'), { exact: true }).fill(amount)
  await session.button('finance.confirmIn', sheet).click()
  await session.waitForToast('finance.doneIn', { values: { amount } })
}

/** What home says of credit, by the words that stand there. */
export type HomeFigures = Record<'total' | 'loan' | 'fund' | 'status' | 'next', string>

const absent = ''

/** Goes home and reads what stands there, once it is complete. */
export async function homeFigures(session: BrowserSession): Promise<HomeFigures> {
  const { page, text } = session
  await session.open('#/index')
  // What was read before may still stand there for a moment.
  await page.reload()
  const grid = page.locator('.credit-grid')
  const figure = (label: string) =>
    grid.locator('.figure').filter({ hasText: label }).locator('.figure-value').innerText()
  await expect.poll(() => figure(text('credit.totalAssets'))).toMatch(/USDT/)
  const section = (id: string) => page.locator(`section[aria-labelledby="${id}"]`)
  const mortgage = section('mortgage')
  const repayment = section('repayment')
  const hasLoan = (await mortgage.locator('.status').count()) > 0
  return {
    total: await figure(text('credit.totalAssets')),
    loan: await figure(text('home.loan')),
    fund: await figure(text('home.fund')),
    status: hasLoan ? await mortgage.locator('.status').innerText() : absent,
    next: (await repayment.locator('dl').count()) > 0 ? await repayment.locator('dd').first().innerText() : absent,
  }
}

/** A number as people see it: "1,234.5 USDT" is 1234.5. */
export const numberIn = (text: string): number => Number(text.replace(/[^\d.]/g, ''))
