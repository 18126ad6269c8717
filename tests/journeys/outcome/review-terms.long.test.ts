/** A review in a real browser: it keeps the terms for which it was opened. */
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import { intoFund } from '../support/lending-steps.ts'
import { sinkJu } from '../support/market.ts'
import { journeysOf, ownProduct } from '../support/journey.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { depositUsdt, signInInvited } from '../support/steps.ts'
import { borrowing } from './acts.ts'
import { ignoreCutConnections } from './cases.ts'

// Trades move its price.
const { product, journey } = journeysOf(ownProduct({ mode: 'development' }))

let person: Newcomer

const aPersonWithMoney = async () => {
  person = await newcomer(product(), { ju: parseEther('80'), usdt: parseEther('1000') })
  return { wallets: [person.pageWallet] }
}

async function payInAndFund(session: BrowserSession): Promise<void> {
  await signInInvited(session, person, rootInvitation, person.pageWallet.name)
  await payIn(product(), person, '50')
  await depositUsdt(session, '1000')
  await intoFund(session, '400')
}

journey(
  'a review stays with the terms it was opened for, off while they are not current',
  aPersonWithMoney,
  async (session) => {
    const { page, text } = session
    await payInAndFund(session)
    await borrowing.fill(session)
    const review = session.dialog('project.review')
    const confirm = session.button('project.confirm', review)
    const terms = () => review.locator('.rows').innerText()
    const agreed = await terms()
    const quotes = '**/api/v1/lending/quote?*'

    // One poll of the quote fails: the review stays, and cannot be agreed to until the terms are known again.
    await page.route(quotes, (route) => route.abort('connectionreset'), { times: 1 })
    await review.getByText(text('command.asking')).waitFor()
    expect([await terms(), await confirm.isDisabled()]).toEqual([agreed, true])
    await review.getByText(text('command.asking')).waitFor({ state: 'hidden' })
    expect([await terms(), await confirm.isDisabled()]).toEqual([agreed, false])

    // Closed while they are not known it does not come back by itself.
    await page.route(quotes, (route) => route.abort('connectionreset'), { times: 1 })
    await review.getByText(text('command.asking')).waitFor()
    const known = page.waitForResponse((response) => response.url().includes('/lending/quote') && response.ok())
    await page.keyboard.press('Escape')
    await known
    await session.button('project.next').and(page.locator(':not([aria-disabled])')).waitFor()
    expect(await review.count()).toBe(0)

    // Other terms come with a tap of their own.
    await session.button('project.next').click()
    const before = await terms()
    await sinkJu(product(), 970_000)
    await review.getByText(text('command.moved')).waitFor()
    expect([await terms(), await confirm.count()]).toEqual([before, 0])
    await session.button('command.renew', review).click()
    await confirm.waitFor()
    expect(await terms()).not.toBe(before)
    await confirm.click()
    await session.waitForToast('project.done', { values: { amount: '10' } })
    ignoreCutConnections(session)
  },
)
