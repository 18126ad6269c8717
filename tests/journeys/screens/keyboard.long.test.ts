/** The keyboard of a phone while a sheet is open: neither the field nor the button of the sheet is behind it. */
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import type { Locator } from 'playwright-core'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import { repaymentOf } from '../outcome/acts.ts'
import { borrowOnJu, intoFund } from '../support/lending-steps.ts'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { depositUsdt, signInInvited } from '../support/steps.ts'

const { product, journey } = journeysOf(sharedProduct('development'))

type Seen = { height: number; offsetTop: number; scale: number }
type PageGlobal = { seen: Seen & { dispatchEvent: (event: Event) => boolean } }

/** A visual viewport that the test moves, as a keyboard does which lies over the page: no browser of a computer has one. */
const plantViewport = (session: BrowserSession) =>
  session.page.addInitScript(() => {
    const page = globalThis as unknown as PageGlobal & { innerHeight: number }
    page.seen = Object.assign(new EventTarget(), { height: page.innerHeight, offsetTop: 0, scale: 1 })
    Object.defineProperty(globalThis, 'visualViewport', { value: page.seen })
  })

const see = (session: BrowserSession, seen: Partial<Seen>) =>
  session.page.evaluate((next) => {
    const page = globalThis as unknown as PageGlobal
    Object.assign(page.seen, next)
    page.seen.dispatchEvent(new Event('resize'))
  }, seen)

const edgesOf = async (what: Locator) => {
  const box = (await what.boundingBox())!
  return { top: box.y, bottom: box.y + box.height }
}

let person: Newcomer

journey(
  'a keyboard over the page, or one that makes it smaller: the field that is typed into and the button of its sheet stay in view',
  async () => {
    person = await newcomer(product(), { ju: parseEther('80'), usdt: parseEther('1000') })
    return { wallets: [person.pageWallet] }
  },
  async (session) => {
    const { page, text } = session
    await plantViewport(session)
    await signInInvited(session, person, rootInvitation, person.pageWallet.name)
    await payIn(product(), person, '50')
    await depositUsdt(session, '1000')
    await intoFund(session, '400')
    await borrowOnJu(session, '10')
    await repaymentOf(new URL(page.url()).hash.replace(/.*no=/, '')).fill(session)

    const sheet = session.dialog('lending.repay')
    const field = sheet.getByLabel(text('lending.amount'), { exact: true })
    const button = sheet.locator('.sheet-foot button').first()
    const content = sheet.locator('.sheet-content')
    const expectInView = async ({ top, bottom }: { top: number; bottom: number }) => {
      const [whole, inside, ofField, ofButton] = await Promise.all([sheet, content, field, button].map(edgesOf))
      expect(whole!.top).toBeGreaterThanOrEqual(top)
      expect(whole!.bottom).toBeLessThanOrEqual(bottom)
      expect(ofButton!.bottom).toBeLessThanOrEqual(bottom)
      expect(ofField!.top).toBeGreaterThanOrEqual(inside!.top)
      expect(ofField!.bottom).toBeLessThanOrEqual(inside!.bottom)
    }
    await field.click()
    expect((await edgesOf(sheet)).bottom).toBe(844)

    // As on iOS: over the page.
    await see(session, { height: 508 })
    await expectInView({ top: 0, bottom: 508 })
    // There the system moves the page up as well.
    await see(session, { height: 408, offsetTop: 120 })
    await expectInView({ top: 120, bottom: 528 })
    // Magnified by two fingers, without a keyboard.
    await see(session, { height: 422, offsetTop: 0, scale: 2 })
    expect((await edgesOf(sheet)).bottom).toBe(844)
    // A phone on its side.
    await page.setViewportSize({ width: 667, height: 375 })
    await see(session, { height: 190, scale: 1 })
    await expectInView({ top: 0, bottom: 190 })

    // As in older Androids: the page itself is smaller, and what is seen of it is the whole.
    await page.setViewportSize({ width: 390, height: 844 })
    await see(session, { height: 844 })
    await content.evaluate((element) => element.scrollTo({ top: 0 }))
    await page.setViewportSize({ width: 390, height: 420 })
    expect((await edgesOf(field)).bottom, 'it has to be scrolled to').toBeGreaterThan((await edgesOf(content)).bottom)
    await see(session, { height: 420 })
    await expectInView({ top: 0, bottom: 420 })
    // The typed amount can still be sent.
    await button.click()
    await session.waitForToast('lending.repayDone', { values: { amount: '1' } })
  },
)
