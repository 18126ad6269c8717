/** The forms that ask for a quote, while the quote of another amount is still on its way. */
import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import type { Locator } from 'playwright-core'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { intoFund } from '../support/lending-steps.ts'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { depositUsdt, inSight, signInInvited } from '../support/steps.ts'

const { product, journey } = journeysOf(sharedProduct('development'))

type Form = {
  name: string
  open: (session: BrowserSession) => Promise<unknown>
  /** The path that its quotes are asked at. */
  quotes: string
  fill: (session: BrowserSession, amount: string) => Promise<unknown>
  next: (session: BrowserSession) => Locator
  review: (session: BrowserSession) => Locator
  /** The amounts that are asked for first and then, and how the second is shown in the review. */
  amounts: readonly [string, string, string]
}

/** Screens that were left stay in the page. */
const field = (session: BrowserSession, label: 'lever.margin' | 'project.amount') =>
  session.page.getByLabel(session.text(label), { exact: true }).and(session.page.locator('input:visible'))

const forms: readonly Form[] = [
  {
    name: 'withdrawal',
    open: (session) => session.open('#/withdrawal'),
    quotes: '**/withdraw/quote*',
    fill: (session, amount) => inSight(session, 'withdraw.amount').fill(amount),
    next: (session) => session.button('withdraw.next'),
    review: (session) => session.dialog('withdraw.review'),
    amounts: ['10', '21.5', '21.5'],
  },
  {
    name: 'exchange',
    open: (session) => session.open('#/exchange'),
    quotes: '**/exchange/quote*',
    fill: (session, amount) => inSight(session, 'exchange.amount').fill(amount),
    next: (session) => session.button('exchange.next'),
    review: (session) => session.dialog('exchange.review'),
    amounts: ['2', '3.25', '3.25'],
  },
  {
    name: 'leverage',
    open: (session) => session.open('#/lever'),
    quotes: '**/lever/quote*',
    fill: (session, amount) => field(session, 'lever.margin').fill(amount),
    next: (session) => session.button('lever.next'),
    review: (session) => session.dialog('lever.review'),
    amounts: ['20', '30.5', '30.5'],
  },
  {
    name: 'loan',
    async open(session) {
      await session.open('#/project')
      await session.page
        .locator('.project-card')
        .filter({ has: session.page.getByText('JU', { exact: true }) })
        .click()
    },
    quotes: '**/lending/quote*',
    fill: (session, amount) => field(session, 'project.amount').fill(amount),
    next: (session) => session.button('project.next'),
    review: (session) => session.dialog('project.review'),
    amounts: ['10', '12.5', '12.5'],
  },
]

let person: Newcomer

journey(
  'a review opens with the quote of its amount alone; until it is here the button waits where it is',
  async () => {
    person = await newcomer(product(), { ju: parseEther('80'), usdt: parseEther('1000') })
    return { wallets: [person.pageWallet] }
  },
  async (session) => {
    const { page } = session
    await signInInvited(session, person, rootInvitation, person.pageWallet.name)
    await payIn(product(), person, '50')
    await depositUsdt(session, '1000')
    await intoFund(session, '400')
    for (const { name, open, quotes, fill, next, review, amounts } of forms) {
      const [first, second, shown] = amounts
      await open(session)
      const button = next(session)
      // In the page, which a tap may scroll.
      const topOf = () =>
        button.evaluate((element) => {
          const whole = element.ownerDocument.body.getBoundingClientRect()
          return Math.round(element.getBoundingClientRect().top - whole.top)
        })
      const isOff = () => button.getAttribute('aria-disabled')
      await fill(session, first)
      await expect.poll(isOff, { message: name }).toBeNull()
      const top = await topOf()

      const held = Promise.withResolvers<void>()
      const asked = Promise.withResolvers<void>()
      await page.route(quotes, async (route) => {
        asked.resolve()
        await held.promise
        await route.continue()
      })
      await fill(session, second)
      // From the first moment, not only once the quote was asked for.
      expect([name, await isOff(), await topOf()]).toEqual([name, 'true', top])
      await asked.promise
      expect([name, await button.getAttribute('aria-busy'), await topOf()]).toEqual([name, 'true', top])
      await button.click({ force: true })
      expect([name, await review(session).count()]).toEqual([name, 0])

      held.resolve()
      await expect.poll(isOff, { message: name }).toBeNull()
      await page.unroute(quotes)
      expect([name, await topOf()]).toEqual([name, top])
      expect([name, await review(session).count()], 'nothing opens by itself').toEqual([name, 0])
      await button.click()
      await review(session).waitFor()
      expect(await review(session).innerText(), name).toContain(shown)
      await page.keyboard.press('Escape')
    }

    // Buying asks the wallet at once.
    await session.open('#/computing')
    const buy = session.button('buy.pay').and(page.locator(':not([disabled])'))
    await buy.waitFor()
    const held = Promise.withResolvers<void>()
    await page.route('**/power/calc*', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.getByLabel(session.text('buy.quantity'), { exact: true }).fill('3')
    await session.button('buy.pay').and(page.locator('[disabled]')).waitFor()
    held.resolve()
    await buy.waitFor()
  },
)
