import { assetCodes } from '@candela/protocol/money/assets'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { accountBalance, memberBalances } from '@candela/server/ledger/balances'
import { platformAccount } from '@candela/server/ledger/chart'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { grouped } from '../support/grouped.ts'
import { expectBooksToAgree } from '../support/books.ts'
import { memberIdOf, withDatabase } from '../support/database.ts'
import { dropAnswers, ignoreDroppedRequests } from '@candela/testing/browser/gateway-calls'
import { journeysOf, ownProduct } from '../support/journey.ts'
import { trade } from '../support/market.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { signInInvited } from '../support/steps.ts'

// Trades move the price, and the desk's books are counted.
const { product, journey } = journeysOf(ownProduct({ mode: 'production' }))

let alice: Newcomer
const aliceWithMoney = async () => {
  alice = await newcomer(product(), { ju: parseEther('60') })
  return { wallets: [alice.pageWallet] }
}

journey(
  'at a quote: what is shown is what happens, to the last unit; after a lost answer it is looked for and done once',
  aliceWithMoney,
  async (session) => {
    await signInInvited(session, alice)
    await deposit('50')
    const before = await books()
    await openExchange(session)
    await fill(session, '12.345678901234567891')
    const quoted = await shownWhole(session)
    expect(await session.page.locator('.exchange-left b').innerText()).toMatch(/^0:[0-3]\d$/)

    // With the assets swapped the quote is another; swapped again it is the same as before.
    await session.button('exchange.turn').click()
    await session.page.getByText(session.text('amount.notEnough')).waitFor()
    await session.button('exchange.turn').click()
    expect(await shownWhole(session)).toBe(quoted)

    const dialog = session.dialog('exchange.review')
    await session.button('exchange.next').click()
    const done = session.dialog('exchange.doneTitle')
    await confirmUntilDone(session)
    await session.button('command.close', done).click()

    const after = await books()
    expect(after.alice).toEqual({ JU: '37.654321098765432109', USDT: quoted, HASH: '0' })
    // The JU that she gave are in the desk's stock; the USDT that she got and the fee came out of it.
    expect(after.desk.JU - before.desk.JU).toBe(parseEther('12.345678901234567891'))
    const fee = after.fees.USDT - before.fees.USDT
    expect(before.desk.USDT - after.desk.USDT).toBe(toBaseUnits(quoted) + fee)
    const gross = toBaseUnits(quoted) + fee
    expect(fee - (gross * 3_000n) / 1_000_000n).toBeLessThanOrEqual(1n)

    await session.page.getByRole('link', { name: session.text('route.exchangeList') }).click()
    const record = session.page.locator('[data-exchange]')
    await record.waitFor()
    expect(await record.innerText()).toContain('−12.345678 JU')
    await record.locator('.exchange-record-figures button').click()
    const card = session.dialog('exchange.got')
    expect(await card.innerText()).toContain(session.text('exchange.recomputed'))
    expect(await card.innerText()).toContain(session.text('exchange.byQuote'))
    expect(await card.locator('.explain-value').innerText()).toBe(`${grouped(quoted)} USDT`)
    await session.page.keyboard.press('Escape')

    // Once more, and this time the server does it and its answer is lost.
    await session.page.getByRole('button', { name: session.text('nav.back'), exact: true }).click()
    await fill(session, '5')
    await session.button('exchange.next').click()
    await dropAnswers(session)
    await session.button('exchange.confirm', dialog).click()
    const looking = session.dialog('pending.title')
    await looking.getByText(session.text('pending.looking')).waitFor()
    await expect.poll(async () => (await books()).alice.JU).toBe('32.654321098765432109')
    // A reload does not lead to a second exchange.
    await session.page.reload()
    await session.page.locator('.shell-notice').getByText(session.text('route.exchange')).waitFor()
    await session.page.unrouteAll({ behavior: 'wait' })
    await session.waitForToast('pending.done', { values: { what: session.text('route.exchange') } })
    expect((await books()).alice.JU).toBe('32.654321098765432109')
    await session.page.reload()
    await session.page.locator('.exchange-form').waitFor()
    expect(await dialog.or(looking).or(session.page.locator('.shell-notice')).count()).toBe(0)
    ignoreDroppedRequests(session)
    await expectBooksToAgree(product())
  },
)

journey(
  'a real trade moves the price between quote and exchange: old and new are shown, and nothing moves before another yes',
  aliceWithMoney,
  async (session) => {
    await signInInvited(session, alice)
    await deposit('50')
    await openExchange(session)
    await fill(session, '10')
    const dialog = session.dialog('exchange.review')
    await session.button('exchange.next').click()
    await dialog.waitFor()
    const promised = await received(session)
    // Falls by one percent and a half, which is more than the half that was agreed to.
    await trade(product(), { sell: 'JU', amount: parseEther('15000') })
    const before = await books()
    await session.button('exchange.confirm', dialog).click()
    const moved = dialog.locator('.exchange-moved')
    await moved.getByText(session.text('exchange.movedTitle')).waitFor()
    const [old, now] = (await moved.locator('dd').allInnerTexts()).map((text) => Number(text.replace(' USDT', '')))
    expect(old).toBe(Number(promised))
    expect(now).toBeLessThan(Number(promised) * 0.995)
    expect(await books()).toEqual(before)

    await confirmUntilDone(session)
    const after = await books()
    expect(after.alice.JU).toBe('40')
    expect(Number(after.alice.USDT)).toBeCloseTo(now ?? 0, 5)
    await expectBooksToAgree(product())
  },
)

/** On a slow machine a quote may end before it is confirmed; then the sheet asks again for the same amounts. */
async function confirmUntilDone(session: BrowserSession): Promise<void> {
  const review = session.dialog('exchange.review')
  const either = session.button('exchange.confirm', review).or(session.button('exchange.confirmNew', review))
  // Never while an answer is awaited: what closes the next sheet is in the same place, and would get the tap.
  const confirm = either.and(session.page.locator('button:not([aria-busy="true"])'))
  const done = session.dialog('exchange.doneTitle')
  await expect
    .poll(async () => {
      if (!(await done.isVisible())) await confirm.click({ timeout: 1_000 }).catch(() => undefined)
      return done.isVisible()
    })
    .toBe(true)
}

async function openExchange(session: BrowserSession): Promise<void> {
  await session.open('#/exchange')
  await session.page.getByRole('heading', { name: session.text('route.exchange'), exact: true }).waitFor()
  await session.page.getByText(/^50 JU$/).waitFor()
}

/** Types how much JU is to become USDT, and waits for the quote. */
async function fill(session: BrowserSession, amount: string): Promise<void> {
  await session.page.getByLabel(session.text('exchange.amount'), { exact: true }).fill(amount)
  // A quote that has just begun, so that a slow machine can get through the next steps before it ends.
  await expect.poll(() => session.page.locator('.exchange-left b').innerText()).toMatch(/^0:(2[5-9]|30)$/)
}

/** The whole figure behind the one that is shown, as its card has it. */
async function shownWhole(session: BrowserSession): Promise<string> {
  await session.page.locator('.exchange-left').waitFor()
  await session.page.locator('.exchange-quote .figure').click()
  const card = session.dialog('exchange.received')
  await card.getByText(session.text('exchange.recomputed')).waitFor()
  const text = await card.locator('.explain-value').innerText()
  await session.page.keyboard.press('Escape')
  return text.replace(' USDT', '').replaceAll(',', '')
}

const received = async (session: BrowserSession): Promise<string> =>
  (await session.page.locator('.exchange-from-to button .amount').innerText()).replace(' USDT', '')

async function deposit(ju: string): Promise<void> {
  await payIn(product(), alice, ju)
  await expect.poll(async () => (await books()).alice.JU).toBe(ju)
}

/** Reads what the ledger says of Alice, of the desk and of the fees. */
function books() {
  return withDatabase(product(), async (db) => {
    const balances = await memberBalances(db, await memberIdOf(db, alice))
    const of = async (name: 'deskInventory' | 'fees') => {
      const [JU = 0n, USDT = 0n, HASH = 0n] = await Promise.all(
        assetCodes.map((asset) => accountBalance(db, platformAccount(name, asset))),
      )
      return { JU, USDT, HASH }
    }
    return {
      alice: {
        JU: fromBaseUnits(balances.JU.available),
        USDT: fromBaseUnits(balances.USDT.available),
        HASH: fromBaseUnits(balances.HASH.available),
      },
      desk: await of('deskInventory'),
      fees: await of('fees'),
    }
  })
}
