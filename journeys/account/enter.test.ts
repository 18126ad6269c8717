import { rootInvitation } from '@candela/devnet/seed/seed'
import { expect } from 'vitest'
import { liveSessions } from '../support/database.ts'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import { connectInvited, expectSignedIn, shortAddress, signInInvited, stopClock, tokenOf } from '../support/steps.ts'

const { product, journey } = journeysOf(sharedProduct('production'))

let person: Newcomer
const aNewcomer = async () => {
  person = await newcomer(product())
  return { wallets: [person.pageWallet] }
}

journey('a visitor is invited, connects, signs and is in; a reload keeps it so', aNewcomer, async (session) => {
  await signInInvited(session, person)
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

journey('an unknown invitation code is refused in place and can be corrected', aNewcomer, async (session) => {
  await session.open('#/index?code=NOSUCHCODE')
  await session.connectButton().click()
  const sheet = session.dialog('invite.title')
  await session.button('invite.confirm', sheet).click()
  await sheet.getByRole('alert').filter({ hasText: /\S/ }).waitFor()
  await sheet.getByRole('textbox').fill(rootInvitation)
  await session.button('invite.confirm', sheet).click()
  await expectSignedIn(session, person.wallet.address)
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
    await session.waitForToast('network.switchRefused')
    expect(await dialog.isVisible()).toBe(true)
    await session.button('network.switch', dialog).click()
    await session.dialog('invite.title').waitFor()
    expect(await dialog.isVisible()).toBe(false)
    expect(person.wallet.calls).toContain('wallet_addEthereumChain')
    // The person leaves the chain by themselves and comes back: recheck alone closes it.
    await session.button('invite.confirm', session.dialog('invite.title')).click()
    await expectSignedIn(session, person.wallet.address)
    person.wallet.setChain(1)
    await dialog.waitFor()
    person.wallet.setChain(210_000)
    await session.button('network.recheck', dialog).click()
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
      await expect.poll(() => session.path()).toBe('/index')
      await session.connectButton().waitFor()
    }
    await session.page.evaluate(() => {
      ;(globalThis as unknown as { location: { hash: string } }).location.hash = '#/order'
    })
    await expect.poll(() => session.path()).toBe('/index')
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
    for (const [choice, name] of [
      ['zh', '简体中文'],
      ['en', 'English'],
    ] as const) {
      await session.button('language.button').click()
      await session.dialog('language.title').getByRole('radio', { name }).click()
      session.setLanguage(choice)
      await session.page.getByRole('heading', { name: session.text('visit.title') }).waitFor()
      await session.page.reload()
      await session.page.getByRole('heading', { name: session.text('visit.title') }).waitFor()
      expect(await language()).toBe(session.languageTag())
    }
  },
)
