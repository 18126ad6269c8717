import type { Locator } from 'playwright-core'
import { parseEther } from 'viem'
import { operate } from '../support/operator.ts'
import { giveToken, type Newcomer } from '../support/people.ts'
import type { Product } from '../support/product.ts'
import type { Stage } from '../support/browser-session.ts'
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
type Scene = { product: Product; person: Newcomer; shoot: Shoot }

/** The ways in and out, what one has, and the ranking. `stage` is signed in as `person`, who needs some JU for fees. */
export async function payingInAndOut(stage: Stage, scene: Scene): Promise<void> {
  await withNothing(stage, scene)
  await giveToken(scene.product.rpcUrl, scene.product.contracts.usdt, scene.person.wallet.address, parseEther('30000'))
  await depositing(stage, scene)
  await withdrawing(stage, scene)
  await owning(stage, scene)
  await withoutAnswers(stage, scene)
}

async function withNothing(stage: Stage, { shoot }: Scene): Promise<void> {
  await openDeposit(stage)
  await stage.page.getByText(stage.text('deposit.empty'), { exact: true }).waitFor()
  await shoot('deposit-empty-whole', true)
  await openWithdrawal(stage)
  await stage.page.getByText(stage.text('withdraw.empty'), { exact: true }).waitFor()
  await shoot('withdrawal-empty-whole', true)
  await stage.open('#/mine')
  await stage.page.locator('[data-asset="USDT"]').waitFor()
  await shoot('mine-empty-whole', true)
  await stage.open('#/list')
  await stage.page.locator('.boards').waitFor()
  await shoot('list')
  await stage.button('list.team').click()
  await shoot('list-team')
}

async function depositing(stage: Stage, { person, shoot }: Scene): Promise<void> {
  const { page, text } = stage
  await openDeposit(stage)
  await page.getByRole('radio', { name: 'USDT', exact: true }).check()
  await page.locator('.amount-input-head:visible').getByText('30,000').waitFor()
  await inSight(stage, 'deposit.amount').fill('30000.000000000000000001')
  await shoot('deposit-problem')
  person.wallet.refuseNext('eth_sendTransaction')
  await askToDeposit(stage, { asset: 'USDT', amount: '12345.678901234567890123' })
  await stage.toast('pay.failed').waitFor()
  await shoot('deposit-refused')
  await page.getByRole('radio', { name: text('allow.max') }).check()
  await shoot('deposit-maximum')
  await askToDeposit(stage, { asset: 'USDT', amount: '27000' })
  await newestDeposit(stage).getByText('27,000').waitFor()
  await hasState(newestDeposit(stage), 'confirming')
  await shoot('deposit-confirming')
  await hasState(newestDeposit(stage), 'credited')
  await page.locator('[data-allowance]').getByText(text('allow.unlimited')).waitFor()
  await shoot('deposit-filled-whole', true)
}

async function withdrawing(stage: Stage, { product, shoot }: Scene): Promise<void> {
  await openWithdrawal(stage)
  await fillWithdrawal(stage, '4.99')
  await stage.page.locator('.field-error').filter({ hasText: /\S/ }).first().waitFor()
  await shoot('withdrawal-problem')
  await fillWithdrawal(stage, '26000')
  await stage.page.getByText(stage.text('withdraw.needsReview')).waitFor()
  await shoot('withdrawal-needs-review')
  await review(stage, '25.5')
  await shoot('withdrawal-sheet')
  await stage.button('withdraw.confirm', stage.dialog('withdraw.review')).click()
  await hasState(newestWithdrawal(stage), 'done')
  await newestWithdrawal(stage).locator('summary').click()
  await newestWithdrawal(stage).scrollIntoViewIfNeeded()
  await shoot('withdrawal-done-whole', true)
  await review(stage, '26000')
  await stage.button('withdraw.confirm', stage.dialog('withdraw.review')).click()
  await newestWithdrawal(stage).getByText('26,000').first().waitFor()
  await hasState(newestWithdrawal(stage), 'review')
  await shoot('withdrawal-review-whole', true)
  const number = (await newestWithdrawal(stage).getAttribute('data-withdrawal')) ?? ''
  await operate(product.databaseUrl, 'ada', 'withdrawal', 'reject', number, '--note', 'please write to us first')
  await hasState(newestWithdrawal(stage), 'rejected')
  await shoot('withdrawal-rejected-whole', true)
}

async function owning(stage: Stage, { shoot }: Scene): Promise<void> {
  const { page, text } = stage
  await stage.open('#/mine')
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
  await stage.button('mine.uidSave').click()
  await page.locator('.field-error').filter({ hasText: /\S/ }).first().waitFor()
  await shoot('mine-uid-problem')
  await page.keyboard.press('Escape')
}

async function withoutAnswers(stage: Stage, { shoot }: Scene): Promise<void> {
  await stage.page.route('**/api/**', (route) => route.abort())
  for (const screen of ['deposit', 'withdrawal', 'mine', 'list']) {
    await stage.open(`#/${screen}`)
    await stage.page.reload()
    await stage.page.getByText(stage.text('state.failed'), { exact: true }).first().waitFor()
    await shoot(`${screen}-failed`)
  }
}

const hasState = (row: Locator, state: string) =>
  row.and(row.page().locator(`[data-state="${state}"]`)).waitFor({ timeout: 60_000 })

async function review(stage: Stage, amount: string): Promise<void> {
  await fillWithdrawal(stage, amount)
  await stage.button('withdraw.next').and(stage.page.locator(':not([aria-disabled])')).click()
  await stage.dialog('withdraw.review').waitFor()
}
