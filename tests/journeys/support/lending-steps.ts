import { createPublicClient, http } from 'viem'
import { expect } from 'vitest'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { untilSeen } from './market.ts'
import type { Product, RunningProduct } from './products/product.ts'

/** Puts money of the person's balance into the money fund, from which loans are made. */
export async function intoFund(session: BrowserSession, amount: string): Promise<void> {
  await session.open('#/finance')
  await session.button('finance.in').click()
  const sheet = session.dialog('finance.in')
  await sheet.getByLabel(session.text('finance.quantity'), { exact: true }).fill(amount)
  await session.button('finance.confirmIn', sheet).click()
  await session.waitForToast('finance.doneIn', { values: { amount } })
}

/** Borrows on the project for JU, and ends on the new loan. */
export async function borrowOnJu(session: BrowserSession, amount: string): Promise<void> {
  const { page, text } = session
  await session.open('#/project')
  await page
    .locator('.project-card')
    .filter({ has: page.getByText('JU', { exact: true }) })
    .click()
  await page.getByLabel(text('project.amount'), { exact: true }).fill(amount)
  await session.button('project.next').and(page.locator(':not([aria-disabled])')).click()
  const review = session.dialog('project.review')
  await review.locator('.price-sentence').waitFor()
  await session.button('project.confirm', review).click()
  await session.waitForToast('project.done', { values: { amount } })
  await page
    .locator('main')
    .getByRole('button', { name: text('lending.repay'), exact: true })
    .waitFor()
}

/** Opens a leveraged position in JU, and ends on the list of positions. */
export async function openPosition(
  session: BrowserSession,
  { margin, tenths }: { margin: string; tenths: number },
): Promise<void> {
  const { page, text } = session
  await session.open('#/lever')
  await page.getByLabel(text('lever.margin'), { exact: true }).fill(margin)
  await page.getByLabel(text('lever.ratio'), { exact: true }).fill(String(tenths))
  await page.locator('.lever-form .verdict[data-agrees]').waitFor()
  await session.button('lever.next').click()
  const review = session.dialog('lever.review')
  await review.locator('.price-sentence').waitFor()
  await session.button('lever.confirm', review).click()
  await session.waitForToast('lever.opened')
  await page.locator('.lever-position').waitFor()
}

/** For the chain, the server and the page alike; ends when the service has seen the price at the new time. */
export async function letTimePass(product: RunningProduct, session: BrowserSession, durationMs: number): Promise<void> {
  await product.passTime(durationMs)
  const client = createPublicClient({ transport: http(product.rpcUrl) })
  await untilSeen(product, 'JU', await client.getBlockNumber({ cacheTime: 0 }))
  await tellTime(product, session)
}

/** Sets the page's clock to the time of a product whose time was let pass. */
export async function tellTime({ rpcUrl }: Product, session: BrowserSession): Promise<void> {
  const { timestamp } = await createPublicClient({ transport: http(rpcUrl) }).getBlock()
  await session.page.clock.setSystemTime(Number(timestamp) * 1_000)
}

/** The figures that home shows of lending, by the words that stand there. */
export type HomeFigures = Record<'total' | 'loan' | 'fund' | 'status' | 'next', string>

const absent = ''

/** Goes home and reads what stands there, once it is complete. */
export async function homeFigures(session: BrowserSession): Promise<HomeFigures> {
  const { page, text } = session
  await session.open('#/index')
  // The figures that were read before may still stand there for a moment.
  await page.reload()
  const grid = page.locator('.lending-grid')
  const figure = (label: string) =>
    grid.locator('.figure').filter({ hasText: label }).locator('.figure-value').innerText()
  await expect.poll(() => figure(text('loans.totalAssets'))).toMatch(/USDT/)
  const section = (id: string) => page.locator(`section[aria-labelledby="${id}"]`)
  const mortgage = section('mortgage')
  const repayment = section('repayment')
  const hasLoan = (await mortgage.locator('.status').count()) > 0
  return {
    total: await figure(text('loans.totalAssets')),
    loan: await figure(text('home.loan')),
    fund: await figure(text('home.fund')),
    status: hasLoan ? await mortgage.locator('.status').innerText() : absent,
    next: (await repayment.locator('dl').count()) > 0 ? await repayment.locator('dd').first().innerText() : absent,
  }
}

/** A number as people see it: "1,234.5 USDT" is 1234.5. */
export const numberIn = (text: string): number => Number(text.replace(/[^\d.]/g, ''))
