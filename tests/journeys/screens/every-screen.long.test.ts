/** Every screen in every language: it can be read by anybody, on a small phone, with the keyboard. */
import { type Language, languages, languageName } from '@candela/protocol/language'
import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import {
  accessProblems,
  nameProblems,
  overflows,
  smallFields,
  untilComplete,
  untranslated,
} from '@candela/testing/browser/judge-screen'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { askToBuy, expectSignedIn, waitForDeposit, waitForOrder } from '../support/steps.ts'
import { routes } from '@candela/testing/browser/web'

const { product, journey } = journeysOf(sharedProduct('production'))

const SMALL_PHONE = { width: 360, height: 740 }
const screens = Object.keys(routes)

type Problems = Record<string, string[]>

let person: Newcomer

/** One person goes through them all, so that one account has to be filled. */
journey(
  'every screen in every language: readable, translated, within a small phone, by touch and by keyboard',
  async () => {
    person = await newcomer(product(), { ju: parseEther('60') })
    return { wallets: [person.pageWallet], size: SMALL_PHONE }
  },
  async (session) => {
    const problems: Problems = {}
    let language: Language = 'tw'
    const judge: Judge = async (where) => {
      await untilComplete(session)
      const found = [
        // Roles, names, order and contrast are the same in every language.
        ...(language === 'tw' ? await accessProblems(session) : []),
        ...(await nameProblems(session)),
        ...(await overflows(session)),
        ...(await smallFields(session)),
        ...(await untranslated(session, language)).map((text) => `in another language: ${text}`),
      ]
      if (found.length > 0) problems[`${language}: ${where}`] = found
    }
    const judgeVisitor = async () => {
      await session.open()
      await session.page.getByText(session.text('figure.totalUnits')).waitFor()
      await judge('visitor')
      await withExplanation(session, () => judge('visitor, a figure explained'))
    }
    const switchTo = async (next: Language) => {
      await session.button('language.button').click()
      await session.dialog('language.title').waitFor()
      await judge('languages')
      await session.dialog('language.title').getByRole('radio', { name: languageName[next] }).click()
      session.setLanguage((language = next))
      await expect.poll(() => session.page.locator('html').getAttribute('lang')).toBe(session.languageTag())
    }

    await judgeVisitor()
    for (const next of ['en', 'zh', 'tw'] as const) {
      await switchTo(next)
      await judgeVisitor()
    }
    await signIn(session, person, judge)
    await fill(session)
    for (const next of ['tw', 'zh', 'en'] as const) {
      await session.open()
      await switchTo(next)
      for (const path of screens) {
        await open(session, path)
        await judge(path)
        if (next === 'en')
          await atDoubleTextSize(session, async () => {
            await untilComplete(session)
            const found = await overflows(session)
            if (found.length > 0) problems[`text at 200 %: ${path}`] = found
          })
        // Its texts are the same kind of texts in both ways of writing Chinese.
        if (next !== 'zh') await withExplanation(session, () => judge(`${path}, a figure explained`))
      }
    }
    expect(problems).toEqual({})
    await expectToFindProblems(session, judge, problems)
    expect(languages).toHaveLength(Object.keys(languageName).length)
  },
)

async function open(session: BrowserSession, path: string): Promise<void> {
  await session.open(`#${path}`)
  await session.page
    .locator(`main[data-path="${path}"] h1`)
    .filter({ visible: true })
    .or(session.page.locator('main[data-path="/index"]'))
    .first()
    .waitFor()
}

type Judge = (where: string) => Promise<void>

/** By a link to a screen that needs an account: the sign-in leads on to it. */
async function signIn(session: BrowserSession, { wallet }: Newcomer, judge: Judge): Promise<void> {
  await session.open('#/statement')
  await session.page.reload()
  await expect.poll(() => session.path()).toMatch(/^\/index/)
  await session.connectButton().click()
  const invitation = session.dialog('invite.title')
  await invitation.getByRole('textbox').fill(rootInvitation)
  await judge('invitation code')
  await session.button('invite.confirm', invitation).click()
  await expectSignedIn(session, wallet.address)
  await expect.poll(() => session.path()).toBe('/statement')
  await session.page.getByRole('banner').getByText('…').click()
  await session.dialog('account.title').waitFor()
  await judge('account')
  await session.page.keyboard.press('Escape')
}

/** Records of several kinds, so that lists have something to show. */
async function fill(session: BrowserSession): Promise<void> {
  await payIn(product(), person, '20')
  await session.open('#/index')
  await askToBuy(session)
  await waitForOrder(session, 'active')
  await session.open('#/deposit')
  await waitForDeposit(session, 'credited')
}

/** Opens what the first figure is computed from, and expects the focus back on the figure afterwards. */
async function withExplanation(session: BrowserSession, run: () => Promise<void>): Promise<void> {
  const figure = session.page
    .locator('main button:is(.figure, .row-button, .entry-row, .statement-line)')
    .filter({ visible: true })
    .first()
  if ((await figure.count()) === 0) return
  await figure.focus()
  await session.page.keyboard.press('Enter')
  const sheet = session.page.locator('dialog[open]')
  await sheet.waitFor()
  expect(await sheet.evaluate((element) => element.contains(element.ownerDocument.activeElement))).toBe(true)
  await run()
  await session.page.keyboard.press('Escape')
  await expect.poll(() => sheet.count()).toBe(0)
  expect(await figure.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
}

/** A judge that has found nothing could have found something. */
async function expectToFindProblems(session: BrowserSession, judge: Judge, problems: Problems): Promise<void> {
  const { page } = session
  await page.locator('main').evaluate((main) => {
    const planted = main.ownerDocument.createElement('div')
    for (const text of ['購買算力', 'route.computing', 'wide']) {
      const line = main.ownerDocument.createElement('p')
      line.textContent = text
      if (text === 'wide') line.style.width = '900px'
      planted.append(line)
    }
    main.prepend(planted)
  })
  await judge('planted')
  const found = Object.entries(problems).flatMap(([, each]) => each)
  for (const part of ['購買算力', 'route.computing', 'px too wide', '> wide']) expect(found.join('\n')).toContain(part)
  await page.locator('main').evaluate((main) => {
    main.firstElementChild?.replaceChildren(main.ownerDocument.createElement('button'))
  })
  expect((await accessProblems(session)).join('\n')).toContain('button-name')
  await page.locator('main').evaluate((main) => {
    const named = (text: string) => Object.assign(main.ownerDocument.createElement('button'), { textContent: text })
    main.firstElementChild?.replaceChildren(named('twice'), named('twice'), named('long '.repeat(30)))
  })
  await page.locator('main').evaluate((main) => {
    const field = main.ownerDocument.createElement('input')
    field.style.fontSize = '15px'
    main.firstElementChild?.append(field)
  })
  expect(await smallFields(session)).toEqual([expect.stringContaining('15px')])
  expect(await nameProblems(session)).toEqual([
    expect.stringContaining('a name of 149 characters'),
    'several buttons are named "twice"',
  ])
}

/** Text twice as large, as people set it in their browser. */
async function atDoubleTextSize({ page }: BrowserSession, look: () => Promise<void>): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  await look()
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } })
  await browser.detach()
}
