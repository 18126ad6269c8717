/** The calls that the app makes, in a real browser: what goes out, and what a person is told when the network breaks. */
import { codeMessages } from '@candela/protocol/code-messages'
import { GATEWAY_PATH } from '@candela/protocol/envelope'
import { fillMessage } from '@candela/protocol/fill-message'
import { inputProblems } from '@candela/protocol/input-problems'
import { type Language, languages } from '@candela/protocol/language'
import { rootInvitation } from '@candela/devnet/seed'
import { openDatabase } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import type { Request } from 'playwright-core'
import { parseEther } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import { routes } from '../../web/src/app/routes.ts'
import { expectBooksToAgree } from '../support/books.ts'
import { filesWith } from '../support/built-files.ts'
import {
  answered,
  breakable,
  cut,
  type Fault,
  forgiveBrokenRequests,
  formOf,
  hanging,
  innerOf,
  lostAnswer,
  sealed,
  tampered,
} from '../support/gateway-calls.ts'
import { journeysOf } from '../support/journey.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import type { Stage } from '../support/browser-session.ts'
import {
  askToWithdraw,
  expectSignedIn,
  openWithdrawal,
  signInInvited,
  tokenOf,
  waitForWithdrawal,
} from '../support/steps.ts'

let person: Newcomer

/** Generous, because other programs may share the machine. */
const SOON = { timeout: 15_000 }

describe('in production', () => {
  const { product, journey } = journeysOf('production', { CONFIRMATIONS: '2', CONFIRMATIONS_LARGE: '2' })
  const aNewcomer = async () => {
    person = await newcomer(product().rpcUrl, { ju: parseEther('20') })
    return { wallets: [person.pageWallet] }
  }

  journey(
    'a sign-in and every screen: only envelopes go out, and the console stays silent',
    aNewcomer,
    async (stage) => {
      const said: string[] = []
      stage.page.context().on('console', (message) => said.push(`${message.type()}: ${message.text()}`))
      await noteViolations(stage)
      const sent: Request[] = []
      stage.page.on('request', (request) => sent.push(request))
      await signInInvited(stage, person)
      const places = await visitEveryRoute(stage)
      expect(await violations(stage)).toEqual([])
      expect(said).toEqual([])

      const token = (await tokenOf(stage)) ?? ''
      expect(token).toMatch(/^[\w-]{43}$/)
      const calls = sent.filter((request) => request.method() !== 'GET' || request.url().includes('/api/'))
      expect(calls.length).toBeGreaterThan(20)
      for (const request of calls) await expectEnvelope(request, { origin: product().origin, token })
      expect(new Set(calls.map((request) => formOf(request).get('handshake'))).size).toBe(calls.length)
      expect(await stage.page.context().cookies()).toEqual([])
      for (const url of [...places, ...sent.map((request) => request.url())])
        for (const secret of [token, person.wallet.address])
          expect(url.toLowerCase()).not.toContain(secret.toLowerCase())
    },
  )

  journey(
    'whatever breaks under a command is said in the language chosen, and a retry works',
    aNewcomer,
    async (stage) => {
      await signInInvited(stage, person)
      const network = await breakable(stage)
      for (const [turn, language] of languages.entries()) {
        await choose(stage, language)
        await openUidForm(stage)
        const before = (await stage.toasts()).length
        for (const [at, { fault, says }] of (turn === 0 ? faults : kinds).entries()) {
          network.set('POST user/updateJuUid', fault)
          await save(stage, String(7_000 + turn))
          // Neighbours say different things, so each is a toast of its own.
          await expect
            .poll(async () => (await stage.toasts()).slice(before + at), SOON)
            .toEqual([says(stage, language)])
          await stage.page.locator('.toast[data-kind="error"]').waitFor()
          // Outside of the open sheet nothing can be heard, so it is repeated inside.
          const heard = stage.dialog('mine.uid').locator('[aria-live="assertive"]')
          expect(await heard.textContent()).toBe(says(stage, language))
        }
        await stage.page.locator('.toast').waitFor({ state: 'hidden' })
        network.mend()
        await save(stage, String(7_000 + turn))
        await stage.page.getByText(String(7_000 + turn), { exact: true }).waitFor()
      }
      forgiveBrokenRequests(stage)
    },
  )

  journey('a read that fails says why in place, and loads when asked again', aNewcomer, async (stage) => {
    await signInInvited(stage, person)
    const network = await breakable(stage)
    for (const [turn, language] of languages.entries()) {
      await choose(stage, language)
      for (const { fault, says } of turn === 0 ? kinds : kinds.slice(0, 3)) {
        network.set('GET auth/sessions', fault)
        await stage.open('#/devices')
        await stage.page.reload()
        const failed = stage.page.getByRole('alert').filter({ hasText: stage.text('state.failed') })
        await failed.getByText(says(stage, language), { exact: true }).waitFor()
        network.mend()
        await stage.button('ui.retry', failed).click()
        await stage.page.getByText(stage.text('device.this'), { exact: true }).waitFor()
      }
    }
    forgiveBrokenRequests(stage)
  })

  journey('no answer for 50 seconds is a time-out; leaving the screen is none', aNewcomer, async (stage) => {
    await stage.page.clock.install()
    await signInInvited(stage, person)
    const network = await breakable(stage)
    network.set('POST user/updateJuUid', hanging)
    for (const language of languages) {
      await choose(stage, language)
      await openUidForm(stage)
      await save(stage, '7100')
      await expect.poll(() => network.calls('POST user/updateJuUid').length, SOON).toBe(languages.indexOf(language) + 1)
      await stage.page.clock.runFor(49_000)
      expect(await stage.toast('http.timeout').count()).toBe(0)
      await stage.page.clock.runFor(1_200)
      await stage.toast('http.timeout').waitFor()
      await stage.page.clock.runFor(4_000)
      await stage.page.locator('.toast').waitFor({ state: 'hidden' })
    }
    const shown = (await stage.toasts()).length
    network.set('GET auth/sessions', hanging)
    await stage.open('#/devices')
    await expect.poll(() => network.calls('GET auth/sessions').length, SOON).toBeGreaterThan(0)
    await stage.open('#/index')
    await stage.page.clock.runFor(51_000)
    expect(await stage.toasts()).toHaveLength(shown)
    forgiveBrokenRequests(stage)
  })

  journey('offline is said on the screen; back online everything works again', aNewcomer, async (stage) => {
    await signInInvited(stage, person)
    await openUidForm(stage)
    await stage.page.context().setOffline(true)
    await stage.page.getByText(stage.text('state.offlineNotice')).waitFor()
    await save(stage, '7200')
    await stage.toast('http.connect').waitFor()
    await stage.page.context().setOffline(false)
    await stage.page.getByText(stage.text('state.offlineNotice')).waitFor({ state: 'hidden' })
    await save(stage, '7200')
    await stage.page.getByText('7200', { exact: true }).waitFor()
    forgiveBrokenRequests(stage)
  })

  journey('money whose answer got lost: asked again under its id, done once', aNewcomer, async (stage) => {
    await signInInvited(stage, person)
    await payIn(product(), person, '9')
    // Agree they do once it is credited.
    await vi.waitFor(() => expectBooksToAgree(product()), { timeout: 40_000, interval: 250 })
    await openWithdrawal(stage)
    await stage.page.getByRole('radio', { name: 'JU', exact: true }).check()
    const network = await breakable(stage)
    network.set('POST withdraw/apply', lostAnswer)
    await askToWithdraw(stage, '2')
    await stage.button('withdraw.confirm', stage.dialog('withdraw.review')).click()
    await stage.toast('http.connect').waitFor()
    await expect.poll(withdrawalsOf, SOON).toBe(1)
    network.mend()
    // Also after a reload: the id was kept before it was sent.
    await stage.page.reload()
    await openWithdrawal(stage)
    await stage.page.getByRole('radio', { name: 'JU', exact: true }).check()
    await askToWithdraw(stage, '2')
    await stage.button('withdraw.confirm', stage.dialog('withdraw.review')).click()
    await stage.dialog('withdraw.review').waitFor({ state: 'hidden' })
    expect(await stage.toasts()).toEqual([])
    const [first, second] = network.calls('POST withdraw/apply')
    expect(second?.data).toEqual(first?.data)
    expect(await withdrawalsOf()).toBe(1)
    expect(await stage.page.locator('[data-withdrawal]').count()).toBe(1)
    await waitForWithdrawal(stage, 'done')
    await expectBooksToAgree(product())
    forgiveBrokenRequests(stage)
  })

  /** How many withdrawals the database holds for the person. */
  async function withdrawalsOf(): Promise<number> {
    const db = openDatabase({ url: product().databaseUrl, log: silentLog(), poolSize: 1 })
    try {
      const rows = await db
        .selectFrom('withdrawal')
        .innerJoin('member', 'member.id', 'withdrawal.member_id')
        .where('member.address', '=', person.wallet.address.toLowerCase())
        .select('withdrawal.id')
        .execute()
      return rows.length
    } finally {
      await db.destroy()
    }
  }

  test('the build holds no request log', async () => {
    expect(await filesWith(['[api]', 'console.log', 'console.info', 'console.debug'], 'dist')).toEqual([])
  })
})

describe('in development', () => {
  const { product, journey } = journeysOf('development')

  test('the build holds the request log', async () => {
    expect(await filesWith(['[api]'], 'dist-devnet')).toHaveLength(1)
  })

  journey(
    'plain routes, with the session and the language in headers, and a log of requests without secrets',
    async () => {
      person = await newcomer(product().rpcUrl)
      return { wallets: [person.pageWallet] }
    },
    async (stage) => {
      const log: string[] = []
      stage.page.on('console', (message) => {
        if (message.type() === 'info') log.push(message.text())
      })
      const sent: Request[] = []
      stage.page.on('request', (request) => request.url().includes('/api/') && sent.push(request))
      await stage.open(`#/index?code=${rootInvitation}`)
      await stage.connectButton().click()
      // Beside the demo wallet.
      await stage.dialog('wallet.choose').getByRole('button', { name: 'Test wallet' }).click()
      await stage.button('invite.confirm', stage.dialog('invite.title')).click()
      await expectSignedIn(stage, person.wallet.address)
      await openUidForm(stage)
      await save(stage, '7300')
      await stage.page.getByText('7300', { exact: true }).waitFor()
      const token = (await tokenOf(stage)) ?? ''

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

const words = (key: 'http.connect' | 'http.request' | 'http.abnormal') => (stage: Stage) => stage.text(key)
const ours = (code: number, message: string) => JSON.stringify({ code, message, data: null })

/** `kind` marks one of each kind of words, for every language: what leads to which does not depend on the language. */
type Case = { fault: Fault; says: (stage: Stage, language: Language) => string; kind?: true }

/** Neighbours say different things. */
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
  { fault: tampered, says: (_stage, language) => inputProblems.notAccepted[language], kind: true },
  { fault: answered({ status: 302, headers: { location: '/' } }), says: words('http.request') },
  {
    fault: sealed({ code: 4001, message: '' }),
    says: (_stage, language) => fillMessage(codeMessages.deviceLimit[language], {}),
    kind: true,
  },
]

const kinds = faults.filter(({ kind }) => kind)

async function choose(stage: Stage, language: Language): Promise<void> {
  // To another screen and back closes what is open.
  await stage.open('#/index')
  await stage.open('#/mine')
  await stage.button('language.button').click()
  const names = { zh: '简体中文', tw: '繁體中文', en: 'English' }
  await stage.dialog('language.title').getByRole('radio', { name: names[language] }).click()
  stage.speak(language)
  await stage.page.locator('.mine-uid').getByText(stage.text('mine.uid')).waitFor()
}

async function openUidForm(stage: Stage): Promise<void> {
  await stage.open('#/mine')
  const form = stage.dialog('mine.uid')
  if (!(await form.isVisible())) await stage.page.locator('.mine-uid').click()
  await form.waitFor()
}

async function save(stage: Stage, uid: string): Promise<void> {
  const form = stage.dialog('mine.uid')
  await form.getByRole('textbox').fill(uid)
  await stage.button('mine.uidSave', form).click()
}

/** @returns every address that the page had on the way */
async function visitEveryRoute(stage: Stage): Promise<string[]> {
  const places: string[] = []
  for (const route of Object.keys(routes)) {
    await stage.open(`#${route}`)
    await stage.page.locator(`main[data-path="${route}"]`).waitFor()
    await expect.poll(() => stage.page.locator('main [aria-busy="true"]:visible').count(), SOON).toBe(0)
    places.push(stage.page.url())
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
const noteViolations = (stage: Stage): Promise<unknown> =>
  stage.page.addInitScript(() => {
    const page = globalThis as unknown as Violations & {
      addEventListener(name: string, hear: (event: { violatedDirective: string; blockedURI: string }) => void): void
    }
    page.candelaViolations = []
    page.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      page.candelaViolations.push(`${violatedDirective} ${blockedURI}`),
    )
  })

const violations = (stage: Stage): Promise<string[]> =>
  stage.page.evaluate(() => (globalThis as unknown as Violations).candelaViolations)
