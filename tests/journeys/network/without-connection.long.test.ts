/** The installed app when its server cannot be reached. */
import { parseEther } from 'viem'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { openAnotherSession, signInInvited } from '../support/steps.ts'
import { untilControlled } from '../support/steps.ts'
import { openProxy } from '@candela/testing/proxies/app-proxy'
import { routes } from '@candela/testing/browser/web'

const { product, journey } = journeysOf(sharedProduct('production'))

let person: Newcomer

journey(
  'without its server the app opens, says so on every screen, never shows money of before as that of now, and offers another build',
  async () => {
    person = await newcomer(product(), { ju: parseEther('10') })
    return { wallets: [person.pageWallet] }
  },
  async (first) => {
    await using proxy = await openProxy(product().origin)
    await first.page.goto(proxy.origin)
    await using session = await openAnotherSession(first, { wallets: [person.pageWallet], serviceWorker: true })
    // Open, it would ask the server now and then, also while that cannot be reached, and the browser would call it an error.
    await first.page.goto('about:blank')
    await signInInvited(session, person)
    await payIn(product(), person, '7')
    const { page } = session
    await session.open('#/mine')
    await expect.poll(() => page.locator('main').innerText()).toMatch(/\b7\b/)
    await untilControlled(session.page)
    // A file that was loaded before the service worker had the page is loaded once more through it.
    await page.reload()
    await untilKept(session, Object.keys(routes).length)

    proxy.cut()
    await page.reload()
    await page.getByText(session.text('state.failed')).first().waitFor()
    const failed: string[] = []
    for (const path of Object.keys(routes)) {
      await session.open(`#${path}`)
      const main = page.locator('main')
      await expect.poll(() => main.getAttribute('data-path')).toBe(path)
      // Grey bars stand for what is being loaded: none stays. Some screens need no server.
      const waiting = main.locator('.skeleton').filter({ visible: true })
      await expect.poll(() => waiting.count()).toBe(0)
      // Several reads of a screen have failed, and one message says so.
      const messages = await visibleCount(main.getByText(session.text('state.failed')))
      expect([path, messages]).toEqual([path, Math.min(messages, 1)])
      if (messages === 1) failed.push(path)
      expect([path, await main.innerText()]).not.toEqual([path, expect.stringMatching(/\b7(?:\.0+)? ?JU/)])
    }
    expect(failed).toEqual(expect.arrayContaining(['/index', '/incomeList', '/finance', '/withdrawal']))
    proxy.mend()
    await session.open('#/mine')
    // The shown figure is asked for again every few seconds.
    await expect.poll(() => page.locator('main').innerText()).toMatch(/\b7\b/)

    // Another build is offered, and replaces this one when somebody wants it to.
    proxy.release()
    await page.reload()
    const noticeOn = (one: Page) => one.getByText(session.text('state.newBuild'))
    const notice = noticeOn(page)
    await notice.waitFor()
    // The app in a second tab goes over to it as well, when its person wants to.
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await noticeOn(tab).waitFor()
    for (const one of [page, tab]) {
      const loaded = one.waitForEvent('load')
      await one.getByRole('button', { name: session.text('state.reload') }).click()
      await loaded
    }
    await expect.poll(() => noticeOn(tab).count()).toBe(0)
    await tab.close()
    await expect.poll(() => page.locator('main').innerText()).toMatch(/\b7\b/)
    expect(await notice.count()).toBe(0)
  },
)

const visibleCount = (part: Locator): Promise<number> => part.filter({ visible: true }).count()

type PageWithCaches = {
  caches: { keys(): Promise<string[]>; open(name: string): Promise<{ keys(): Promise<{ url: string }[]> }> }
}

/** Waits until the code of so many screens is kept; nothing of the API may be. */
async function untilKept(session: BrowserSession, screens: number): Promise<void> {
  const kept = () =>
    session.page.evaluate(async () => {
      const { caches } = globalThis as unknown as PageWithCaches
      const found = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
      return found.flat().map(({ url }) => new URL(url).pathname)
    })
  await expect
    .poll(async () => (await kept()).filter((path) => path.endsWith('.js')).length)
    .toBeGreaterThan(2 * screens)
  expect((await kept()).filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([])
}
