/** The calls that the app makes, in a real browser: what goes out, and what a person is told when the network fails. */
import { apiTexts } from '@candela/protocol/texts/api-texts'
import { GATEWAY_PATH } from '@candela/protocol/envelope/envelope'
import { fillMessage } from '@candela/protocol/codes/fill-message'
import { type Language, languages, languageName } from '@candela/protocol/language'
import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import type { Request } from 'playwright-core'
import { parseEther } from 'viem'
import { describe, expect, test } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { filesWith } from '../support/products/built-files.ts'
import { balancesOf, memberIdOf, withDatabase } from '../support/database.ts'
import {
  answered,
  breakable,
  cut,
  type Fault,
  ignoreBrokenRequests,
  formOf,
  hanging,
  innerOf,
  lostAnswer,
  sealed,
  tampered,
} from '@candela/testing/browser/gateway-calls'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import {
  askToWithdraw,
  expectSignedIn,
  openWithdrawal,
  signInInvited,
  stopClock,
  tokenOf,
  waitForWithdrawal,
} from '../support/steps.ts'
import { routes } from '@candela/testing/browser/web'

let person: Newcomer

async function askForTwo(session: BrowserSession): Promise<void> {
  await openWithdrawal(session)
  await session.page.getByRole('radio', { name: 'JU', exact: true }).check()
  await askToWithdraw(session, '2')
}

describe('in production', () => {
  const { product, journey } = journeysOf(sharedProduct('production'))
  const aNewcomer = async () => {
    person = await newcomer(product(), { ju: parseEther('20') })
    return { wallets: [person.pageWallet] }
  }

  journey(
    'a sign-in and every screen: only envelopes go out, and the console stays silent',
    aNewcomer,
    async (session) => {
      const said: string[] = []
      session.page.context().on('console', (message) => said.push(`${message.type()}: ${message.text()}`))
      await noteViolations(session)
      const sent: Request[] = []
      session.page.on('request', (request) => sent.push(request))
      await signInInvited(session, person)
      const places = await visitEveryRoute(session)
      expect(await violations(session)).toEqual([])
      // The note is of these tests, which see and break requests.
      expect(said.filter((line) => !line.includes('Service Worker registration blocked by Playwright'))).toEqual([])

      const token = (await tokenOf(session)) ?? ''
      expect(token).toMatch(/^[\w-]{43}$/)
      const calls = sent.filter((request) => request.method() !== 'GET' || request.url().includes('/api/'))
      expect(calls.length).toBeGreaterThan(20)
      for (const request of calls) await expectEnvelope(request, { origin: product().origin, token })
      expect(new Set(calls.map((request) => formOf(request).get('handshake'))).size).toBe(calls.length)
      expect(await session.page.context().cookies()).toEqual([])
      for (const url of [...places, ...sent.map((request) => request.url())])
        for (const secret of [token, person.wallet.address])
          expect(url.toLowerCase()).not.toContain(secret.toLowerCase())
    },
  )

  journey(
    'whatever breaks under a command is said in the language chosen, and a retry works',
    aNewcomer,
    async (session) => {
      await signInInvited(session, person)
      const network = await breakable(session)
      for (const [turn, language] of languages.entries()) {
        await choose(session, language)
        await openUidForm(session)
        const before = (await session.toasts()).length
        for (const [at, { fault, says }] of (turn === 0 ? faults : kinds).entries()) {
          network.set('POST user/updateJuUid', fault)
          await save(session, String(7_000 + turn))
          // Two faults in a row have different texts, so each shows a toast of its own.
          await expect.poll(async () => (await session.toasts()).slice(before + at)).toEqual([says(session, language)])
          await session.page.locator('.toast[data-kind="error"]').waitFor()
          // Screen readers ignore what is outside of the open sheet, so it is repeated inside.
          const heard = session.dialog('mine.uid').locator('[aria-live="assertive"]')
          expect(await heard.textContent()).toBe(says(session, language))
          // A button that is off while it is busy would have lost the focus to the page behind the sheet.
          const form = session.dialog('mine.uid')
          expect(await form.evaluate((element) => element.contains(element.ownerDocument.activeElement))).toBe(true)
        }
        await session.page.locator('.toast').waitFor({ state: 'hidden' })
        network.restore()
        await save(session, String(7_000 + turn))
        await session.page.getByText(String(7_000 + turn), { exact: true }).waitFor()
      }
      ignoreBrokenRequests(session)
    },
  )

  journey('a read that fails says why in place, and loads when asked again', aNewcomer, async (session) => {
    await signInInvited(session, person)
    const network = await breakable(session)
    for (const [turn, language] of languages.entries()) {
      await choose(session, language)
      for (const { fault, says } of turn === 0 ? kinds : kinds.slice(0, 3)) {
        network.set('GET auth/sessions', fault)
        await session.open('#/devices')
        await session.page.reload()
        const failed = session.page.getByRole('alert').filter({ hasText: session.text('state.failed') })
        await failed.getByText(says(session, language), { exact: true }).waitFor()
        network.restore()
        await session.button('ui.retry', failed).click()
        await session.page.getByText(session.text('device.this'), { exact: true }).waitFor()
      }
    }
    ignoreBrokenRequests(session)
  })

  journey('no answer for 50 seconds is a time-out; leaving the screen is none', aNewcomer, async (session) => {
    await session.page.clock.install()
    await signInInvited(session, person)
    const network = await breakable(session)
    network.set('POST user/updateJuUid', hanging)
    for (const language of languages) {
      await choose(session, language)
      await openUidForm(session)
      await stopClock(session)
      await save(session, '7100')
      await expect.poll(() => network.calls('POST user/updateJuUid').length).toBe(languages.indexOf(language) + 1)
      await session.page.clock.runFor(49_000)
      expect(await session.toast('http.timeout').count()).toBe(0)
      await session.page.clock.runFor(1_200)
      await session.toast('http.timeout').waitFor()
      await session.page.clock.runFor(4_000)
      await session.page.locator('.toast').waitFor({ state: 'hidden' })
      await session.page.clock.resume()
    }
    const shown = (await session.toasts()).length
    network.set('GET auth/sessions', hanging)
    await session.open('#/devices')
    await expect.poll(() => network.calls('GET auth/sessions').length).toBeGreaterThan(0)
    await session.open('#/index')
    await session.page.clock.runFor(51_000)
    expect(await session.toasts()).toHaveLength(shown)
    ignoreBrokenRequests(session)
  })

  journey('offline is said on the screen; back online everything works again', aNewcomer, async (session) => {
    await signInInvited(session, person)
    await openUidForm(session)
    await session.page.context().setOffline(true)
    await session.page.getByText(session.text('state.offlineNotice')).waitFor()
    await save(session, '7200')
    await session.waitForToast('http.connect')
    await session.page.context().setOffline(false)
    await session.page.getByText(session.text('state.offlineNotice')).waitFor({ state: 'hidden' })
    await save(session, '7200')
    await session.page.getByText('7200', { exact: true }).waitFor()
    // A screen whose files may have been on their way when the connection ended.
    await session.open('#/computing')
    await session.button('buy.pay').waitFor()
    ignoreBrokenRequests(session)
  })

  journey(
    'money whose answer got lost: looked for under its id, also after a reload, and done once',
    aNewcomer,
    async (session) => {
      await signInInvited(session, person)
      await payIn(product(), person, '9')
      await expect.poll(() => balancesOf(product(), person)).toEqual(['9'])
      await askForTwo(session)
      const network = await breakable(session)
      network.set('POST withdraw/apply', lostAnswer)
      network.set('GET command/outcome', cut('connectionreset'))
      await session.button('withdraw.confirm', session.dialog('withdraw.review')).click()
      await session.dialog('pending.title').getByText(session.text('pending.looking')).waitFor()
      await expect.poll(withdrawalsOf).toBe(1)
      await session.page.reload()
      // It is said on every screen, and the same form shows it instead of sending it anew.
      await session.page.locator('.shell-notice').getByText(session.text('route.withdrawal')).waitFor()
      await askForTwo(session)
      await session.button('withdraw.confirm', session.dialog('withdraw.review')).click()
      await session.dialog('pending.title').getByText(session.text('pending.looking')).waitFor()
      expect(network.calls('POST withdraw/apply')).toHaveLength(1)
      network.restore()
      await session.dialog('withdraw.review').waitFor({ state: 'hidden' })
      expect(await session.toasts()).toEqual([])
      const [first, second] = network.calls('POST withdraw/apply')
      expect(second?.data).toEqual(first?.data)
      expect(await withdrawalsOf()).toBe(1)
      expect(await session.page.locator('[data-withdrawal]').count()).toBe(1)
      expect(await session.page.locator('.shell-notice').count()).toBe(0)
      await waitForWithdrawal(session, 'done')
      await expectBooksToAgree(product())
      ignoreBrokenRequests(session)
    },
  )

  /** How many withdrawals the database holds for the person. */
  function withdrawalsOf(): Promise<number> {
    return withDatabase(product(), async (db) => {
      const rows = db
        .selectFrom('withdrawal')
        .select('id')
        .where('member_id', '=', await memberIdOf(db, person))
      return (await rows.execute()).length
    })
  }

  test('the build holds no request log', async () => {
    expect(await filesWith(['[api]', 'console.log', 'console.info', 'console.debug'], 'dist')).toEqual([])
  })
})

describe('in development', () => {
  const { product, journey } = journeysOf(sharedProduct('development'))

  test('the build holds the request log', async () => {
    expect(await filesWith(['[api]'], 'dist-devnet')).toHaveLength(1)
  })

  journey(
    'plain routes, with the session and the language in headers, and a log of requests without secrets',
    async () => {
      person = await newcomer(product())
      return { wallets: [person.pageWallet] }
    },
    async (session) => {
      const log: string[] = []
      session.page.on('console', (message) => {
        if (message.type() === 'info') log.push(message.text())
      })
      const sent: Request[] = []
      session.page.on('request', (request) => request.url().includes('/api/') && sent.push(request))
      await session.open(`#/index?code=${rootInvitation}`)
      await session.connectButton().click()
      // The demo wallet is offered too.
      await session.dialog('wallet.choose').getByRole('button', { name: 'Test wallet' }).click()
      await session.button('invite.confirm', session.dialog('invite.title')).click()
      await expectSignedIn(session, person.wallet.address)
      await openUidForm(session)
      await save(session, '7300')
      await session.page.getByText('7300', { exact: true }).waitFor()
      const token = (await tokenOf(session)) ?? ''

      const requestOf = (method: string, path: string) =>
        sent.find((request) => request.method() === method && new URL(request.url()).pathname === `/api/v1/${path}`)
      expect(await requestOf('GET', 'auth/loginMessage')?.allHeaders()).toMatchObject({ lang: 'TW' })
      expect(await requestOf('GET', 'auth/loginMessage')?.allHeaders()).not.toHaveProperty('authorization')
      expect(await requestOf('GET', 'user/info')?.allHeaders()).toMatchObject({ lang: 'TW', authorization: token })
      const command = requestOf('POST', 'user/updateJuUid')
      expect(command?.postData()).toBe('juUid=7300')
      const headers = (await command?.allHeaders()) ?? {}
      expect(headers).toMatchObject({ 'content-type': 'application/x-www-form-urlencoded', authorization: token })
      expect(headers).not.toHaveProperty('cookie')
      expect(sent.map((request) => request.url()).filter((url) => url.includes(token))).toEqual([])

      const login = new URLSearchParams(requestOf('POST', 'auth/login')?.postData() ?? '')
      const signature = login.get('sign_message') ?? ''
      expect(signature).toMatch(/^0x[0-9a-f]{130}$/)
      for (const key of ['GET auth/loginMessage', 'POST auth/login', 'GET user/info', 'POST user/updateJuUid'])
        expect(log.filter((line) => line.startsWith(`[api] ${key} 200 `))).not.toEqual([])
      for (const secret of [token, signature, login.get('message')?.slice(0, 40) ?? ''])
        expect(log.filter((line) => line.includes(secret))).toEqual([])
    },
  )
})

const html = '<!doctype html><html><head><title>502</title></head><body><h1>502 Bad Gateway</h1></body></html>'
const ok = { code: 200, message: 'OK', data: { juUid: '1' } }

const words = (key: 'http.connect' | 'http.request' | 'http.abnormal') => (session: BrowserSession) => session.text(key)
const ours = (code: number, message: string) => JSON.stringify({ code, message, data: null })

/** `kind` marks one case per text. These run in every language; which fault leads to which text does not depend on it. */
type Case = { fault: Fault; says: (session: BrowserSession, language: Language) => string; kind?: true }

/** Two in a row have different texts. */
const faults: Case[] = [
  { fault: cut('connectionrefused'), says: words('http.connect'), kind: true },
  { fault: answered({ status: 502, contentType: 'text/html', body: html }), says: words('http.request'), kind: true },
  { fault: cut('namenotresolved'), says: words('http.connect') },
  { fault: answered({ status: 300 }), says: words('http.abnormal'), kind: true },
  { fault: cut('connectionreset'), says: words('http.connect') },
  { fault: answered({ status: 200, body: Buffer.from([0, 159, 146, 150, 255]) }), says: words('http.request') },
  { fault: answered({ status: 300, contentType: 'text/html', body: html }), says: words('http.abnormal') },
  { fault: sealed(ok, { handshake: 'AnotherHandshake' }), says: words('http.request') },
  { fault: cut('internetdisconnected'), says: words('http.connect') },
  { fault: sealed(ok, { cutTo: 24 }), says: words('http.request') },
  {
    fault: answered({ status: 429, body: ours(429, 'Slow down, said the server') }),
    says: () => 'Slow down, said the server',
  },
  { fault: answered({ status: 204 }), says: words('http.request') },
  { fault: answered({ status: 503, body: ours(429, 'Busy, said the server') }), says: () => 'Busy, said the server' },
  { fault: tampered, says: (_stage, language) => apiTexts[language].problems.notAccepted, kind: true },
  { fault: answered({ status: 302, headers: { location: '/' } }), says: words('http.request') },
  {
    fault: sealed({ code: 4001, message: '' }),
    says: (_stage, language) => fillMessage(apiTexts[language].codes.deviceLimit, {}),
    kind: true,
  },
]

const kinds = faults.filter(({ kind }) => kind)

async function choose(session: BrowserSession, language: Language): Promise<void> {
  // Going to another screen and back closes open sheets.
  await session.open('#/index')
  await session.open('#/mine')
  await session.button('language.button').click()
  await session.dialog('language.title').getByRole('radio', { name: languageName[language] }).click()
  session.setLanguage(language)
  // Stored once its texts are there, so that a reload keeps it.
  await expect
    .poll(() =>
      session.page.evaluate(() => (globalThis as unknown as { localStorage: Storage }).localStorage.getItem('lang')),
    )
    .toBe(language)
  await session.page.locator('.mine-uid').getByText(session.text('mine.uid')).waitFor()
}

async function openUidForm(session: BrowserSession): Promise<void> {
  await session.open('#/mine')
  const form = session.dialog('mine.uid')
  if (!(await form.isVisible())) await session.page.locator('.mine-uid').click()
  await form.waitFor()
}

async function save(session: BrowserSession, uid: string): Promise<void> {
  const form = session.dialog('mine.uid')
  await form.getByRole('textbox').fill(uid)
  await session.button('mine.uidSave', form).click()
}

/** @returns every address that the page had on the way */
async function visitEveryRoute(session: BrowserSession): Promise<string[]> {
  const places: string[] = []
  for (const route of Object.keys(routes)) {
    await session.open(`#${route}`)
    await session.page.locator(`main[data-path="${route}"]`).waitFor()
    await expect.poll(() => session.page.locator('main [aria-busy="true"]:visible').count()).toBe(0)
    places.push(session.page.url())
  }
  return places
}

async function expectEnvelope(request: Request, { origin, token }: { origin: string; token: string }): Promise<void> {
  expect(`${request.method()} ${request.url()}`).toBe(`POST ${origin}${GATEWAY_PATH}`)
  const headers = await request.allHeaders()
  expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect(headers).not.toHaveProperty('cookie')
  expect(headers).not.toHaveProperty('authorization')
  expect(headers['lang']).toBe('TW')
  const form = formOf(request)
  expect([...form.keys()].toSorted()).toEqual(['data', 'handshake', 'sign', 'timestamp'])
  expect(form.get('handshake')).toMatch(/^[A-Za-z0-9]{16}$/)
  expect(form.get('timestamp')).toMatch(/^\d{13}$/)
  expect(form.get('sign')).toMatch(/^[0-9a-f]{64}$/)
  const { headers: inside } = innerOf(request)
  expect(inside?.LANG).toBe('TW')
  expect([undefined, token]).toContain(inside?.Authorization)
}

type Violations = { candelaViolations: string[] }

/** From the next page on. */
const noteViolations = (session: BrowserSession): Promise<unknown> =>
  session.page.addInitScript(() => {
    const page = globalThis as unknown as Violations & {
      addEventListener(name: string, hear: (event: { violatedDirective: string; blockedURI: string }) => void): void
    }
    page.candelaViolations = []
    page.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      page.candelaViolations.push(`${violatedDirective} ${blockedURI}`),
    )
  })

const violations = (session: BrowserSession): Promise<string[]> =>
  session.page.evaluate(() => (globalThis as unknown as Violations).candelaViolations)
