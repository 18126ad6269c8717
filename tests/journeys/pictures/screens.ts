/**
 * Takes pictures of every finished screen at 390 × 844 in each language: empty, filled and failed, for people to look
 * at. Run as `npx node tests/journeys/pictures/screens.ts <folder> [narrow] [zh|tw|en …]`; narrow is 360 × 740. What is seen is the
 * production build on a real chain. It says which screens are wider than the screen of the phone.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import { type Language, languages } from '@candela/protocol/language'
import { parseEther } from 'viem'
import { type RunningBrowser, startBrowser } from '@candela/testing/browser/browser'
import { signingInEverywhere } from './device-steps.ts'
import { exchanging } from './exchange-steps.ts'
import { payingInAndOut } from './money-steps.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { manyConfirmations, type Product, startProduct } from '../support/products/product.ts'
import { records } from './record-steps.ts'
import { waitUntil } from '@candela/testing/browser/wait-until'
import { openBrowserSession, type BrowserSession } from '@candela/testing/browser/browser-session'
import { transferring } from './transfer-steps.ts'
import { showHelp } from '../../../scripts/usage.ts'

showHelp(import.meta.filename)

const [folder, ...wanted] = process.argv.slice(2)
if (folder === undefined) {
  process.stderr.write(
    'Say where the pictures go: npx node tests/journeys/pictures/screens.ts <folder> [narrow] [zh|tw|en …]\n',
  )
  process.exit(1)
}
const narrow = wanted.includes('narrow')
const shown = languages.filter(
  (language) => !languages.some((each) => wanted.includes(each)) || wanted.includes(language),
)

type Page = { screen: { width: number }; document: { documentElement: { scrollWidth: number } } }
type Setting = { product: Product; browser: RunningBrowser; language: Language }

/** Opens a browser of its own for a few pictures and closes it. */
async function inNewSession(
  { product, browser, language }: Setting,
  people: readonly Newcomer[],
  run: (session: BrowserSession, shoot: (name: string, whole?: boolean) => Promise<void>) => Promise<void>,
): Promise<void> {
  const wallets = people.map(({ pageWallet }, at) => ({
    ...pageWallet,
    name: `Wallet ${at + 1}`,
    rdns: `test.wallet${at}`,
  }))
  const session = await openBrowserSession({
    browser: browser.browser,
    origin: product.origin,
    language,
    wallets,
    ...(narrow && { size: { width: 360, height: 740 } }),
  })
  const shoot = async (name: string, whole = false) => {
    // Fonts, pictures and the last transition.
    await session.page.waitForTimeout(400)
    await session.page.screenshot({ path: path.join(folder ?? '', language, `${name}.png`), fullPage: whole })
    const excess = await session.page.evaluate(() => {
      const { document, screen } = globalThis as unknown as Page
      return document.documentElement.scrollWidth - screen.width
    })
    process.stdout.write(`${language}/${name}${excess > 0 ? ` is ${excess} px too wide` : ''}\n`)
  }
  try {
    await run(session, shoot)
  } finally {
    await session.close()
  }
}

async function signIn(session: BrowserSession, code: string): Promise<void> {
  await session.open(`#/index?code=${code}`)
  await session.connectButton().click()
  await session.button('invite.confirm', session.dialog('invite.title')).click()
  await session.page.getByText(session.text('home.power'), { exact: true }).waitFor()
}

async function visitor(setting: Setting): Promise<void> {
  await inNewSession(setting, [], async (session, shoot) => {
    await session.open()
    await session.page.getByText(session.text('figure.totalUnits')).waitFor()
    await shoot('visitor')
    await shoot('visitor-whole', true)
    await session.button('language.button').click()
    await shoot('language-sheet')
    await session.page.keyboard.press('Escape')
    await session.connectButton().click()
    await session.toast('wallet.notInstalled').waitFor()
    await shoot('visitor-no-wallet')
  })
}

async function waysIn(setting: Setting): Promise<void> {
  const { product } = setting
  const person = await newcomer(product)
  await inNewSession(setting, [person, await newcomer(product)], async (session, shoot) => {
    await session.open()
    await session.connectButton().click()
    await session.dialog('wallet.choose').waitFor()
    await shoot('wallet-chooser')
    await session.dialog('wallet.choose').getByRole('button', { name: 'Wallet 1' }).click()
    await session.dialog('invite.title').waitFor()
    await shoot('invitation-sheet-empty')
    await session.dialog('invite.title').getByRole('textbox').fill('NOSUCHCODE')
    await session.button('invite.confirm', session.dialog('invite.title')).click()
    await session.dialog('invite.title').getByRole('alert').filter({ hasText: /\S/ }).waitFor()
    await shoot('invitation-sheet-refused')
  })
  const reluctant = await newcomer(product)
  await inNewSession(setting, [reluctant], async (session, shoot) => {
    reluctant.wallet.refuseNext('personal_sign')
    await session.open(`#/index?code=${rootInvitation}`)
    await session.connectButton().click()
    await session.button('invite.confirm', session.dialog('invite.title')).click()
    await session.toast('wallet.refused').waitFor()
    await shoot('visitor-signature-refused')
  })
  await inNewSession(setting, [await newcomer(product, { chainId: 1 })], async (session, shoot) => {
    await session.open()
    await session.connectButton().click()
    const dialog = session.dialog('network.title')
    await session.button('network.recheck', dialog).click()
    await shoot('network-dialog')
  })
}

async function everywhere(setting: Setting): Promise<void> {
  const { product } = setting
  const person = await newcomer(product)
  await inNewSession(setting, [person], (session, shoot) => signingInEverywhere(session, { product, person, shoot }))
}

async function user(setting: Setting): Promise<void> {
  const { product } = setting
  const person = await newcomer(product, { ju: parseEther('500') })
  await inNewSession(setting, [person], async (session, shoot) => {
    await signIn(session, rootInvitation)
    await shoot('home-empty')
    await shoot('home-empty-whole', true)
    await session.page.getByRole('banner').getByText('…').click()
    await session.dialog('account.title').waitFor()
    await shoot('account-sheet')
    await session.page.keyboard.press('Escape')
    await session.open('#/order')
    await session.page.getByText(session.text('order.empty'), { exact: true }).waitFor()
    await shoot('order-empty')
    await session.open('#/invitation')
    await session.page.getByText(session.text('friends.none'), { exact: true }).waitFor()
    await shoot('invitation-waits')
    await payIn(product, person, '0.2')
    await waitUntil('the code is open', async () => {
      await session.page.reload()
      await session.page.locator('.own-code, .no-code').waitFor()
      return session.page.locator('.own-code-text').isVisible()
    })
    await shoot('invitation-empty')
    await shoot('invitation-empty-whole', true)
    const code = await session.page.locator('.own-code-text').innerText()
    const uid = await inviteSomebody(setting, code)
    await session.page.reload()
    await session.page.locator('.friend').waitFor()
    await shoot('invitation-filled-whole', true)
    await session.open('#/finance')
    await session.page.getByText(session.text('finance.noBills'), { exact: true }).waitFor()
    await shoot('finance-empty-whole', true)
    await buying(session, person, shoot)
    await transferring(session, { product, person, uid, shoot })
    await exchanging(session, { product, person, shoot })
    await withoutAnswers(session, shoot)
  })
}

async function withMoney(setting: Setting): Promise<void> {
  const { product } = setting
  const person = await newcomer(product, { ju: parseEther('10') })
  await inNewSession(setting, [person], async (session, shoot) => {
    await signIn(session, rootInvitation)
    await payingInAndOut(session, { product, person, shoot })
  })
}

async function withRecords(setting: Setting): Promise<void> {
  const person = await newcomer(setting.product, { ju: parseEther('50') })
  await inNewSession(setting, [person], async (session, shoot) => {
    await signIn(session, rootInvitation)
    await records(setting.product, person, session, shoot)
  })
}

/** Returns the UID of somebody who came by this code. */
async function inviteSomebody(setting: Setting, code: string): Promise<string> {
  let uid = ''
  await inNewSession(setting, [await newcomer(setting.product)], async (session) => {
    await signIn(session, code)
    uid = (
      await session.page
        .getByText(/^UID \d+$/)
        .first()
        .innerText()
    ).replace('UID ', '')
  })
  return uid
}

async function buying(
  session: BrowserSession,
  person: Newcomer,
  shoot: (name: string, whole?: boolean) => Promise<void>,
) {
  await session.open('#/computing')
  const pay = session.button('buy.pay')
  await pay.waitFor()
  await pay.and(session.page.locator(':enabled')).waitFor()
  await shoot('computing')
  await shoot('computing-whole', true)
  person.wallet.refuseNext('eth_sendTransaction')
  await pay.click()
  await session.toast('pay.refused').waitFor()
  await shoot('order-payment-failed')
  await session.button('order.pay').click()
  await session.page.locator('[data-state="confirming"]').waitFor()
  await shoot('order-confirming')
  await session.page.locator('[data-state="active"]').waitFor()
  await session.page.getByText(session.text('order.details'), { exact: true }).click()
  await shoot('order-active-whole', true)
  await session.open('#/index')
  await shoot('home-filled')
}

/** The screens when the service does not answer. */
async function withoutAnswers(session: BrowserSession, shoot: (name: string) => Promise<void>): Promise<void> {
  await session.page.route('**/api/**', (route) => route.abort())
  for (const screen of ['index', 'computing', 'order', 'invitation', 'transfer', 'exchangeList']) {
    await session.open(`#/${screen}`)
    await session.page.reload()
    await session.page.getByText(session.text('state.failed'), { exact: true }).first().waitFor()
    await shoot(`${screen}-failed`)
  }
}

/** On a product of its own: the swaps of a language before would still move the price of a purchase. */
async function shootAll(browser: RunningBrowser, language: Language): Promise<void> {
  const product = await startProduct({ mode: 'production', env: manyConfirmations })
  try {
    const setting = { product, browser, language }
    await visitor(setting)
    await waysIn(setting)
    await everywhere(setting)
    await user(setting)
    await withRecords(setting)
    await withMoney(setting)
  } finally {
    await product.stop()
  }
}

const browser = await startBrowser()
try {
  for (const language of shown) {
    await mkdir(path.join(folder, language), { recursive: true })
    await shootAll(browser, language)
  }
} finally {
  await browser.close()
}
