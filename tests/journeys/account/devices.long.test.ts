import { sql } from 'kysely'
import { expect } from 'vitest'
import { liveSessions, withDatabase } from '../support/database.ts'
import { expectReadable } from '@candela/testing/browser/judge-screen'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer, walletOf } from '../support/people.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { expectSignedIn, letTimePass, openAnotherSession, signInInvited, tokenOf } from '../support/steps.ts'

const { product, journey } = journeysOf(sharedProduct('production'))

const devices = {
  phone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1',
  laptop: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36',
  tablet: 'Mozilla/5.0 (Linux; Android 16; Tablet) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36',
}

let person: Newcomer
const onFirstDevice = async () => {
  person = await newcomer(product())
  return { wallets: [person.pageWallet], userAgent: devices.phone }
}

type Device = Awaited<ReturnType<typeof openDevice>>

/** One more device of the person: a browser of its own, with the same account in its own copy of the wallet. */
async function openDevice(first: BrowserSession, userAgent: string) {
  const { wallet, pageWallet } = walletOf(product(), person.account)
  const session = await openAnotherSession(first, { wallets: [pageWallet], userAgent })
  await session.open()
  return { ...session, wallet, signatures: () => signaturesOf(wallet) }
}

async function signIn(device: Device): Promise<void> {
  await device.connectButton().click()
  await expectSignedIn(device, person.wallet.address)
}

/** The button in the content that signs in, for a visitor whose wallet is not connected. */
const wayIn = (session: BrowserSession) => session.button('visit.connect', session.page.getByRole('main'))

const signaturesOf = ({ calls }: { calls: readonly string[] }) =>
  calls.filter((call) => call === 'personal_sign').length

/** Home, as a visitor, with the reason in words, and nothing of the session left on the device. */
async function expectSignedOut(session: BrowserSession): Promise<void> {
  await session.page.getByText(session.text('visit.ended')).waitFor()
  // Where the session ended before the next screen was opened, that one is what it goes on with.
  await expect.poll(() => session.path().split('?')[0]).toBe('/index')
  const kept = await session.page.evaluate(() => {
    const { localStorage } = globalThis as unknown as { localStorage: { getItem(key: string): string | null } }
    return ['token', 'address'].map((key) => localStorage.getItem(key))
  })
  expect(kept).toEqual([null, null])
}

const sessionsAtServer = () => liveSessions(product(), person)

journey(
  'the fourth device may put the other three out, which are told, and are asked for nothing until they want in again',
  onFirstDevice,
  async (phone) => {
    await signInInvited(phone, person)
    await using laptop = await openDevice(phone, devices.laptop)
    await using tablet = await openDevice(phone, devices.tablet)
    await signIn(laptop)
    await signIn(tablet)
    await using fourth = await openDevice(phone, devices.laptop)
    await fourth.connectButton().click()
    const dialog = fourth.dialog('devices.title')
    await dialog.getByText('3').waitFor()
    await expectReadable(fourth)

    // Not now: a visitor, told why, and not asked again by a reload.
    await fourth.button('ui.cancel', dialog).click()
    await fourth.page.getByText(fourth.text('visit.tooMany')).waitFor()
    expect(await fourth.button('visit.signIn').isEnabled()).toBe(true)
    expect(await tokenOf(fourth)).toBeNull()
    await fourth.page.reload()
    await fourth.page.getByText(fourth.text('visit.tooMany')).waitFor()
    await wayIn(fourth).click()
    await dialog.waitFor()
    // Once before the reload, once after it.
    expect(fourth.signatures()).toBe(2)
    expect(await sessionsAtServer()).toBe(3)

    await fourth.button('devices.replace', dialog).click()
    await expectSignedIn(fourth, person.wallet.address)
    // The signature that was refused for one device too many is used to sign the others out.
    expect(fourth.signatures()).toBe(2)
    expect(await sessionsAtServer()).toBe(1)

    // One goes to another screen, one reloads, one comes back to its list of devices.
    await phone.open('#/order')
    await expectSignedOut(phone)
    await laptop.page.reload()
    await expectSignedOut(laptop)
    await tablet.open('#/devices')
    await expectSignedOut(tablet)

    await laptop.page.clock.install()
    await laptop.page.reload()
    await laptop.page.getByText(laptop.text('visit.ended')).waitFor()
    await letTimePass(laptop, 10_000)
    expect([laptop.signatures(), await tokenOf(laptop)]).toEqual([1, null])
    await wayIn(laptop).click()
    await expectSignedIn(laptop, person.wallet.address)
    expect(laptop.signatures()).toBe(2)
    await fourth.page.reload()
    await expectSignedIn(fourth, person.wallet.address)
    for (const { problems } of [laptop, tablet, fourth]) expect(problems).toEqual([])
  },
)

journey('the list of devices names them, ends one, and ends all others', onFirstDevice, async (phone) => {
  await signInInvited(phone, person)
  await using laptop = await openDevice(phone, devices.laptop)
  await using tablet = await openDevice(phone, devices.tablet)
  await signIn(laptop)
  await signIn(tablet)
  await laptop.open('#/devices')
  const names = laptop.page.locator('.device h2')
  await expect.poll(() => names.count()).toBe(3)
  const named = (browser: string, system: string) => laptop.text('device.on', { browser, system })
  const [onPhone, onLaptop, onTablet] = [
    named('Safari', 'iPhone'),
    named('Chrome', 'Mac'),
    named('Chrome', 'Android'),
  ] as const
  // One's own first, then the newest sign-in.
  expect(await names.allInnerTexts()).toEqual([onLaptop, onTablet, onPhone])
  expect(await laptop.page.locator('.device[data-current] h2').innerText()).toBe(onLaptop)

  await laptop.page.getByRole('button', { name: laptop.text('device.endWhat', { device: onPhone }) }).click()
  await laptop.waitForToast('device.ended')
  await expect.poll(() => names.allInnerTexts()).toEqual([onLaptop, onTablet])
  await phone.open('#/mine')
  await expectSignedOut(phone)
  await tablet.open('#/mine')
  await tablet.page.getByRole('heading', { name: tablet.text('route.mine') }).waitFor()
  expect(await sessionsAtServer()).toBe(2)

  await laptop.button('device.endOthers').click()
  await laptop.page.getByText(laptop.text('device.none')).waitFor()
  expect(await names.allInnerTexts()).toEqual([onLaptop])
  await tablet.open('#/devices')
  await expectSignedOut(tablet)
  expect(await sessionsAtServer()).toBe(1)
  for (const { problems } of [laptop, tablet]) expect(problems).toEqual([])
})

journey('signing out ends the session for whoever has kept its token', onFirstDevice, async (phone) => {
  await signInInvited(phone, person)
  const secondTab = await phone.page.context().newPage()
  await secondTab.goto(phone.page.url().replace(/#.*/, '#/mine'))
  await secondTab.getByRole('heading', { name: phone.text('route.mine') }).waitFor()
  const token = (await tokenOf(phone)) ?? ''
  await phone.page.getByRole('banner').getByText('…').click()
  await phone.button('account.signOut', phone.dialog('account.title')).click()
  await wayIn(phone).waitFor()
  await expect.poll(sessionsAtServer).toBe(0)
  await secondTab.getByRole('heading', { name: phone.text('visit.title') }).waitFor()
  await secondTab.close()
  expect(await tokenOf(phone)).toBeNull()
  // A person who signs out gets no explanation, and the wallet is asked for nothing.
  expect(await phone.page.getByText(phone.text('visit.ended')).count()).toBe(0)
  await phone.page.reload()
  await wayIn(phone).waitFor()

  await using other = await openDevice(phone, devices.laptop)
  await other.page.evaluate(
    ([kept, address]) => {
      const { localStorage } = globalThis as unknown as { localStorage: { setItem(key: string, value: string): void } }
      localStorage.setItem('token', kept)
      localStorage.setItem('address', address)
    },
    [token, person.wallet.address] as const,
  )
  await other.open('#/withdrawal')
  await other.page.reload()
  await expectSignedOut(other)
  expect([signaturesOf(person.wallet), other.signatures()]).toEqual([1, 0])
})

journey('a session that has expired leads home with a word, and a tap leads in again', onFirstDevice, async (phone) => {
  await signInInvited(phone, person)
  await withDatabase(product(), (db) =>
    sql`update session set created_at = now() - interval '1 day', expires_at = now() - interval '1 second'
      where member_id = (select id from member where address = ${person.wallet.address})`.execute(db),
  )
  await phone.open('#/statement')
  await expectSignedOut(phone)
  await phone.page.clock.install()
  await phone.page.reload()
  await phone.page.getByText(phone.text('visit.ended')).waitFor()
  await letTimePass(phone, 10_000)
  expect(signaturesOf(person.wallet)).toBe(1)
  // Refused, and the page reloaded: still nothing is asked without a tap.
  person.wallet.refuseNext('personal_sign')
  await wayIn(phone).click()
  await phone.page.getByText(phone.text('visit.refused')).waitFor()
  await phone.page.reload()
  await phone.page.getByText(phone.text('visit.ended')).waitFor()
  expect(signaturesOf(person.wallet)).toBe(2)
  await wayIn(phone).click()
  await expectSignedIn(phone, person.wallet.address)
  expect(await phone.page.getByText(phone.text('visit.ended')).count()).toBe(0)
})
