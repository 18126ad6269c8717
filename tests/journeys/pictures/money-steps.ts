import type { Locator } from 'playwright-core'
import { parseEther } from 'viem'
import { operate } from '../support/operator.ts'
import { give, type Newcomer } from '../support/people.ts'
import type { Product } from '../support/products/product.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import {
  askToDeposit,
  fillWithdrawal,
  inSight,
  newestDeposit,
  newestWithdrawal,
  openDeposit,
  openWithdrawal,
} from '../support/steps.ts'

type Shoot = (name: string, whole?: boolean) => Promise<void>
type Context = { product: Product; person: Newcomer; shoot: Shoot }

/** The ways in and out, what one has, and the ranking. `session` is signed in as `person`, who needs some JU for fees. */
export async function payingInAndOut(session: BrowserSession, context: Context): Promise<void> {
  await withNothing(session, context)
  await give(context.product, { to: context.person.wallet.address, usdt: parseEther('30000') })
  await depositing(session, context)
  await withdrawing(session, context)
  await owning(session, context)
  await withoutAnswers(session, context)
}

async function withNothing(session: BrowserSession, { shoot }: Context): Promise<void> {
  await openDeposit(session)
  await session.page.getByText(session.text('deposit.empty'), { exact: true }).waitFor()
  await shoot('deposit-empty-whole', true)
  await openWithdrawal(session)
  await session.page.getByText(session.text('withdraw.empty'), { exact: true }).waitFor()
  await shoot('withdrawal-empty-whole', true)
  await session.open('#/mine')
  await session.page.locator('[data-asset="USDT"]').waitFor()
  await shoot('mine-empty-whole', true)
  await session.open('#/list')
  await session.page.locator('.boards').waitFor()
  await shoot('list')
  await session.button('list.team').click()
  await shoot('list-team')
}

async function depositing(session: BrowserSession, { person, shoot }: Context): Promise<void> {
  const { page, text } = session
  await openDeposit(session)
  await page.getByRole('radio', { name: 'USDT', exact: true }).check()
  await page.locator('.amount-input-head:visible').getByText('30,000').waitFor()
  await inSight(session, 'deposit.amount').fill('30000.000000000000000001')
  await shoot('deposit-problem')
  person.wallet.refuseNext('eth_sendTransaction')
  await askToDeposit(session, { asset: 'USDT', amount: '12345.678901234567890123' })
  await session.toast('pay.approvalRefused').waitFor()
  await shoot('deposit-refused')
  await page.getByRole('radio', { name: text('allow.max') }).check()
  await shoot('deposit-maximum')
  await askToDeposit(session, { asset: 'USDT', amount: '27000' })
  await newestDeposit(session).getByText('27,000').waitFor()
  await hasState(newestDeposit(session), 'confirming')
  await shoot('deposit-confirming')
  await hasState(newestDeposit(session), 'credited')
  await page.locator('[data-allowance]').getByText(text('allow.unlimited')).waitFor()
  await shoot('deposit-filled-whole', true)
}

async function withdrawing(session: BrowserSession, { product, shoot }: Context): Promise<void> {
  await openWithdrawal(session)
  await fillWithdrawal(session, '4.99')
  await session.page.locator('.field-error').filter({ hasText: /\S/ }).first().waitFor()
  await shoot('withdrawal-problem')
  await fillWithdrawal(session, '26000')
  await session.page.getByText(session.text('withdraw.needsReview')).waitFor()
  await shoot('withdrawal-needs-review')
  await review(session, '25.5')
  await shoot('withdrawal-sheet')
  await session.button('withdraw.confirm', session.dialog('withdraw.review')).click()
  await hasState(newestWithdrawal(session), 'done')
  await newestWithdrawal(session).locator('summary').click()
  await newestWithdrawal(session).scrollIntoViewIfNeeded()
  await shoot('withdrawal-done-whole', true)
  await review(session, '26000')
  await session.button('withdraw.confirm', session.dialog('withdraw.review')).click()
  await newestWithdrawal(session).getByText('26,000').first().waitFor()
  await hasState(newestWithdrawal(session), 'review')
  await shoot('withdrawal-review-whole', true)
  const number = (await newestWithdrawal(session).getAttribute('data-withdrawal')) ?? ''
  await operate(product, 'first', 'withdrawal', 'reject', number, '--note', 'please write to us first')
  await hasState(newestWithdrawal(session), 'rejected')
  await shoot('withdrawal-rejected-whole', true)
}

async function owning(session: BrowserSession, { shoot }: Context): Promise<void> {
  const { page, text } = session
  await session.open('#/mine')
  await page.locator('[data-asset="USDT"]').getByText('26,974').first().waitFor()
  await shoot('mine-filled-whole', true)
  await page.locator('[data-asset="USDT"]').click()
  await shoot('mine-asset')
  await page.keyboard.press('Escape')
  await page.locator('.mine-uid').click()
  await page
    .getByRole('dialog', { name: text('mine.uid') })
    .getByRole('textbox')
    .fill('-5')
  await session.button('mine.uidSave').click()
  await page.locator('.field-error').filter({ hasText: /\S/ }).first().waitFor()
  await shoot('mine-uid-problem')
  await page.keyboard.press('Escape')
}

async function withoutAnswers(session: BrowserSession, { shoot }: Context): Promise<void> {
  await session.page.route('**/api/**', (route) => route.abort())
  for (const screen of ['deposit', 'withdrawal', 'mine', 'list']) {
    await session.open(`#/${screen}`)
    await session.page.reload()
    await session.page.getByText(session.text('state.failed'), { exact: true }).first().waitFor()
    await shoot(`${screen}-failed`)
  }
}

const hasState = (row: Locator, state: string) => row.and(row.page().locator(`[data-state="${state}"]`)).waitFor()

async function review(session: BrowserSession, amount: string): Promise<void> {
  await fillWithdrawal(session, amount)
  await session.button('withdraw.next').and(session.page.locator(':not([aria-disabled])')).click()
  await session.dialog('withdraw.review').waitFor()
}
