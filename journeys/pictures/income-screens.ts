/**
 * Takes pictures of the income screens at 390 × 844 in each language: filled, the card, empty and failed. Run as
 * `node journeys/pictures/income-screens.ts <folder> [zh|tw|en …]`; what is seen is the production build on a chain with a past.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { testAccounts } from '@candela/devnet/accounts'
import { HOLDER } from '@candela/devnet/history'
import { rootInvitation } from '@candela/devnet/seed'
import { type Language, languages } from '@candela/protocol/language'
import { privateKeyToAccount } from 'viem/accounts'
import { startBrowser } from '../support/browser.ts'
import { newcomer, walletOf } from '../support/people.ts'
import { startProduct } from '../support/product.ts'
import { openStage, type Stage } from '../support/browser-session.ts'

const [folder, ...wanted] = process.argv.slice(2)
if (folder === undefined) {
  process.stderr.write('Say where the pictures go: node journeys/pictures/income-screens.ts <folder> [zh|tw|en …]\n')
  process.exit(1)
}
const holder = testAccounts()[HOLDER]
if (holder === undefined) throw new Error('The development chain has too few accounts')

const product = await startProduct('production', { SEED_HISTORY: 'full' })
const browser = await startBrowser()

async function shoot(stage: Stage, language: Language, name: string, whole = false): Promise<void> {
  await stage.page.waitForTimeout(400)
  await stage.page.screenshot({ path: path.join(folder ?? '', language, `${name}.png`), fullPage: whole })
}

async function filled(stage: Stage, language: Language): Promise<void> {
  await stage.open('#/index')
  await stage.connectButton().click()
  await stage.page.getByText(stage.text('home.power'), { exact: true }).waitFor()
  await stage.open('#/incomeList')
  await stage.page.locator('[data-income]').first().waitFor()
  await shoot(stage, language, 'income')
  await stage.page.locator('.income-bar').last().click()
  await shoot(stage, language, 'income-day-picked')
  await stage.page.locator('[data-income]').first().click()
  await stage.page.locator('.income-verdict').waitFor()
  await shoot(stage, language, 'income-card')
  await stage.page.locator('.income-day summary').click()
  await stage.page.locator('.income-day').scrollIntoViewIfNeeded()
  await shoot(stage, language, 'income-card-whole-day')
  await stage.button('ui.close').click()
  await stage.button('income.referral').click()
  await stage.page.getByText(stage.text('income.noReferral'), { exact: true }).waitFor()
  await shoot(stage, language, 'income-no-referral')
  await stage.open('#/hashList')
  await stage.page.locator('[data-change]').first().waitFor()
  await shoot(stage, language, 'hash', true)
  await stage.open('#/computing')
  await stage.page.locator('.cases').waitFor()
  await shoot(stage, language, 'computing', true)
  await stage.page.route('**/api/**', (route) => route.abort())
  for (const screen of ['incomeList', 'hashList']) {
    await stage.open(`#/${screen}`)
    await stage.page.reload()
    await stage.page.getByText(stage.text('state.failed'), { exact: true }).first().waitFor()
    await shoot(stage, language, `${screen}-failed`)
  }
}

async function empty(stage: Stage, language: Language): Promise<void> {
  await stage.open('#/index')
  await stage.page.getByText(stage.text('figure.totalUnits')).waitFor()
  await shoot(stage, language, 'visitor', true)
  await stage.open(`#/index?code=${rootInvitation}`)
  await stage.connectButton().click()
  await stage.button('invite.confirm', stage.dialog('invite.title')).click()
  await stage.page.getByText(stage.text('home.power'), { exact: true }).waitFor()
  for (const [screen, text] of [
    ['incomeList', 'income.none'],
    ['hashList', 'hash.none'],
  ] as const) {
    await stage.open(`#/${screen}`)
    await stage.page.getByText(stage.text(text), { exact: true }).waitFor()
    await shoot(stage, language, `${screen}-empty`)
  }
}

try {
  for (const language of languages.filter((each) => wanted.length === 0 || wanted.includes(each))) {
    await mkdir(path.join(folder, language), { recursive: true })
    const { origin } = product
    const owner = walletOf(product.rpcUrl, privateKeyToAccount(holder.privateKey))
    const one = await openStage({ browser: browser.browser, origin, language, wallets: [owner.pageWallet] })
    await filled(one, language)
    await one.close()
    const person = await newcomer(product.rpcUrl)
    const other = await openStage({ browser: browser.browser, origin, language, wallets: [person.pageWallet] })
    await empty(other, language)
    await other.close()
  }
} finally {
  await browser.close()
  await product.stop()
}
