/**
 * Takes pictures of the income screens at 390 × 844 in each language: filled, the card, empty and failed. Run as
 * `npx node tests/journeys/pictures/income-screens.ts <folder> [zh|tw|en …]`; what is seen is the production build on a chain with a history of some days.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { testAccounts } from '@candela/testing/chain/accounts'
import { HOLDER } from '@candela/devnet/seed/history'
import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import { type Language, languages } from '@candela/protocol/language'
import { privateKeyToAccount } from 'viem/accounts'
import { startBrowser } from '@candela/testing/browser/browser'
import { newcomer, walletOf } from '../support/people.ts'
import { startProduct } from '../support/products/product.ts'
import { openBrowserSession, type BrowserSession } from '@candela/testing/browser/browser-session'
import { showHelp } from '../../../scripts/usage.ts'

showHelp(import.meta.filename)

const [folder, ...wanted] = process.argv.slice(2)
if (folder === undefined) {
  process.stderr.write(
    'Say where the pictures go: npx node tests/journeys/pictures/income-screens.ts <folder> [zh|tw|en …]\n',
  )
  process.exit(1)
}
const holder = testAccounts()[HOLDER]
if (holder === undefined) throw new Error('The development chain has too few accounts')

const product = await startProduct({ mode: 'production', env: { SEED_HISTORY: 'full' } })
const browser = await startBrowser()

async function shoot(session: BrowserSession, language: Language, name: string, whole = false): Promise<void> {
  await session.page.waitForTimeout(400)
  await session.page.screenshot({ path: path.join(folder ?? '', language, `${name}.png`), fullPage: whole })
}

async function filled(session: BrowserSession, language: Language): Promise<void> {
  await session.open('#/index')
  await session.connectButton().click()
  await session.page.getByText(session.text('home.power'), { exact: true }).waitFor()
  await session.open('#/incomeList')
  await session.page.locator('[data-income]').first().waitFor()
  await shoot(session, language, 'income')
  await session.page.getByLabel(session.text('chart.pickDay')).press('ArrowLeft')
  await shoot(session, language, 'income-day-picked')
  await session.page.locator('[data-income]').first().click()
  await session.page.locator('.income-verdict').waitFor()
  await shoot(session, language, 'income-card')
  const wholeDay = session.page.locator('dialog .fold')
  await wholeDay.locator('summary').click()
  await wholeDay.scrollIntoViewIfNeeded()
  await shoot(session, language, 'income-card-whole-day')
  await session.button('ui.close').click()
  await session.button('income.referral').click()
  await session.page.getByText(session.text('income.noReferral'), { exact: true }).waitFor()
  await shoot(session, language, 'income-no-referral')
  await session.open('#/hashList')
  await session.page.locator('[data-change]').first().waitFor()
  await shoot(session, language, 'hash', true)
  await session.open('#/computing')
  await session.page.locator('.cases').waitFor()
  await shoot(session, language, 'computing', true)
  await session.page.route('**/api/**', (route) => route.abort())
  for (const screen of ['incomeList', 'hashList']) {
    await session.open(`#/${screen}`)
    await session.page.reload()
    await session.page.getByText(session.text('state.failed'), { exact: true }).first().waitFor()
    await shoot(session, language, `${screen}-failed`)
  }
}

async function empty(session: BrowserSession, language: Language): Promise<void> {
  await session.open('#/index')
  await session.page.getByText(session.text('figure.totalUnits')).waitFor()
  await shoot(session, language, 'visitor', true)
  await session.open(`#/index?code=${rootInvitation}`)
  await session.connectButton().click()
  await session.button('invite.confirm', session.dialog('invite.title')).click()
  await session.page.getByText(session.text('home.power'), { exact: true }).waitFor()
  for (const [screen, text] of [
    ['incomeList', 'income.none'],
    ['hashList', 'hash.none'],
  ] as const) {
    await session.open(`#/${screen}`)
    await session.page.getByText(session.text(text), { exact: true }).waitFor()
    await shoot(session, language, `${screen}-empty`)
  }
}

try {
  for (const language of languages.filter((each) => wanted.length === 0 || wanted.includes(each))) {
    await mkdir(path.join(folder, language), { recursive: true })
    const { origin } = product
    const owner = walletOf(product, privateKeyToAccount(holder.privateKey))
    const one = await openBrowserSession({ browser: browser.browser, origin, language, wallets: [owner.pageWallet] })
    await filled(one, language)
    await one.close()
    const person = await newcomer(product)
    const other = await openBrowserSession({ browser: browser.browser, origin, language, wallets: [person.pageWallet] })
    await empty(other, language)
    await other.close()
  }
} finally {
  await browser.close()
  await product.stop()
}
