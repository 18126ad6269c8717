/** A device whose clock is wrong: everything that the server compares with its own time goes by the server's. */
import { DAY_MS, MINUTE_MS } from '@candela/protocol/units'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { balancesOf } from '../support/database.ts'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { askToBuy, inSight, newestOrder, openAnotherSession, signInInvited, waitForOrder } from '../support/steps.ts'

const { product, journey } = journeysOf(sharedProduct('production'))

/** Calls that the page sends at once when it is loaded, twice. */
const MAX_REFUSED = 8

let alice: Newcomer
const withMoney = async () => {
  alice = await newcomer(product(), { ju: parseEther('60') })
  return { wallets: [alice.pageWallet] }
}

/** The page's clock goes as fast as before, and is so far ahead. */
const putClockAhead = (session: BrowserSession, ahead_ms: number) =>
  session.page.addInitScript((ahead) => {
    const page = globalThis as unknown as { Date: DateConstructor }
    const Real = page.Date
    page.Date = class extends Real {
      constructor(...given: unknown[]) {
        if (given.length === 0) super(Real.now() + ahead)
        else super(...(given as [number]))
      }
      static override now = () => Real.now() + ahead
    } as DateConstructor
  }, ahead_ms)

for (const [name, ahead_ms, time] of [
  ['ten minutes slow', -10 * MINUTE_MS, '10 分鐘'],
  ['ten minutes fast', 10 * MINUTE_MS, '10 分鐘'],
  ['a day ahead', DAY_MS, '1 天'],
  ['a day behind', -DAY_MS, '1 天'],
] as const)
  journey(
    `a clock that is ${name}: it is said, and one buys, pays an order later, and transfers`,
    withMoney,
    async (session) => {
      await putClockAhead(session, ahead_ms)
      await signInInvited(session, alice)
      const wrong = await session.page.evaluate(() => Date.now())
      expect(Math.abs(wrong - ahead_ms - Date.now())).toBeLessThan(MINUTE_MS)
      await session.waitForToast('state.clockOff', { values: { time } })

      alice.wallet.refuseNext('eth_sendTransaction')
      await askToBuy(session)
      await session.waitForToast('pay.refused')
      await session.open('#/order')
      expect(await waitForOrder(session, 'pending')).not.toContain('expired')
      await session.button('order.pay', newestOrder(session)).click()
      await waitForOrder(session, 'active')
      expect(alice.wallet.sent).toHaveLength(1)

      await payIn(product(), alice, '20')
      await expect.poll(() => balancesOf(product(), alice)).toEqual(['20'])
      const bob = await newcomer(product())
      await using theirs = await openAnotherSession(session, { wallets: [bob.pageWallet] })
      await signInInvited(theirs, bob)
      await session.open('#/transfer')
      await session.page.getByRole('radio', { name: 'JU', exact: true }).check()
      await session.page.getByText('20 JU').waitFor()
      await session.page.getByLabel(session.text('transfer.recipient'), { exact: true }).fill(bob.wallet.address)
      await session.page.locator('.recipient-found').waitFor()
      await inSight(session, 'transfer.amount').fill('2.5')
      await session.button('transfer.next').click()
      await session.button('transfer.sign', session.dialog('transfer.review')).click()
      await session.dialog('transfer.doneTitle').waitFor()
      expect(await balancesOf(product(), alice, bob)).toEqual(['17.5', '2.5'])
      expect((await session.toasts()).filter((text) => text === session.text('state.clockOff', { time }))).toHaveLength(
        1,
      )
      // Its first call was sealed by the device's clock. The page was told the time, and asked again.
      const refused = session.problems.filter((problem) => /400 \(Bad Request\).*gateway/.test(problem))
      expect(refused.length).toBeLessThanOrEqual(MAX_REFUSED)
      session.problems.splice(0, session.problems.length, ...session.problems.filter((each) => !refused.includes(each)))
      await expectBooksToAgree(product())
    },
  )
