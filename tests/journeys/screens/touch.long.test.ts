/** Fingers on a real browser: pulling a list down, and all that is no pull. */
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { expect } from 'vitest'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import { scrolled, signInInvited } from '../support/steps.ts'

const { product, journey } = journeysOf(sharedProduct('production'))

let person: Newcomer
const aNewcomer = async () => {
  person = await newcomer(product())
  return { wallets: [person.pageWallet] }
}

type Point = { x: number; y: number }

/** One finger, as the browser gets it from its system. */
async function fingerOn({ page }: BrowserSession) {
  const touch = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', ...touchPoints: Point[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints })
  return {
    send,
    async pull({ x, y }: Point, distance: number) {
      await send('touchStart', { x, y })
      for (const part of [0.25, 0.5, 0.75, 1]) await send('touchMove', { x, y: y + distance * part })
    },
  }
}

const headsOf = ({ page }: BrowserSession) => page.locator('.pull-head')

/** The height of the open head, in CSS pixels; 0 while none is open. */
const heightOf = (session: BrowserSession): Promise<number> =>
  headsOf(session).evaluateAll((heads) => Math.max(...heads.map((head) => head.getBoundingClientRect().height)))

/** Answers nothing until it is let go: whatever is asked for again is still being asked for. */
async function holdAnswers({ page }: BrowserSession): Promise<() => void> {
  const letGo = Promise.withResolvers<void>()
  await page.route('**/api/v1/gateway', async (route) => {
    await letGo.promise
    await route.continue()
  })
  return letGo.resolve
}

journey('pulling a list down opens a head of 50 pixels until it is read again', aNewcomer, async (session) => {
  await signInInvited(session, person)
  await session.open('#/order')
  await session.page.getByText(session.text('order.emptyText')).waitFor()
  const letGo = await holdAnswers(session)
  const finger = await fingerOn(session)
  await finger.pull({ x: 195, y: 300 }, 120)
  await finger.send('touchEnd')
  await expect.poll(() => heightOf(session)).toBe(50)
  letGo()
  await expect.poll(() => heightOf(session)).toBe(0)
})

journey(
  'no pull: a finger that the system takes, a second finger, a page that is scrolled, and a sheet on top',
  async () => ({ ...(await aNewcomer()), size: { width: 390, height: 480 } }),
  async (session) => {
    const { page } = session
    await signInInvited(session, person)
    await session.open('#/mine')
    const figure = page.locator('main button.figure').filter({ visible: true }).first()
    await figure.waitFor()
    // The browser's own pull would reload the page, with what is typed on it.
    await expect.poll(() => page.locator('html').evaluate(overscroll)).toBe('contain')
    const letGo = await holdAnswers(session)
    const finger = await fingerOn(session)
    const middle = { x: 195, y: 150 }

    await finger.pull(middle, 120)
    await expect.poll(() => heightOf(session)).toBe(50)
    await finger.send('touchCancel')
    await expect.poll(() => heightOf(session)).toBe(0)

    await finger.pull(middle, 120)
    await expect.poll(() => heightOf(session)).toBe(50)
    await finger.send('touchStart', { x: 195, y: 270 }, { x: 250, y: 300 })
    await finger.send('touchEnd')
    await expect.poll(() => heightOf(session)).toBe(0)

    await page.mouse.wheel(0, 200)
    await expect.poll(() => scrolled(session)).toBe(200)
    await finger.pull(middle, 120)
    await finger.send('touchEnd')
    await expect.poll(() => scrolled(session)).toBeLessThan(200)
    expect(await heightOf(session)).toBe(0)

    // The scroll that the finger has set going may still move the page, and end a turn of the wheel early.
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -600)
        return scrolled(session)
      })
      .toBe(0)
    await figure.click()
    await page.locator('dialog[open]').waitFor()
    await finger.pull({ x: 195, y: 400 }, 70)
    await finger.pull({ x: 195, y: 350 }, 120)
    await finger.send('touchEnd')
    expect(await heightOf(session)).toBe(0)
    await page.keyboard.press('Escape')
    await page.locator('dialog[open]').waitFor({ state: 'detached' })

    await finger.pull(middle, 120)
    await finger.send('touchEnd')
    await expect.poll(() => heightOf(session)).toBe(50)
    letGo()
    await expect.poll(() => heightOf(session)).toBe(0)
  },
)

journey('the back button of a phone closes a sheet, and the screen stays as it was', aNewcomer, async (session) => {
  const { page } = session
  await signInInvited(session, person)
  await page
    .getByRole('link', { name: session.text('home.buy'), exact: true })
    .first()
    .click()
  const figure = page.locator('main button.figure, main .row-button').filter({ visible: true }).first()
  await figure.click()
  const sheet = page.locator('dialog[open]')
  await sheet.waitFor()
  await page.goBack()
  await sheet.waitFor({ state: 'detached' })
  expect(session.path()).toBe('/computing')
  await figure.click()
  await sheet.waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.goBack()
  await expect.poll(() => session.path()).toBe('/index')
})

/** Runs in the page. */
function overscroll(element: unknown): string {
  const page = globalThis as unknown as { getComputedStyle(of: unknown): { overscrollBehaviorY: string } }
  return page.getComputedStyle(element).overscrollBehaviorY
}

journey('a tap leaves no focus ring, and a key shows one', aNewcomer, async (session) => {
  const { page } = session
  await signInInvited(session, person)
  await session.open('#/mine')
  const figure = page.locator('main button.figure').filter({ visible: true }).first()
  const ring = () => figure.evaluate(outline)
  const box = await figure.boundingBox()
  if (box === null) throw new Error('The figure is not on the screen')
  const finger = await fingerOn(session)
  await finger.send('touchStart', { x: box.x + box.width / 2, y: box.y + box.height / 2 })
  await finger.send('touchEnd')
  const sheet = page.locator('dialog[open]')
  await sheet.waitFor()
  await page.goBack()
  await expect.poll(() => sheet.count()).toBe(0)
  expect(await figure.evaluate(isFocused)).toBe(true)
  expect(await ring()).toBe('none')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  expect(await figure.evaluate(isFocused)).toBe(true)
  expect(await ring()).toBe('solid')
})

const outline = (element: unknown): string => {
  const { getComputedStyle } = globalThis as unknown as { getComputedStyle: (of: unknown) => { outlineStyle: string } }
  return getComputedStyle(element).outlineStyle
}

const isFocused = (element: unknown): boolean =>
  (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement === element
