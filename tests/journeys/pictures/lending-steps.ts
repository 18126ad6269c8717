import type { Locator } from 'playwright-core'
import type { BrowserSession } from '@candela/testing/browser/browser-session'

type Shoot = (name: string, whole?: boolean) => Promise<void>

/** Every screen of lending of somebody who has a loan in installments and a position that was liquidated in part. */
export async function withLoans(session: BrowserSession, shoot: Shoot): Promise<void> {
  const { page, text } = session
  await page.locator('section[aria-labelledby="repayment"] dl').waitFor()
  await shoot('home', true)
  await page.locator('.lending-grid .figure').first().click()
  await shoot('home-total')
  await page.keyboard.press('Escape')
  await session.open('#/mine')
  await page.locator('[data-asset="USDT"]').waitFor()
  await shoot('mine', true)
  await fund(session, shoot)
  await projects(session, shoot)
  await loan(session, shoot)
  await installments(session, shoot)
  await position(session, shoot)
  await lever(session, shoot)
  await session.open('#/notices')
  await page.locator('[data-notice="loanLiquidated"]').waitFor()
  await shoot('notices', true)
  await session.open('#/statement')
  await page.getByText(text('route.statement')).filter({ visible: true }).first().waitFor()
  await shoot('statement')
}

async function fund(session: BrowserSession, shoot: Shoot): Promise<void> {
  const { page, text } = session
  await session.open('#/finance')
  await page.locator('[data-bill]').first().waitFor()
  await shoot('finance', true)
  await page.locator('.fund-figures .figure').nth(3).click()
  await shoot('finance-explained')
  await page.keyboard.press('Escape')
  await session.button('finance.in').click()
  await session.dialog('finance.in').getByLabel(text('finance.quantity'), { exact: true }).fill('1.5')
  await shoot('finance-in-problem')
  await session.dialog('finance.in').getByLabel(text('finance.quantity'), { exact: true }).fill('250')
  await shoot('finance-in')
  await page.keyboard.press('Escape')
  await session.button('finance.out').click()
  await shoot('finance-out')
  await page.keyboard.press('Escape')
  await page.locator('[data-bill]').first().click()
  await shoot('finance-bill')
  await page.keyboard.press('Escape')
}

async function projects(session: BrowserSession, shoot: Shoot): Promise<void> {
  const { page, text } = session
  await session.open('#/project')
  await page.locator('.project-card').nth(1).waitFor()
  await shoot('project-list', true)
  await page
    .locator('.project-card')
    .filter({ has: page.getByText('JU', { exact: true }) })
    .click()
  await page.getByLabel(text('project.amount'), { exact: true }).fill('123.45')
  const next = session.button('project.next')
  await next.and(page.locator(':not([aria-disabled])')).waitFor()
  await shoot('project', true)
  await next.click()
  await session.dialog('project.review').locator('.price-sentence').waitFor()
  await sheet(session, shoot, 'project-review')
}

async function loan(session: BrowserSession, shoot: Shoot): Promise<void> {
  const { page, text } = session
  await session.open('#/lending')
  await page.locator('[data-loan]').nth(1).waitFor()
  await shoot('lending', true)
  await page.locator('[data-loan][data-state="installment"]').click()
  await page.locator('.loan .price-sentence').first().waitFor()
  await shoot('loan', true)
  const repay = session.dialog('lending.repay')
  await page
    .locator('main')
    .getByRole('button', { name: text('lending.repay'), exact: true })
    .click()
  await repay.locator('.row').first().waitFor()
  await sheet(session, shoot, 'repay-full', false)
  await choose(repay, text('lending.source.wallet'))
  await repay.locator('[data-allowance], .allowance').first().waitFor()
  await sheet(session, shoot, 'repay-full-wallet', false)
  await choose(repay, text('lending.mode.next'))
  await choose(repay, text('lending.source.wallet'))
  await repay.locator('[data-allowance], .allowance').first().waitFor()
  await sheet(session, shoot, 'repay-next-wallet', false)
  await choose(repay, text('lending.mode.amount'))
  await choose(repay, text('lending.source.balance'))
  await repay.getByLabel(text('lending.amount'), { exact: true }).fill('99999')
  await sheet(session, shoot, 'repay-amount-problem')
  await session.button('lending.add').click()
  await session.dialog('lending.add').getByLabel(text('lending.quantity'), { exact: true }).first().fill('10')
  await sheet(session, shoot, 'collateral-add')
  await session.button('lending.release').click()
  await session.dialog('lending.release').getByLabel(text('lending.quantity'), { exact: true }).first().fill('5')
  await sheet(session, shoot, 'collateral-release')
  await page.locator('.loan-link').click()
  await page.locator('.repayment').first().waitFor()
  await shoot('repayments', true)
  await page.locator('.repayment').first().click()
  await shoot('repayments-explained')
  await page.keyboard.press('Escape')
}

/** The whole schedule before a loan is turned into installments, of as many as its debt is enough for. */
async function installments(session: BrowserSession, shoot: Shoot): Promise<void> {
  const { page } = session
  await session.open('#/lending')
  await page.locator('[data-loan][data-state="active"]').last().click()
  await session.button('lending.toInstallments').click()
  const choice = session.dialog('lending.toInstallments')
  await choice.locator('.verdict[data-agrees]').waitFor()
  await sheet(session, shoot, 'installments-3', false)
  await choose(choice, '9')
  await choice.locator('.figure-table tbody tr').nth(8).waitFor()
  await sheet(session, shoot, 'installments-9')
}

async function position(session: BrowserSession, shoot: Shoot): Promise<void> {
  const { page } = session
  await session.open('#/lending')
  await page.locator('[data-loan][data-state="active"]').first().click()
  await page.locator('[data-liquidation]').first().waitFor()
  await shoot('position', true)
  await page.locator('[data-liquidation]').first().click()
  await sheet(session, shoot, 'position-report')
}

async function lever(session: BrowserSession, shoot: Shoot): Promise<void> {
  const { page, text } = session
  await session.open('#/lever')
  await page.getByLabel(text('lever.margin'), { exact: true }).fill('500')
  await page.getByLabel(text('lever.ratio'), { exact: true }).fill('40')
  await page.locator('.lever-form .verdict[data-agrees]').waitFor()
  await shoot('lever-form', true)
  await session.button('lever.next').click()
  const warned = session.dialog('lever.review')
  await warned.getByRole('checkbox').check()
  await sheet(session, shoot, 'lever-review-warned')
  await page.getByLabel(text('lever.ratio'), { exact: true }).fill('30')
  await page.locator('.lever-form .verdict[data-agrees]').waitFor()
  await session.button('lever.next').click()
  await session.dialog('lever.review').locator('.price-sentence').waitFor()
  await sheet(session, shoot, 'lever-review')
  await session.button('lever.view.positions').click()
  await page.locator('.lever-position').waitFor()
  await shoot('lever-positions', true)
  await session.button('lever.addMargin').click()
  await session.dialog('lever.addMargin').getByLabel(text('lever.margin'), { exact: true }).first().fill('100')
  await sheet(session, shoot, 'lever-margin')
  // The word is also that of the sheet's own button, which may still be gliding out.
  await page
    .locator('.lever-actions')
    .getByRole('button', { name: text('lever.close'), exact: true })
    .click()
  await session.dialog('lever.close').locator('.row').first().waitFor()
  await page.waitForTimeout(800)
  await sheet(session, shoot, 'lever-close')
}

/** A sheet as it opens, and its end where it scrolls. */
async function sheet(session: BrowserSession, shoot: Shoot, name: string, leave = true): Promise<void> {
  await shoot(name)
  const scrolls = await session.page.evaluate(() => {
    type Scrolled = { scrollHeight: number; clientHeight: number; scrollTop: number }
    const { document } = globalThis as unknown as { document: { querySelectorAll(of: string): Iterable<Scrolled> } }
    const open = [...document.querySelectorAll('dialog[open], dialog[open] *')]
    const inner = open.filter((part) => part.scrollHeight > part.clientHeight + 4)
    for (const part of inner) part.scrollTop = part.scrollHeight
    return inner.some((part) => part.scrollTop > 0)
  })
  if (scrolls) await shoot(`${name}-end`)
  if (leave) await session.page.keyboard.press('Escape')
}

const choose = (within: Locator, name: string) => within.getByRole('radio', { name, exact: true }).check()

/** The same screens of somebody new, and without answers. */
export async function withoutLoans(session: BrowserSession, shoot: Shoot): Promise<void> {
  const { page, text } = session
  await page.locator('section[aria-labelledby="repayment"]').waitFor()
  await shoot('empty-home', true)
  await session.open('#/finance')
  await page.getByText(text('finance.noBills'), { exact: true }).waitFor()
  await shoot('empty-finance', true)
  await session.open('#/lending')
  await page.getByText(text('lending.none'), { exact: true }).waitFor()
  await shoot('empty-lending')
  await session.open('#/lever')
  await page.getByLabel(text('lever.margin'), { exact: true }).waitFor()
  await shoot('empty-lever')
  await session.button('lever.next').dispatchEvent('click')
  await shoot('empty-lever-asked')
  await session.button('lever.view.positions').click()
  await page.getByText(text('lever.none'), { exact: true }).waitFor()
  await shoot('empty-positions')
  await session.open('#/repayments')
  await page.getByText(text('repayments.noLoan'), { exact: true }).waitFor()
  await shoot('empty-repayments')
  await page.route('**/api/**', (route) => route.abort())
  for (const screen of ['index', 'finance', 'project', 'lending', 'lever']) {
    await session.open(`#/${screen}`)
    await page.reload()
    await page.getByText(text('state.failed'), { exact: true }).first().waitFor()
    await shoot(`failed-${screen}`)
  }
}
