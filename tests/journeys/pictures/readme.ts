/**
 * Takes the three pictures of README as a newcomer sees them after `npm start`: home, a loan, the proof. `npm run pictures:readme`
 * writes them to `docs/pictures/`; they are committed.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { BORROWER, HOLDER } from '@candela/devnet/seed/history'
import { startBrowser } from '@candela/testing/browser/browser'
import { waitUntil } from '@candela/testing/browser/wait-until'
import { openBrowserSession } from '@candela/testing/browser/browser-session'
import { testAccounts } from '@candela/testing/chain/accounts'
import { privateKeyToAccount } from 'viem/accounts'
import { showHelp } from '../../../scripts/usage.ts'
import { walletOf } from '../support/people.ts'
import { startProduct } from '../support/products/product.ts'

showHelp(import.meta.filename)

const folder = path.join(import.meta.dirname, '..', '..', '..', 'docs', 'pictures')
await mkdir(folder, { recursive: true })

const product = await startProduct({ mode: 'development', env: { SEED_HISTORY: 'full' } })
const browser = await startBrowser()

/** A test account's first look at home, in its own browser. */
async function signedIn(index: number) {
  const account = testAccounts()[index]
  if (account === undefined) throw new Error(`There is no test account ${index}`)
  const { pageWallet } = walletOf(product, privateKeyToAccount(account.privateKey))
  const session = await openBrowserSession({
    browser: browser.browser,
    origin: product.origin,
    language: 'en',
    size: { width: 390, height: 844 },
    wallets: [pageWallet],
  })
  const { page } = session
  await session.open('#/index')
  await session.connectButton().click()
  await session.dialog('wallet.choose').getByRole('button', { name: pageWallet.name }).click()
  await page.getByText(session.text('home.power'), { exact: true }).waitFor()
  const shoot = async (name: string) => {
    await waitUntil('all figures are there', async () => (await page.locator('.skeleton:visible').count()) === 0)
    // Fonts, and the last transition.
    await page.waitForTimeout(500)
    await page.screenshot({ path: path.join(folder, `${name}.png`) })
  }
  return { session, page, shoot }
}

try {
  const holder = await signedIn(HOLDER)
  await holder.shoot('home')
  await holder.session.close()
  const { session, page, shoot } = await signedIn(BORROWER)
  await session.open('#/lending')
  await page.locator('.loan-card').first().click()
  await page.getByText(session.text('lending.all')).waitFor()
  await shoot('loan')
  await session.open('#/solvency')
  await session.button('proof.verify').click()
  await page.locator('[data-step="statement"][data-result="good"]').waitFor()
  await page.locator('.proof-steps').scrollIntoViewIfNeeded()
  await shoot('proof')
  await session.close()
} finally {
  await browser.close()
  await product.stop()
}
