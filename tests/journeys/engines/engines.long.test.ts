/** A member uses the app on the engines that members have beside today's Chromium. */
import { DAY_MS } from '@candela/protocol/units'
import { waitUntil } from '@candela/testing/browser/wait-until'
import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { oldest } from '../../../web/browsers.ts'
import { type Engine } from '@candela/testing/engines/engine'
import { startFirefox } from '@candela/testing/engines/firefox'
import { runsOldChromium, startOldChromium } from '@candela/testing/engines/old-chromium'
import { type Phone, phoneWith } from '@candela/testing/engines/phone'
import { startWebKit } from '@candela/testing/engines/webkit'
import { needs } from '@candela/testing/process/needs'
import { openWalletProxy } from '@candela/testing/proxies/wallet-proxy'
import { latestDay } from '../exit/exit-steps.ts'
import { newcomer, payIn } from '../support/people.ts'
import { type RunningProduct, startProduct } from '../support/products/product.ts'
import { registered } from './registered.ts'
import * as steps from './steps.ts'

let product: RunningProduct
/** Engines that have come as far as a proof: they wait together for a day to be attested. */
const opened = new Map<string, { phone: Phone; origin: string }>()
const cleanups: (() => Promise<void>)[] = []
beforeAll(async () => {
  product = await startProduct({ mode: 'development' })
})
afterAll(async () => {
  for (const clean of cleanups) await clean()
  await product?.stop()
})

let attested: Promise<void> | undefined

/** Until a day is attested that has everything of now in it. */
async function attestNextDay(): Promise<void> {
  const before = await latestDay(product)
  await product.passTime(DAY_MS)
  await waitUntil('the next day is attested', async () => (await latestDay(product)) !== before)
}

const engines = [
  { name: `Chromium ${oldest.chrome}`, start: () => startOldChromium(87), options: { skip: !runsOldChromium } },
  { name: 'WebKit', start: startWebKit, options: needs('WebKitWebDriver', 'Xvfb') },
  { name: 'Firefox', start: startFirefox, options: needs('firefox-esr') },
] as const satisfies readonly { name: string; start: () => Promise<Engine>; options: object }[]

const pictures = process.env['ENGINE_PICTURES']

for (const { name, start, options } of engines)
  test(
    `${name}: signs in, pays in, buys, transfers, exchanges, withdraws, lends, borrows, repays, levers, and reads the books`,
    options,
    async () => {
      const person = await newcomer(product, { ju: parseEther('260'), usdt: parseEther('5000') })
      const other = await registered(product)
      const proxy = await openWalletProxy(product.origin, person.pageWallet)
      cleanups.push(() => proxy[Symbol.asyncDispose]())
      const engine = await start()
      cleanups.unshift(() => engine.close())
      const phone = phoneWith(engine, pictures === undefined ? {} : { pictures })
      const { origin } = proxy
      await steps.signIn(phone, origin, person)
      await steps.deposit(phone, origin, '3000')
      // After the deposit, whose step looks for the first payment that is credited.
      await payIn(product, person, '200')
      await steps.buyPower(phone, origin)
      await steps.transfer(phone, origin, other)
      await steps.exchange(phone, origin)
      await steps.withdraw(phone, origin)
      await steps.intoFund(phone, origin, '1500')
      await steps.borrowAndRepay(phone, origin)
      await steps.lever(phone, origin)
      await steps.statement(phone, origin)
      await steps.csvFile(phone, origin)
      opened.set(name, { phone, origin })
    },
  )

for (const { name, options } of engines)
  test(`${name}: checks a proof, keeps it, and opens it on the way out`, options, async ({ skip }) => {
    const { phone, origin } = opened.get(name) ?? skip('what comes before it has failed, or was not run')
    await (attested ??= attestNextDay())
    await steps.proofAndExit(phone, origin)
  })

test(
  'a browser older than the oldest is told so, with its version, what to update, and the link to take elsewhere',
  { skip: !runsOldChromium },
  async () => {
    const engine = await startOldChromium(86)
    try {
      const url = `${product.origin}/#/index?code=CANDELA1`
      await engine.goTo(url)
      const phone = phoneWith(engine, pictures === undefined ? {} : { pictures })
      for (const language of ['zh-Hant', 'zh-Hans', 'en'])
        expect(await phone.see({ css: `#too-old [lang="${language}"]` })).toContain('Android System WebView')
      expect(await phone.see({ css: '#too-old [lang="zh-Hant"]' })).toContain('Chrome 86')
      expect(await phone.see({ css: '#too-old input' })).toBe(url)
      await phone.see({ css: '#too-old svg' })
      await phone.look('too-old')
      await phone.tap({ role: 'button', name: '複製連結' })
      await phone.see({ css: '#too-old button' })
    } finally {
      await engine.close()
    }
  },
)
