/**
 * Takes pictures of the screens of lending in each language, at 390 × 844 and at 360 × 740: empty, filled and failed. Run as
 * `npx node tests/journeys/pictures/lending-screens.ts <folder> [zh|tw|en …]`. What is seen is the development build on a real chain, with a
 * loan in installments and a leveraged position that was liquidated in part after the price had fallen by real swaps.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import { languages } from '@candela/protocol/language'
import { HOUR_MS, MINUTE_MS } from '@candela/protocol/units'
import { parseEther } from 'viem'
import { type BrowserSession, openBrowserSession } from '@candela/testing/browser/browser-session'
import { startBrowser } from '@candela/testing/browser/browser'
import { borrowOnJu, intoFund, letTimePass, openPosition, tellTime } from '../support/lending-steps.ts'
import { sinkJu } from '../support/market.ts'
import { operate } from '../support/operator.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { startProduct } from '../support/products/product.ts'
import { askToDeposit, newestDeposit, openDeposit } from '../support/steps.ts'
import { withLoans, withoutLoans } from './lending-steps.ts'
import { showHelp } from '../../../scripts/usage.ts'

showHelp(import.meta.filename)

const [folder, ...wanted] = process.argv.slice(2)
if (folder === undefined) {
  process.stderr.write(
    'Say where the pictures go: npx node tests/journeys/pictures/lending-screens.ts <folder> [zh|tw|en …]\n',
  )
  process.exit(1)
}
const sizes = [
  { width: 390, height: 844 },
  { width: 360, height: 740 },
]
const product = await startProduct({ mode: 'development', env: { SEED_HISTORY: 'full' } })
const { browser, close } = await startBrowser()
const { origin } = product

/** A person's first time on this product. */
async function signIn(session: BrowserSession, { pageWallet }: Newcomer): Promise<void> {
  await session.open(`#/index?code=${rootInvitation}`)
  await session.connectButton().click()
  await session.dialog('wallet.choose').getByRole('button', { name: pageWallet.name }).click()
  await session.button('invite.confirm', session.dialog('invite.title')).click()
  await session.page.getByText(session.text('home.power'), { exact: true }).waitFor()
}

/** Everything that the screens are to show, made by one person on the screens themselves. */
async function makeLendingHistory(person: Newcomer): Promise<void> {
  const session = await openBrowserSession({ browser, origin, wallets: [person.pageWallet] })
  await signIn(session, person)
  await payIn(product, person, '600')
  await openDeposit(session)
  await askToDeposit(session, { asset: 'USDT', amount: '20000' })
  await newestDeposit(session).and(session.page.locator('[data-state="credited"]')).waitFor()
  await intoFund(session, '8000')
  await borrowOnJu(session, '700')
  await session.button('lending.toInstallments').click()
  const sheet = session.dialog('lending.toInstallments')
  await sheet.locator('.verdict[data-agrees]').waitFor()
  await sheet.locator('.sheet-foot').getByRole('button').click()
  await session.waitForToast('lending.installmentDone', { values: { count: 3 } })
  // Owed as it is it may be paid in 3, 6 or 9 installments.
  await borrowOnJu(session, '10')
  await openPosition(session, { margin: '1500', tenths: 30 })
  // Before time passes: nobody moves into the fund while days are not charged.
  await intoFund(session, '100')
  for (const [to, hours] of [[825_000, 25] as const, [885_000, 1] as const]) {
    await sinkJu(product, to)
    await letTimePass(product, session, 6 * MINUTE_MS)
    // The watcher looks each second.
    await session.page.waitForTimeout(3_000)
    await letTimePass(product, session, hours * HOUR_MS)
  }
  await session.close()
  // A position at the highest ratio starts above this line.
  await operate(product, 'first', 'setting', 'set', 'leverSafetyPpm', '740000')
}

async function signedIn(person: Newcomer, language: (typeof languages)[number], size: (typeof sizes)[number]) {
  const session = await openBrowserSession({ browser, origin, wallets: [person.pageWallet], language, size })
  await tellTime(product, session)
  return session
}

function shooter(session: BrowserSession, into: string) {
  return async (name: string, whole = false) => {
    // Fonts, pictures and the last transition.
    await session.page.waitForTimeout(350)
    await session.page.screenshot({ path: path.join(into, `${name}.png`), fullPage: whole })
    const excess = await session.page.evaluate(() => {
      const { document, screen } = globalThis as unknown as {
        screen: { width: number }
        document: { documentElement: { scrollWidth: number } }
      }
      return document.documentElement.scrollWidth - screen.width
    })
    process.stdout.write(
      `${path.relative(folder ?? '', into)}/${name}${excess > 0 ? ` is ${excess} px too wide` : ''}\n`,
    )
  }
}

try {
  // One person looks at them once for each language and size.
  await operate(product, 'first', 'setting', 'set', 'deviceLimit', '20')
  const owner = await newcomer(product, { ju: parseEther('601'), usdt: parseEther('20000') })
  await makeLendingHistory(owner)
  for (const language of languages.filter((each) => wanted.length === 0 || wanted.includes(each))) {
    for (const size of sizes) {
      const into = path.join(folder, `${language}-${size.width}`)
      await mkdir(into, { recursive: true })
      const session = await signedIn(owner, language, size)
      await session.open('#/index')
      await session.connectButton().click()
      await session.dialog('wallet.choose').getByRole('button', { name: owner.pageWallet.name }).click()
      await session.page.getByText(session.text('home.power'), { exact: true }).waitFor()
      await withLoans(session, shooter(session, into))
      await session.close()

      const person = await newcomer(product)
      const other = await signedIn(person, language, size)
      await signIn(other, person)
      const shoot = shooter(other, into)
      await withoutLoans(other, shoot)
      await other.close()
    }
  }
} finally {
  await close()
  await product.stop()
}
