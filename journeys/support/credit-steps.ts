import { expect } from 'vitest'
import type { BrowserSession } from './browser-session.ts'
import { operate } from './operator.ts'
import type { Product } from './product.ts'

/** Puts money of the person's balance into the money fund, from which loans are made. */
export async function intoFund(session: BrowserSession, amount: string): Promise<void> {
  await session.open('#/finance')
  await session.button('finance.in').click()
  const sheet = session.dialog('finance.in')
  await sheet.getByLabel(session.text('finance.quantity'), { exact: true }).fill(amount)
  await session.button('finance.confirmIn', sheet).click()
  await session.waitForToast('finance.doneIn', { values: { amount } })
}

/** A project that lends on JU, opened by both operators. @returns its number */
export async function openProject(product: Product): Promise<string> {
  const options = {
    'name-zh': 'JU 质押借款',
    'name-tw': 'JU 質押借款',
    'name-en': 'Loan on JU',
    'information-zh': '以 JU 作质押，随借随还。',
    'information-tw': '以 JU 作質押，隨借隨還。',
    'information-en': 'Borrow against JU and repay at any time.',
    collateral: 'JU',
    total: '100000',
    rate: '0.0912',
    'initial-rate': '0.5',
    'safety-line': '0.7',
    'clearing-line': '0.8',
  }
  const command = ['project', 'create', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])]
  await operate(product, 'first', ...command)
  const printed = await operate(product, 'second', ...command)
  const [projectNo] = /\d{8}[0-9A-Z]{6,}/.exec(printed) ?? []
  if (projectNo === undefined) throw new Error(`No number of a project in: ${printed}`)
  return projectNo
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

/** A row's value by its label. */
export const valueOf = (session: BrowserSession, label: string, within = 'main') =>
  session.page
    .locator(`${within} .row:visible`)
    .filter({ has: session.page.locator('dt', { hasText: new RegExp(`^${label}$`) }) })
    .locator('dd')
    .first()
