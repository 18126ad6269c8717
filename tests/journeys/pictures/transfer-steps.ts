import { type Newcomer, payIn } from '../support/people.ts'
import type { Product } from '../support/products/product.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { inSight } from '../support/steps.ts'

type Shoot = (name: string, whole?: boolean) => Promise<void>

/** The transfer screen: empty, with what can be wrong, and from the summary to the receipt. `uid` is somebody else's. */
export async function transferring(
  session: BrowserSession,
  { product, person, uid, shoot }: { product: Product; person: Newcomer; uid: string; shoot: Shoot },
): Promise<void> {
  const { page, text, button, dialog } = session
  await session.open('#/transfer')
  await page.getByText(text('transfer.empty'), { exact: true }).waitFor()
  await shoot('transfer-empty-whole', true)
  // With what has opened the own code.
  await payIn(product, person, '123.456789')
  await page.getByRole('radio', { name: 'JU', exact: true }).check()
  await page.getByText('123.656789 JU').waitFor()
  const recipient = page.getByLabel(text('transfer.recipient'), { exact: true })
  const amount = inSight(session, 'transfer.amount')
  await recipient.fill('0x00000000000000000000000000000000000000aa')
  await amount.fill('1,234')
  await page.locator('.field-error').filter({ hasText: /\S/ }).nth(1).waitFor()
  await shoot('transfer-problems')
  await recipient.fill(uid)
  await page.locator('.recipient-found code').waitFor()
  await amount.fill('100.000000000000000001')
  await shoot('transfer-filled')
  await button('transfer.next').click()
  await dialog('transfer.review').waitFor()
  await shoot('transfer-review')
  person.wallet.refuseNext('eth_signTypedData_v4')
  await button('transfer.sign', dialog('transfer.review')).click()
  await page.getByText(text('transfer.refused')).waitFor()
  await shoot('transfer-refused')
  await page.route('**/api/**', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await button('transfer.sign', dialog('transfer.review')).click()
  await page.getByText(text('pending.looking')).waitFor()
  await shoot('transfer-pending')
  await page.unroute('**/api/**')
  await dialog('transfer.doneTitle').waitFor()
  await shoot('transfer-done')
  await button('command.close').click()
  await page.locator('[data-transfer]').first().waitFor()
  await shoot('transfer-records-whole', true)
  await page.locator('[data-transfer]').first().click()
  await shoot('transfer-record')
  await page.keyboard.press('Escape')
}
