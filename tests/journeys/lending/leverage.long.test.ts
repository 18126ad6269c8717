import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { HOUR_MS, MINUTE_MS } from '@candela/protocol/units'
import { must } from '@candela/server/kernel/assert'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { expectFinalBooksToAgree } from '../support/books.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import {
  type HomeFigures,
  homeFigures,
  intoFund,
  letTimePass,
  numberIn,
  openPosition,
} from '../support/lending-steps.ts'
import { memberIdOf, withDatabase } from '../support/database.ts'
import { expectReadable } from '@candela/testing/browser/judge-screen'
import { journeysOf, ownProduct } from '../support/journey.ts'
import { sinkJu } from '../support/market.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import { depositUsdt, signInInvited } from '../support/steps.ts'

// Trades move its price, and its time is moved, which production does not allow.
const { product, journey } = journeysOf(ownProduct({ mode: 'development' }))

let alice: Newcomer

journey(
  'three times leveraged, through a fall of the price: margin call, half of it liquidated, report, more margin, half of the rest closed',
  async () => {
    alice = await newcomer(product(), { ju: parseEther('1'), usdt: parseEther('15000') })
    return { wallets: [alice.pageWallet] }
  },
  async (session) => {
    await signInInvited(session, alice, rootInvitation, alice.pageWallet.name)
    await depositUsdt(session, '15000')
    await intoFund(session, '8000')
    const before = await homeFigures(session)
    expect(before).toMatchObject({ loan: '0.00 USDT', status: '', next: '' })

    await reviewBeginsAtItsTop(session)
    await openPosition(session, { margin: '1500', tenths: 30 })
    const opened = await homeFigures(session)
    expect(opened.status).toBe(session.text('loans.status.safe'))
    expect(numberIn(opened.loan)).toBeCloseTo(3_000, -1)

    // 67 % of debt becomes 81 % when the price falls to 82.5 %. Before the average of five minutes has followed, nobody is asked.
    await sinkJu(product(), 825_000)
    expect(await homeFigures(session)).toMatchObject({ status: session.text('loans.status.safe') })
    await letTimePass(product(), session, 6 * MINUTE_MS)
    await hasNotice(session, 'marginCall')
    await expect.poll(() => statusAtHome(session)).toBe(session.text('loans.status.warning'))

    // A day later the price of the day is this one. Then it falls once more, to 91.6 % of debt.
    await letTimePass(product(), session, 25 * HOUR_MS)
    await sinkJu(product(), 885_000)
    await letTimePass(product(), session, 6 * MINUTE_MS)
    await hasNotice(session, 'loanLiquidated')
    const halved = await homeFigures(session)
    expect(numberIn(halved.loan)).toBeCloseTo(numberIn(opened.loan) / 2, -1)
    expect(halved.status).toBe(session.text('loans.status.warning'))
    await expectReport(session)

    await letTimePass(product(), session, 35 * MINUTE_MS)
    await addMargin(session, '200')
    const safer = await homeFigures(session)
    expect(numberIn(halved.loan) - numberIn(safer.loan)).toBeCloseTo(200, 0)
    expect(safer.status).toBe(session.text('loans.status.safe'))
    await closeHalf(session)
    const after = await homeFigures(session)
    expect(numberIn(after.loan)).toBeCloseTo(numberIn(safer.loan) / 2, 0)
    expectToAddUp([before, opened, halved, safer, after])
    await expectFinalBooksToAgree(product())
  },
)

const statusAtHome = async (session: BrowserSession): Promise<string> => (await homeFigures(session)).status

async function hasNotice(session: BrowserSession, kind: 'marginCall' | 'loanLiquidated'): Promise<void> {
  await withDatabase(product(), async (db) => {
    const query = db.selectFrom('notice').select('id').where('kind', '=', kind)
    await expect.poll(async () => (await query.execute()).length).toBe(1)
  })
  await session.open('#/notices')
  await session.page.locator(`[data-notice="${kind}"]`).first().waitFor()
}

/** Every figure of the report is that of the books, and the page has computed all of it again. */
async function expectReport(session: BrowserSession): Promise<void> {
  const { page, text } = session
  const report = await withDatabase(product(), async (db) =>
    db
      .selectFrom('loan_liquidation as q')
      .innerJoin('loan as l', 'l.id', 'q.loan_id')
      .selectAll('q')
      .select('l.loan_no')
      .where('l.member_id', '=', await memberIdOf(db, alice))
      .executeTakeFirstOrThrow(),
  )
  expect(report).toMatchObject({ is_full: false, is_incomplete: false, shortfall: 0n, reason: 'line' })
  await session.open(`#/lending?no=${report.loan_no}`)
  await page.locator('[data-liquidation]').click()
  const sheet = session.dialog('lending.report')
  await sheet.locator('.verdict[data-agrees]').waitFor()
  await expectReadable(session)
  const shown = (await sheet.innerText()).replaceAll(/[\s,]/g, '')
  const figures = ['principal', 'interest', 'charges', 'collateral', 'spot', 'average_5', 'average_30'] as const
  const outcome = ['watch_price', 'sale_price', 'desk_usdt', 'sold', 'proceeds', 'repaid', 'fee'] as const
  for (const name of [...figures, ...outcome]) expect(shown, name).toContain(fromBaseUnits(report[name]))
  expect(shown).toContain(text('lending.halfDebt').replaceAll(/\s/g, ''))
  await page.keyboard.press('Escape')
}

async function addMargin(session: BrowserSession, amount: string): Promise<void> {
  const { page, text } = session
  await session.open('#/lever')
  await session.button('lever.view.positions').click()
  await session.button('lever.addMargin').click()
  const sheet = session.dialog('lever.addMargin')
  await sheet.getByLabel(text('lever.margin'), { exact: true }).first().fill(amount)
  await expectReadable(session)
  await session.button('lever.confirmMargin', sheet).and(page.locator(':not([aria-disabled])')).click()
  await session.waitForToast('lever.marginDone')
}

async function closeHalf(session: BrowserSession): Promise<void> {
  const { page, text } = session
  await session.open('#/lever')
  await session.button('lever.view.positions').click()
  await session.button('lever.close').click()
  const sheet = session.dialog('lever.close')
  await sheet.getByLabel(text('lever.percent'), { exact: true }).last().fill('50')
  await expectReadable(session)
  const confirm = sheet.getByRole('button', { name: text('lever.confirmClose', { percent: 50 }), exact: true })
  await confirm.and(page.locator(':not([aria-disabled])')).click()
  await sheet.waitFor({ state: 'hidden' })
}

/** Total assets fall with the price and with what is charged, and are never more than before. */
function expectToAddUp(figures: readonly HomeFigures[]): void {
  const totals = figures.map(({ total }) => numberIn(total))
  expect(totals).toEqual(totals.toSorted((a, b) => b - a))
}

/** A review that was read to its end and left begins at its top when it is opened again. */
async function reviewBeginsAtItsTop(session: BrowserSession): Promise<void> {
  const { page } = session
  const size = must(page.viewportSize(), 'the page has a size')
  await page.setViewportSize({ ...size, height: 480 })
  await session.open('#/lever')
  await page.getByLabel(session.text('lever.margin'), { exact: true }).fill('1500')
  await page.locator('.lever-form .verdict[data-agrees]').waitFor()
  const content = session.dialog('lever.review').locator('.sheet-content')
  const top = () => content.evaluate(({ scrollTop }) => scrollTop)
  const review = async () => {
    await session.button('lever.next').click()
    await content.locator('.price-sentence').waitFor()
  }
  await review()
  await content.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  expect(await top()).toBeGreaterThan(0)
  await page.keyboard.press('Escape')
  await content.waitFor({ state: 'hidden' })
  await review()
  expect(await top()).toBe(0)
  await page.keyboard.press('Escape')
  await page.setViewportSize(size)
}
