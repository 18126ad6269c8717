/** Files of the app that are lost: a browser gives up all requests under way when a phone changes its network. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import { openAnotherSession, signInInvited, untilControlled } from '../support/steps.ts'
import { openProxy } from '@candela/testing/proxies/app-proxy'

const { product, journey } = journeysOf(sharedProduct('production'))

const visitor = () => ({ language: 'en' as const })

/** The browser calls each lost file an error, and so it should; nothing else may be wrong. */
function expectOnlyLostFiles({ problems }: BrowserSession): void {
  const lost = /net::ERR_|dynamically imported module|^uncaught: $|Unable to preload CSS/
  expect(problems.filter((problem) => !lost.test(problem))).toEqual([])
  problems.length = 0
}

for (const [what, file] of [
  ['main file is', /^\/assets\/index-.*\.js$/],
  ['texts are', /^\/assets\/en-.*\.js$/],
] as const)
  for (const times of [1, 3])
    journey(`a visitor whose ${what} lost, ${times} times, sees the app without a tap`, visitor, async (session) => {
      await using proxy = await openProxy(product().origin)
      const { page } = session
      proxy.lose(file, times)
      await page.goto(`${proxy.origin}/#/index?code=CANDELA1`)
      await session.connectButton().waitFor()
      // The invitation of the link is there too, also after a reload.
      await page.getByText('CANDELA1').first().waitFor()
      expect(proxy.lost().length).toBeGreaterThan(0)
      expect(await page.locator('#not-loaded').isVisible()).toBe(false)
      expectOnlyLostFiles(session)
    })

journey(
  'a visitor whose first files never come is told so in their language, and a tap brings the app at the place of the link',
  visitor,
  async (session) => {
    await using proxy = await openProxy(product().origin)
    const { page } = session
    proxy.lose(/^\/assets\//)
    await page.goto(`${proxy.origin}/#/index?code=CANDELA1`)
    const note = page.locator('#not-loaded')
    await note.waitFor()
    expect(await note.innerText()).toContain('Candela could not be loaded')
    expect(await note.innerText()).not.toMatch(/載入|加载/)
    proxy.loseNothing()
    await note.getByRole('button', { name: session.text('state.reload'), exact: true }).tap()
    await page.getByText('CANDELA1').first().waitFor()
    expect(await note.isVisible()).toBe(false)
    expectOnlyLostFiles(session)
  },
)

let person: Newcomer

const aPerson = async () => {
  person = await newcomer(product())
  return { wallets: [person.pageWallet] }
}

journey('a screen whose files are lost comes by itself', aPerson, async (first) => {
  await using proxy = await openProxy(product().origin)
  await first.page.goto(proxy.origin)
  await using session = await openAnotherSession(first, { wallets: [person.pageWallet], serviceWorker: true })
  const { page } = session
  // The app loads its screens for later: not this one.
  proxy.lose(/^\/assets\/statement-/)
  await signInInvited(session, person)
  await untilControlled(page)
  await page.goto('about:blank')
  proxy.lose(/^\/assets\/statement-/, 1)
  await session.open('#/statement')
  await page.getByText(session.text('statement.empty')).waitFor()
  // Its code and its texts.
  expect(proxy.lost().filter((path) => path.endsWith('.js'))).toHaveLength(2)
  expect(proxy.lost().some((path) => path.endsWith('.css'))).toBe(true)
  // One of another screen may be on its way: screens are loaded while the page is idle.
  await expect.poll(() => lostStyles(page)).toBe(0)
  expectOnlyLostFiles(session)
})

journey('a screen that stays lost says so, and comes with a tap', aPerson, async (first) => {
  await using proxy = await openProxy(product().origin)
  await first.page.goto(proxy.origin)
  await using session = await openAnotherSession(first, { wallets: [person.pageWallet] })
  await signInInvited(session, person)
  const { page } = session
  await page.goto('about:blank')
  proxy.lose(/^\/assets\/statement-/)
  await session.open('#/statement')
  await page.getByText(session.text('state.failed')).waitFor()
  proxy.loseNothing()
  await session.button('ui.retry').tap()
  await page.getByText(session.text('statement.empty')).waitFor()
  expectOnlyLostFiles(session)
})

type Styled = { document: { querySelectorAll(selector: string): Iterable<{ sheet: unknown }> } }

/** How many style sheets the page has asked for and does not have. */
const lostStyles = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { document } = globalThis as unknown as Styled
    return [...document.querySelectorAll('link[rel="stylesheet"]')].filter(({ sheet }) => sheet === null).length
  })
