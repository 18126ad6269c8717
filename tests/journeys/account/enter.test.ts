import { apiTexts } from '@candela/protocol/texts/api-texts'
import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import { expect } from 'vitest'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { liveSessions } from '../support/database.ts'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import {
  connectInvited,
  expectSignedIn,
  inSight,
  scrolled,
  scrollToEnd,
  shortAddress,
  signInInvited,
  stopClock,
  tokenOf,
} from '../support/steps.ts'
import { routes } from '@candela/testing/browser/web'

const { product, journey } = journeysOf(sharedProduct('production'))

let person: Newcomer
const aNewcomer = async () => {
  person = await newcomer(product())
  return { wallets: [person.pageWallet] }
}

journey('a visitor is invited, connects, signs and is in; a reload keeps it so', aNewcomer, async (session) => {
  await signInInvited(session, person)
  // The code is used up, so it leaves the address as well.
  await expect.poll(() => session.path()).toBe('/index')
  expect(person.wallet.calls.filter((method) => method === 'personal_sign')).toHaveLength(1)
  const asked = person.wallet.calls.length
  await session.page.reload()
  await expectSignedIn(session, person.wallet.address)
  expect(person.wallet.calls.slice(asked)).not.toContain('personal_sign')
  expect(person.wallet.calls.slice(asked)).not.toContain('wallet_requestPermissions')
})

journey(
  'without a wallet a toast says what to install, and the screen stays usable',
  () => ({}),
  async (session) => {
    await session.open()
    await session.connectButton().click()
    await session.waitForToast('wallet.notInstalled')
    expect(await session.connectButton().isEnabled()).toBe(true)
    expect(await tokenOf(session)).toBeNull()
  },
)

journey('a signature refused leaves a clear word and a way to try again', aNewcomer, async (session) => {
  person.wallet.refuseNext('personal_sign')
  await connectInvited(session)
  await session.button('invite.confirm', session.dialog('invite.title')).click()
  await session.waitForToast('wallet.refused')
  await session.page.getByText(session.text('visit.refused')).waitFor()
  expect(await tokenOf(session)).toBeNull()
  await session.button('visit.signIn').click()
  await session.button('invite.confirm', session.dialog('invite.title')).click()
  await expectSignedIn(session, person.wallet.address)
})

journey(
  'an invitation code of no form, or of nobody, is refused in place and can be corrected',
  aNewcomer,
  async (session) => {
    // A link that has lost its "#", with more after it than the code.
    await session.open('?code=candela1%20and%20more')
    await session.connectButton().click()
    const sheet = session.dialog('invite.title')
    await session.button('invite.confirm', sheet).click()
    await sheet
      .getByRole('alert')
      .filter({ hasText: session.text('invite.form') })
      .waitFor()
    expect(await sheet.getByRole('textbox').inputValue()).toBe('candela1 and more')
    expect(person.wallet.calls).not.toContain('personal_sign')
    await sheet.getByRole('textbox').fill('NOSUCHCODE')
    await session.button('invite.confirm', sheet).click()
    await sheet.getByRole('alert').filter({ hasText: apiTexts.tw.codes.invitationUnknown }).waitFor()
    await sheet.getByRole('textbox').fill(rootInvitation)
    await session.button('invite.confirm', sheet).click()
    await expectSignedIn(session, person.wallet.address)
  },
)

journey('an invitation is kept until somebody has signed in with it', aNewcomer, async (session) => {
  const invited = session.page.getByText(session.text('visit.invited', { code: rootInvitation }))
  const kept = () =>
    session.page.evaluate(() => (globalThis as unknown as { localStorage: Storage }).localStorage.getItem('invitation'))
  // The guard leads home on load, and again from an entry of the header.
  await session.open(`#/order?code=${rootInvitation}`)
  await invited.waitFor()
  expect(session.path()).toBe('/index?next=%2Forder')
  await session.page.getByRole('link', { name: session.text('route.lending') }).click()
  await session.waitForToast('guard.signInFirst')
  await invited.waitFor()
  await session.page.getByRole('link', { name: session.text('nav.logo') }).click()
  await invited.waitFor()
  await session.page.reload()
  await invited.waitFor()
  // The wallet changes its account while the sheet asks: the page loads again, and the other account is asked.
  await session.connectButton().click()
  const sheet = session.dialog('invite.title')
  await sheet.waitFor()
  const next = await newcomer(product())
  const reloaded = session.page.waitForEvent('load')
  person.wallet.useAccount(next.account)
  await reloaded
  await sheet.waitFor()
  expect(await sheet.getByRole('textbox').inputValue()).toBe(rootInvitation)
  expect(await kept()).toBe(rootInvitation)
  await session.button('invite.confirm', sheet).click()
  await expectSignedIn(session, next.wallet.address)
  expect(await kept()).toBeNull()
})

journey(
  'on a wrong chain the dialog stays until the wallet is on the right one',
  async () => {
    person = await newcomer(product(), { chainId: 1, knowsChain: false })
    return { wallets: [person.pageWallet] }
  },
  async (session) => {
    await session.open(`#/index?code=${rootInvitation}`)
    await session.connectButton().click()
    const dialog = session.dialog('network.title')
    await dialog.waitFor()
    await dialog.getByText('210000 (0x33450)').waitFor()
    await dialog.getByText(product().rpcUrl).waitFor()
    await session.button('network.recheck', dialog).click()
    await dialog.getByText(session.text('network.stillWrong', { chainId: 1 })).waitFor()
    person.wallet.refuseNext('wallet_switchEthereumChain')
    await session.button('network.switch', dialog).click()
    await dialog.getByText(session.text('network.refused')).waitFor()
    expect(await dialog.isVisible()).toBe(true)
    await session.button('network.switch', dialog).click()
    await session.dialog('invite.title').waitFor()
    expect(await dialog.isVisible()).toBe(false)
    expect(person.wallet.calls).toContain('wallet_addEthereumChain')
    // The person leaves the chain by themselves and comes back: the dialog closes by itself.
    await session.button('invite.confirm', session.dialog('invite.title')).click()
    await expectSignedIn(session, person.wallet.address)
    person.wallet.setChain(1)
    await dialog.waitFor()
    person.wallet.setChain(210_000)
    await dialog.waitFor({ state: 'hidden' })
  },
)

journey(
  'several wallets are put to choice, and the chosen one is remembered',
  async () => {
    person = await newcomer(product())
    const other = await newcomer(product())
    return {
      wallets: [
        { ...other.pageWallet, name: 'First wallet', rdns: 'test.first' },
        { ...person.pageWallet, name: 'Second wallet', rdns: 'test.second' },
      ],
    }
  },
  async (session) => {
    await session.open(`#/index?code=${rootInvitation}`)
    await session.connectButton().click()
    const chooser = session.dialog('wallet.choose')
    await chooser.waitFor()
    expect(await chooser.getByRole('button').filter({ hasText: 'wallet' }).allInnerTexts()).toEqual([
      'First wallet',
      'Second wallet',
    ])
    await expect.poll(() => chooser.locator('[data-picture="loaded"] img').count()).toBe(2)
    await session.page.keyboard.press('Escape')
    await chooser.waitFor({ state: 'hidden' })
    await session.connectButton().click()
    await chooser.getByRole('button', { name: 'Second wallet' }).click()
    await session.button('invite.confirm', session.dialog('invite.title')).click()
    await expectSignedIn(session, person.wallet.address)
    await session.page.reload()
    await session.page.getByRole('banner').getByText(shortAddress(person.wallet.address)).click()
    await session.dialog('account.title').getByText('Second wallet').waitFor()
  },
)

journey(
  'the wallet of an in-app browser, which only injects itself',
  async () => {
    person = await newcomer(product())
    return { wallets: [{ ...person.pageWallet, announced: false }] }
  },
  async (session) => {
    await signInInvited(session, person)
    await session.page.reload()
    await expectSignedIn(session, person.wallet.address)
  },
)

journey('every screen keeps what was typed, has its theme, and begins at the top', aNewcomer, async (session) => {
  await signInInvited(session, person)
  const entries = session.page.getByRole('navigation', { name: session.text('nav.label') }).getByRole('link')
  const targets = await entries.evaluateAll((links) => links.map((link) => (link as { hash?: string }).hash))
  expect(targets).toEqual(['#/index', '#/lever', '#/lending', '#/finance', '#/project'])
  await session.page.setViewportSize({ width: 390, height: 320 })
  await session.open('#/transfer')
  await inSight(session, 'transfer.amount').fill('12.5')
  const others = Object.keys(routes).filter((path) => path !== '/transfer')
  expect(others.length).toBeGreaterThan(15)
  for (const path of others) {
    await scrollToEnd(session)
    await session.open(`#${path}`)
    await session.page.locator(`main[data-path="${path}"] h1`).filter({ visible: true }).waitFor()
    const { theme } = routes[path as keyof typeof routes]
    expect([path, await scrolled(session), await themeOf(session)]).toEqual([path, 0, theme])
  }
  await scrollToEnd(session)
  await session.open('#/transfer')
  expect(await inSight(session, 'transfer.amount').inputValue()).toBe('12.5')
  expect(await scrolled(session)).toBe(0)
  await session.page.goBack()
  await expect.poll(() => session.path()).not.toBe('/transfer')
  expect(await scrolled(session)).toBe(0)
  await session.page.getByRole('link', { name: session.text('nav.logo') }).click()
  await expect.poll(() => session.path()).toBe('/index')

  // On a wide screen a short explanation stands eight pixels below what was tapped; on a phone it is a sheet.
  const level = session.page.locator('.level')
  await level.click()
  await session.dialog('home.level', { level: 'V0' }).getByRole('button').click()
  await session.page.setViewportSize({ width: 1_024, height: 768 })
  await level.click()
  const popover = session.page.locator('.explain-popover:popover-open')
  const [box, anchor] = [await popover.boundingBox(), await level.boundingBox()]
  expect(box?.x).toBe(anchor?.x)
  expect(box?.y).toBe((anchor?.y ?? 0) + (anchor?.height ?? 0) + 8)
  await session.page.keyboard.press('Escape')
  await popover.waitFor({ state: 'detached' })
})

journey('an inner screen that is loaded again is never painted in the theme of home', aNewcomer, async (session) => {
  await signInInvited(session, person)
  await session.page.addInitScript(recordFrames)
  // The app itself comes late: what is painted before is the page alone.
  await session.page.route('**/assets/*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    await route.continue()
  })
  for (const [hash, ground] of [
    ['#/order?no=20261121ABCDEFGH', 'rgb(255, 255, 255)'],
    ['#/index', 'rgb(12, 11, 10)'],
  ] as const) {
    await session.open(hash)
    await session.page.reload()
    await session.page.locator('main h1').filter({ visible: true }).waitFor()
    expect(await session.page.evaluate(() => (globalThis as unknown as Framed).candelaFrames)).toEqual([ground])
  }
})

journey('signing out, from any screen, ends the session here and at the server', aNewcomer, async (session) => {
  await signInInvited(session, person)
  await session.open('#/order')
  await session.page.getByRole('button', { name: shortAddress(person.wallet.address) }).click()
  expect(await liveSessions(product(), person)).toBe(1)
  await session.button('account.signOut', session.dialog('account.title')).click()
  await expect.poll(() => tokenOf(session)).toBeNull()
  expect(await liveSessions(product(), person)).toBe(0)
  const kept = await session.page.evaluate(() => JSON.stringify(globalThis.localStorage))
  expect(kept).not.toContain(person.wallet.address)
  // Nor does the page show whose wallet it was.
  await session.connectButton().waitFor()
  expect(await session.page.getByText(shortAddress(person.wallet.address)).count()).toBe(0)
})

journey('an account changed in the wallet ends the session and reloads after a moment', aNewcomer, async (session) => {
  await session.page.clock.install()
  await signInInvited(session, person)
  const left = { wallet: { address: person.wallet.address } }
  expect(await liveSessions(product(), left)).toBe(1)
  const next = await newcomer(product())
  let reloads = 0
  session.page.on('load', () => (reloads += 1))
  await stopClock(session)
  person.wallet.useAccount(next.account)
  await expect.poll(() => tokenOf(session)).toBeNull()
  await expect.poll(() => liveSessions(product(), left)).toBe(0)
  // By the page's clock: not within 700 ms, but within 4 s.
  await session.page.clock.runFor(700)
  expect(reloads).toBe(0)
  const reloaded = session.page.waitForEvent('load')
  await session.page.clock.runFor(3_300)
  await reloaded
  await session.page.clock.resume()
  // The other account is new here, so it is asked for a code of its own.
  await session.dialog('invite.title').waitFor()
  expect(await tokenOf(session)).toBeNull()
})

journey(
  'every path but home leads a visitor home',
  () => ({}),
  async (session) => {
    for (const path of ['/order', '/computing', '/mine', '/withdrawal', '/nonsense', '/']) {
      await session.open(`#${path}`)
      await expect.poll(() => session.path()).toMatch(/^\/index(?:\?|$)/)
      await session.connectButton().waitFor()
    }
    await session.page.evaluate(() => {
      ;(globalThis as unknown as { location: { hash: string } }).location.hash = '#/order'
    })
    await expect.poll(() => session.path()).toBe('/index?next=%2Forder')
  },
)

journey(
  'a chosen language is shown at once and after a reload',
  () => ({}),
  async (session) => {
    await session.open()
    const language = () =>
      session.page.evaluate(
        () =>
          (globalThis as unknown as { document: { documentElement: { lang: string } } }).document.documentElement.lang,
      )
    await session.page.getByRole('heading', { name: session.text('visit.title') }).waitFor()
    expect(await language()).toBe('zh-Hant')
    let current = '繁體中文'
    for (const [choice, name] of [
      ['zh', '简体中文'],
      ['en', 'English'],
    ] as const) {
      await session.button('language.button').click()
      const options = session.dialog('language.title').locator('.option')
      await options.first().waitFor()
      expect(await options.allInnerTexts()).toEqual(['简体中文', '繁體中文', 'English'])
      expect(await options.locator('.flag').count()).toBe(3)
      // The check mark is at the current one alone.
      expect(await options.filter({ has: session.page.locator('.icon') }).allInnerTexts()).toEqual([current])
      current = name
      await session.dialog('language.title').getByRole('radio', { name }).click()
      session.setLanguage(choice)
      await session.page.getByRole('heading', { name: session.text('visit.title') }).waitFor()
      await session.page.reload()
      await session.page.getByRole('heading', { name: session.text('visit.title') }).waitFor()
      expect(await language()).toBe(session.languageTag())
    }
  },
)

const themeOf = (session: BrowserSession) => session.page.locator('html').getAttribute('data-theme')

type Framed = {
  /** Grounds of the page in the frames since it was loaded, each once, oldest first. */
  candelaFrames: string[]
  document: { body: unknown; documentElement: unknown }
  getComputedStyle(element: unknown): { backgroundColor: string }
  requestAnimationFrame(act: () => void): void
}

/** Runs inside the page, so it may use nothing from around it. */
function recordFrames(): void {
  const page = globalThis as unknown as Framed
  page.candelaFrames = []
  const look = () => {
    // Before there is a body nothing is painted.
    if (page.document.body !== null) {
      const ground = page.getComputedStyle(page.document.documentElement).backgroundColor
      if (!page.candelaFrames.includes(ground)) page.candelaFrames.push(ground)
    }
    page.requestAnimationFrame(look)
  }
  page.requestAnimationFrame(look)
}
