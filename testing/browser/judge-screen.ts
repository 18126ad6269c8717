/** Anybody must be able to read and reach this on a screen: judged in the page as it is now. */
import type { Language } from '@candela/protocol/language'
import axe from 'axe-core'
import { expect } from 'vitest'
import type { BrowserSession } from './browser-session.ts'
import { catalogs } from './web.ts'

type AxeResult = { violations: { id: string; help: string; nodes: { target: unknown; failureSummary?: string }[] }[] }
type Box = { left: number; right: number; width: number; height: number }
type PageElement = {
  tagName: string
  innerText: string
  textContent: string
  className: unknown
  scrollWidth: number
  clientWidth: number
  getBoundingClientRect(): Box
  closest(selector: string): PageElement | null
  checkVisibility(options: object): boolean
}
type Page = {
  axe?: { run(options: object): Promise<AxeResult> }
  document: {
    body: unknown
    documentElement: { scrollWidth: number }
    getAnimations(): { playState: string }[]
    querySelectorAll(selector: string): Iterable<PageElement>
    createTreeWalker(
      root: unknown,
      what: number,
    ): { nextNode(): { textContent: string; parentElement: PageElement } | null }
  }
}

/** Waits until nothing on the screen is still on its way. */
export async function untilComplete({ page }: BrowserSession): Promise<void> {
  const waiting = page
    .locator('main .skeleton, main [aria-busy="true"], dialog[open] .skeleton')
    .filter({ visible: true })
  await expect.poll(() => waiting.count(), { message: `${page.url()} is complete` }).toBe(0)
  await expect
    .poll(() =>
      page.evaluate(
        () =>
          (globalThis as unknown as Page).document.getAnimations().filter(({ playState }) => playState === 'running')
            .length,
      ),
    )
    .toBe(0)
}

/** WCAG 2.2 AA and the practices that axe knows. @returns each violation with where it is */
export async function accessProblems({ page }: BrowserSession): Promise<string[]> {
  // Given through the debugger: the page's policy allows no scripts but its own.
  if (!(await page.evaluate(() => (globalThis as unknown as Page).axe !== undefined))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as Required<Page>).axe.run({ resultTypes: ['violations'] }),
  )
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes.map(({ target, failureSummary = '' }) => `${String(target)} ${failureSummary.split('\n').at(1) ?? ''}`).join(' | ')}`,
  )
}

/** Longer than this a name is no longer listened to: what else there is to say belongs beside the button. */
const LONGEST_NAME = 120

/** Names of buttons and links that are too long to be listened to, and buttons that nobody can tell apart by name. */
export async function nameProblems({ page }: BrowserSession): Promise<string[]> {
  // An open dialog is all that can be reached. What the header offers may be offered on the screen again.
  const dialogs = page.locator('dialog[open]')
  const reached = (await dialogs.count()) > 0 ? dialogs.last() : page.locator('main')
  const snapshot = await reached.ariaSnapshot()
  const named = [...snapshot.matchAll(/- (button|link) (".*?[^\\]")/g)].map(([, role = '', name = '']) => ({
    role,
    name,
  }))
  const long = named.filter(({ name }) => name.length - 2 > LONGEST_NAME)
  const buttons = named.filter(({ role }) => role === 'button').map(({ name }) => name)
  const twice = new Set(buttons.filter((name, at) => buttons.indexOf(name) !== at))
  return [
    ...long.map(({ role, name }) => `a ${role} has a name of ${name.length - 2} characters: ${name}`),
    ...[...twice].map((name) => `several buttons are named ${name}`),
  ]
}

/** iOS magnifies the page when a field with smaller letters is typed into, in CSS pixels. */
const LEAST_FIELD_LETTERS = 16

/** Fields that a tap would magnify the page for. */
export const smallFields = ({ page }: BrowserSession): Promise<string[]> =>
  page
    .locator(
      'main :is(input:not([type="radio"], [type="range"], [type="checkbox"]), select, textarea), dialog[open] :is(input:not([type="radio"], [type="range"], [type="checkbox"]), select, textarea)',
    )
    .filter({ visible: true })
    .evaluateAll((fields, least) => {
      const { getComputedStyle } = globalThis as unknown as { getComputedStyle: (of: object) => { fontSize: string } }
      return fields.flatMap((field) => {
        const { fontSize } = getComputedStyle(field)
        return Number.parseFloat(fontSize) < least ? [`a field with letters of ${fontSize}: ${field.className}`] : []
      })
    }, LEAST_FIELD_LETTERS)

/** Expects that anybody can read and reach what is open now: for sheets and dialogs on the way. */
export async function expectReadable(session: BrowserSession): Promise<void> {
  await untilComplete(session)
  const judged = [accessProblems, nameProblems, overflows, smallFields]
  expect((await Promise.all(judged.map((judge) => judge(session)))).flat()).toEqual([])
}

/** Texts that are wider than the screen or than what they stand in. */
export const overflows = ({ page }: BrowserSession): Promise<string[]> =>
  // The width that the page says of itself grows with what is too wide.
  page.evaluate((width) => {
    const { document } = globalThis as unknown as Page
    const found: string[] = []
    const excess = document.documentElement.scrollWidth - width
    if (excess > 0) found.push(`the page is ${excess} px too wide`)
    for (const element of document.querySelectorAll('main *, header *, dialog[open] *')) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue
      const box = element.getBoundingClientRect()
      const scrolls = element.closest('.figure-table, [role="radiogroup"], .segmented, .visually-hidden, svg') !== null
      if (box.width > 1 && box.height > 1 && !scrolls && (box.right > width + 1 || box.left < -1))
        found.push(`<${element.tagName} ${String(element.className)}> ${element.textContent.slice(0, 40)}`)
    }
    return found
  }, page.viewportSize()?.width ?? 0)

/** Lists the texts on the screen, a piece each. */
const textsOn = ({ page }: BrowserSession): Promise<string[]> =>
  page.evaluate(() => {
    const { document } = globalThis as unknown as Page
    const SHOW_TEXT = 4
    const walker = document.createTreeWalker(document.body, SHOW_TEXT)
    const texts: string[] = []
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { parentElement } = node
      // The names of languages and of wallets are in no language of the app.
      if (parentElement.closest('script, style, noscript, [lang]:not(html), .toast') !== null) continue
      const text = node.textContent.trim()
      if (text !== '' && parentElement.checkVisibility({ visibilityProperty: true })) texts.push(text)
    }
    return texts
  })

/** In which languages a whole text of the catalogues may stand. */
const languagesOf = new Map<string, Set<Language>>()
for (const [language, catalog] of Object.entries(catalogs) as [Language, Record<string, string>][])
  for (const text of Object.values(catalog)) {
    const known = languagesOf.get(text) ?? new Set()
    languagesOf.set(text, known.add(language))
  }

/** Texts in another language than the page's, keys without a text, and places that were not filled in. */
export async function untranslated(session: BrowserSession, language: Language): Promise<string[]> {
  const keys = new Set(Object.keys(catalogs.tw))
  return (await textsOn(session)).filter(
    (text) =>
      keys.has(text) ||
      /\{\w+\}|undefined|\bNaN\b|\[object/.test(text) ||
      languagesOf.get(text)?.has(language) === false ||
      (language === 'en' ? /\p{Script=Han}/u.test(text) : /(?:[a-z]{2,}[ ,.]+){3}/i.test(text)),
  )
}
