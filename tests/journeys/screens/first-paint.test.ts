/** The page as a visitor sees it before the app runs. */
import { expect } from 'vitest'
import { journeysOf, sharedProduct } from '../support/journey.ts'

const { product, journey } = journeysOf(sharedProduct('production'))

type Shifts = { candelaShifts: number }

/** Counts in the page what moves although nobody has touched it. */
function recordShifts(): void {
  const page = globalThis as unknown as Shifts & {
    PerformanceObserver: new (told: (list: { getEntries(): { value: number }[] }) => void) => {
      observe(what: object): void
    }
  }
  page.candelaShifts = 0
  new page.PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) page.candelaShifts += value
  }).observe({ type: 'layout-shift', buffered: true })
}

journey(
  'a visitor reads the words of home before the app has come, and nothing moves when it has',
  () => ({ wallets: [] }),
  async ({ page, text }) => {
    await page.addInitScript(recordShifts)
    const arrived = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await arrived.promise
      await route.continue()
    })
    await page.goto(product().origin)
    const hero = page.locator('main .visit-hero')
    await hero.waitFor()
    const read = async () => ({
      markup: (await hero.innerHTML()).replaceAll(/>\s+</g, '><').trim(),
      place: await hero.boundingBox(),
    })
    const first = await read()
    expect(first.markup).toContain(text('visit.title'))

    arrived.resolve()
    await page
      .getByRole('button', { name: text('visit.connect') })
      .last()
      .waitFor()
    await expect.poll(() => page.locator('main .skeleton').count()).toBe(0)
    expect(await read()).toEqual(first)
    expect(await page.evaluate(() => (globalThis as unknown as Shifts).candelaShifts)).toBe(0)
  },
)

journey(
  'in another language the words of home come with the app alone',
  () => ({ wallets: [], language: 'en' }),
  async ({ page, text }) => {
    const arrived = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await arrived.promise
      await route.continue()
    })
    await page.goto(product().origin)
    await page.locator('header .logo').waitFor()
    expect(await page.locator('main').isVisible()).toBe(false)
    arrived.resolve()
    await page.getByRole('heading', { name: text('visit.title') }).waitFor()
  },
)
