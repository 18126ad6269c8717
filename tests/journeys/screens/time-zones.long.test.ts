/** Devices far from UTC, and devices that count hours to twelve: times are the reader's, days are those of the books. */
import { type Language, languageTag } from '@candela/protocol/language'
import { DAY_MS } from '@candela/protocol/units'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { balancesOf } from '../support/database.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { askToBuy, newestOrder, signInInvited, waitForOrder } from '../support/steps.ts'
import { expectBooksToAgree } from '../support/books.ts'

const { product, journey } = journeysOf(sharedProduct('production'))

/** The farthest behind and ahead of UTC, and one with a part of an hour; all with hours to twelve as the device has it. */
const places = [
  { timeZone: 'Pacific/Pago_Pago', locale: 'en-US', language: 'en' },
  { timeZone: 'Asia/Kathmandu', locale: 'hi-IN-u-hc-h12', language: 'zh' },
  { timeZone: 'Pacific/Kiritimati', locale: 'zh-TW-u-hc-h12', language: 'tw' },
] as const

let person: Newcomer

/** A day of the books so many days after another one, as it is read in a language. */
const utcDayIn = (language: Language, day: string, later: number): string =>
  new Intl.DateTimeFormat(languageTag[language], { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(Date.parse(`${day}T00:00:00Z`) + later * DAY_MS),
  )

for (const { timeZone, locale, language } of places)
  journey(
    `a device in ${timeZone} with the language ${locale}: buys in time, reads times of its own and days of the books`,
    async () => {
      person = await newcomer(product(), { ju: parseEther('60') })
      return { wallets: [person.pageWallet], place: { timeZone, locale }, language }
    },
    async (session) => {
      const { page } = session
      await signInInvited(session, person)
      expect(await page.evaluate(() => new Date(2026, 10, 26, 15).toLocaleTimeString())).not.toContain('15')
      person.wallet.refuseNext('eth_sendTransaction')
      await askToBuy(session)
      await session.waitForToast('pay.refused')
      await session.open('#/order')
      await waitForOrder(session, 'pending')
      const countdown = await newestOrder(session).innerText()
      expect(countdown).toMatch(/\b1[345]:\d\d\b/)
      await session.button('order.pay', newestOrder(session)).click()
      await waitForOrder(session, 'active')
      const today = new Date().toISOString().slice(0, 10)
      const startsOn = utcDayIn(language, today, 1)
      expect(await newestOrder(session).innerText()).toContain(startsOn)

      await payIn(product(), person, '3')
      await expect.poll(() => balancesOf(product(), person)).toEqual(['3'])
      await session.open('#/statement')
      const time = page.locator('.statement-line time').first()
      const at = new Date((await time.getAttribute('datetime')) ?? '')
      const [hour, minute] = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
        .format(at)
        .split(':')
      const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric' }).format(at)
      expect(await time.innerText()).toMatch(new RegExp(`\\b${day}\\D.*${hour}:${minute}$`))
      await expectBooksToAgree(product())
    },
  )
