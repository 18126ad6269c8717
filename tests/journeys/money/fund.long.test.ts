import { fromBaseUnits } from '@candela/protocol/money/money'
import { accountBalance, memberBalances } from '@candela/server/ledger/balances'
import { memberAccount } from '@candela/server/ledger/chart'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { memberIdOf, withDatabase } from '../support/database.ts'
import { expectReadable } from '@candela/testing/browser/judge-screen'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import { depositUsdt, signInInvited } from '../support/steps.ts'

// Not the product of the loan's journey: what is lent cannot be taken out.
const { product, journey } = journeysOf(sharedProduct('production, many confirmations'))

let alice: Newcomer

journey(
  'into the fund and out of it: whole USDT only, in the words of the specification; then everything, to the last unit',
  async () => {
    alice = await newcomer(product(), { ju: parseEther('1'), usdt: parseEther('50') })
    return { wallets: [alice.pageWallet] }
  },
  async (session) => {
    await signInInvited(session, alice)
    await depositUsdt(session, '50')
    await session.open('#/finance')
    await session.page.getByText(session.text('finance.noBills'), { exact: true }).waitFor()

    await session.button('finance.in').click()
    const into = session.dialog('finance.in')
    const quantity = into.getByLabel(session.text('finance.quantity'), { exact: true })
    await quantity.fill('1.5')
    await into.locator('.field-error').getByText('請輸入整數', { exact: true }).waitFor()
    await expectReadable(session)
    await session.button('finance.confirmIn', into).click({ force: true })
    // The same button with a whole number moves exactly that, and nothing was moved before.
    await quantity.fill('20')
    expect(await into.locator('.field-error').innerText()).toBe('')
    await session.button('finance.confirmIn', into).click()
    await session.waitForToast('finance.doneIn', { values: { amount: '20' } })
    expect(await books()).toEqual({ available: '30', shares: '20' })
    await expect.poll(() => total(session)).toBe('20.00 USDT')

    await session.button('finance.out').click()
    const out = session.dialog('finance.out')
    await out.getByLabel(session.text('finance.quantity'), { exact: true }).fill('1.5')
    await out.locator('.field-error').getByText('請輸入整數', { exact: true }).waitFor()
    await out.getByLabel(session.text('finance.quantity'), { exact: true }).fill('5')
    await session.button('finance.confirmOut', out).click()
    await session.waitForToast('finance.doneOut', { values: { amount: '5' } })
    expect(await books()).toEqual({ available: '35', shares: '15' })

    const bills = session.page.locator('[data-bill]')
    await expect.poll(() => bills.count()).toBe(2)
    expect(await bills.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-type')))).toEqual(['out', 'in'])
    await bills.first().click()
    await session.dialog('finance.type.out').locator('.verdict[data-agrees]').waitFor()
    await expectReadable(session)
    await session.page.keyboard.press('Escape')

    await session.button('finance.out').click()
    await session.button('finance.takeAll', out).click()
    await session.waitForToast('finance.doneOut', { values: { amount: '15' } })
    expect(await books()).toEqual({ available: '50', shares: '0' })
    await expect.poll(() => total(session)).toBe('0.00 USDT')
    await expectBooksToAgree(product())
  },
)

const total = (session: BrowserSession): Promise<string> =>
  session.page.locator('.fund-figures .figure-value').first().innerText()

/** Reads what the ledger says of Alice. */
function books(): Promise<{ available: string; shares: string }> {
  return withDatabase(product(), async (db) => {
    const id = await memberIdOf(db, alice)
    const { USDT } = await memberBalances(db, id)
    const shares = await accountBalance(db, memberAccount(id, 'memberShares', 'SHARE'))
    return { available: fromBaseUnits(USDT.available), shares: fromBaseUnits(shares) }
  })
}
