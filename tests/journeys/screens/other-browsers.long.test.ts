/** Browsers that lack something which today's have, or show it with the colours of the person's system. */
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { expect } from 'vitest'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import { signInInvited } from '../support/steps.ts'

const { product, journey } = journeysOf(sharedProduct('production'))

let person: Newcomer

type Style = { borderTopWidth: string; backgroundColor: string; outlineWidth: string; outlineStyle: string }

const styleOf = (session: BrowserSession, selector: string): Promise<Style> =>
  session.page
    .locator(selector)
    .filter({ visible: true })
    .first()
    .evaluate((element) => {
      const { getComputedStyle } = globalThis as unknown as { getComputedStyle: (of: unknown) => Style }
      const { borderTopWidth, backgroundColor, outlineWidth, outlineStyle } = getComputedStyle(element)
      return { borderTopWidth, backgroundColor, outlineWidth, outlineStyle }
    })

journey(
  'with forced colours buttons have a line, bars hide what is behind them, and what is chosen is marked',
  async () => {
    person = await newcomer(product())
    return { wallets: [person.pageWallet] }
  },
  async (session) => {
    await session.page.emulateMedia({ forcedColors: 'active' })
    await signInInvited(session, person)
    await session.open('#/computing')
    expect(await styleOf(session, 'main .button')).toMatchObject({ borderTopWidth: '1px' })
    expect((await styleOf(session, '.entries')).backgroundColor).toMatch(/^rgb\(/)
    expect(await styleOf(session, 'main input:checked')).toMatchObject({ outlineStyle: 'solid', outlineWidth: '3px' })
    await session.open('#/statement')
    expect(await styleOf(session, 'main button[aria-pressed="true"]')).toMatchObject({ outlineWidth: '3px' })
  },
)

journey(
  'on a wide screen without popovers a figure is explained in a sheet',
  async () => {
    person = await newcomer(product())
    return { wallets: [person.pageWallet], isDesktop: true, size: { width: 1_024, height: 768 } }
  },
  async (session) => {
    const { page } = session
    // As before Chromium 114, Safari 17 and Firefox 125.
    await page.addInitScript(() => {
      const { prototype } = (globalThis as unknown as { HTMLElement: { prototype: Record<string, unknown> } })
        .HTMLElement
      for (const name of ['showPopover', 'hidePopover', 'togglePopover', 'popover']) delete prototype[name]
    })
    await signInInvited(session, person)
    await page.locator('.level').click()
    await session.dialog('home.level', { level: 'V0' }).waitFor()
    expect(await page.locator('.explain-popover').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByText(session.text('home.power'), { exact: true }).waitFor()
  },
)
