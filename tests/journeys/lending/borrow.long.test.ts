import { utcDay } from '@candela/protocol/calendar'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { memberBalances } from '@candela/server/ledger/balances'
import type { Locator } from 'playwright-core'
import { createPublicClient, http, parseEther } from 'viem'
import { expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { borrowOnJu, homeFigures, intoFund, numberIn } from '../support/lending-steps.ts'
import { memberIdOf, withDatabase } from '../support/database.ts'
import { expectReadable } from '@candela/testing/browser/judge-screen'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { depositUsdt, signInInvited } from '../support/steps.ts'

const { product, journey } = journeysOf(sharedProduct('production'))

let alice: Newcomer

journey(
  'borrows on a project, pays one of three installments from the balance and one on chain, then the rest on chain with a day’s interest more, and has her collateral and that day back',
  async () => {
    alice = await newcomer(product(), { ju: parseEther('201'), usdt: parseEther('2000') })
    return { wallets: [alice.pageWallet] }
  },
  async (session) => {
    await signInInvited(session, alice)
    await payIn(product(), alice, '200')
    await depositUsdt(session, '1500')
    await expect.poll(async () => (await balances()).JU).toBe('200')
    await intoFund(session, '1000')
    const before = await homeFigures(session)
    // 200 JU at 5 USDT and 1,500 USDT; the price stands still on this product.
    expect(numberIn(before.total)).toBeCloseTo(2_500, -1)
    expect(before).toMatchObject({ loan: '0.00 USDT', fund: '1,000.00 USDT', status: '', next: '' })

    await borrowOnJu(session, '400')
    expect(await balances()).toMatchObject({ USDT: '900' })
    const owing = await homeFigures(session)
    // The first day is charged at once: 400 × 9 % ÷ 365.
    expect(owing).toMatchObject({ loan: '400.09 USDT', status: session.text('loans.status.safe') })
    expect(numberIn(owing.next)).toBeCloseTo(400.1, 1)
    expect(numberIn(owing.total)).toBeCloseTo(numberIn(before.total) - 0.1, 1)

    await session.button('home.openLoan').click()
    await toInstallments(session)
    await pay(session, 'next', 'balance')
    await expect.poll(() => paidOf(session)).toBe(session.text('loans.installments', { paid: 1, count: 3 }))
    await pay(session, 'next', 'wallet')
    await expect.poll(() => paidOf(session)).toBe(session.text('loans.installments', { paid: 2, count: 3 }))

    const [day, left] = [utcDay(new Date()), await available()]
    await pay(session, 'full', 'wallet', (sheet) =>
      // The amount with a day's interest more is the second of the two.
      sheet
        .getByRole('group', { name: session.text('lending.until') })
        .getByRole('radio')
        .nth(1)
        .check(),
    )
    await session.page.locator('main .status').getByText(session.text('loans.state.repaid')).first().waitFor()

    expect(await balances()).toMatchObject({ JU: '200' })
    const onChain = { action: 'repay', outcome: 'loan' }
    expect(await paymentsOnChain()).toEqual([onChain, onChain])
    // A day of 9 % on 133 USDT, which was too much unless midnight came between.
    const tooMuch = (await available()) - left
    if (day === utcDay(new Date())) expect(tooMuch).toBeCloseTo(0.033, 2)
    const repaid = await homeFigures(session)
    expect(repaid).toMatchObject({ loan: '0.00 USDT', status: '', next: '' })
    // A close may have come between, which pays the fund the interest of a day; two where midnight is near.
    expect(numberIn(repaid.fund)).toBeGreaterThanOrEqual(1_000)
    expect(numberIn(repaid.fund)).toBeLessThan(1_000.2)
    // Interest of the day, and the fees of the two installments; one more day where midnight is near.
    const cost = Number(await usdtInWallet()) + Number((await balances()).USDT) - 1_000
    expect(-cost).toBeGreaterThan(2)
    expect(-cost).toBeLessThan(3.3)
    await expectBooksToAgree(product())
  },
)

/** The whole schedule is shown, and computed again, before she agrees. */
async function toInstallments(session: BrowserSession): Promise<void> {
  await session.button('lending.toInstallments').click()
  const sheet = session.dialog('lending.toInstallments')
  await sheet.locator('.verdict[data-agrees]').waitFor()
  expect(await sheet.locator('tbody tr').count()).toBe(3)
  type Box = { scrollHeight: number; clientHeight: number }
  const hidden = await sheet.locator('.figure-table').evaluate((box: Box) => box.scrollHeight - box.clientHeight)
  expect(hidden).toBe(0)
  await expectReadable(session)
  await sheet.locator('.sheet-foot').getByRole('button').click()
  await session.waitForToast('lending.installmentDone', { values: { count: 3 } })
}

async function pay(
  session: BrowserSession,
  mode: 'next' | 'full',
  source: 'balance' | 'wallet',
  choose: (sheet: Locator) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { text } = session
  await session.page
    .locator('main')
    .getByRole('button', { name: text('lending.repay'), exact: true })
    .click()
  const sheet = session.dialog('lending.repay')
  await sheet.getByRole('radio', { name: text(`lending.mode.${mode}`), exact: true }).check()
  await sheet.getByRole('radio', { name: text(`lending.source.${source}`), exact: true }).check()
  await sheet
    .locator('.row')
    .filter({ hasText: text(mode === 'next' ? 'lending.next' : 'lending.principal') })
    .waitFor()
  await choose(sheet)
  await expectReadable(session)
  await sheet.locator('.sheet-foot').getByRole('button').and(session.page.locator(':not([aria-disabled])')).click()
  await sheet.waitFor({ state: 'hidden' })
}

/** Reads what became of her payments for a loan on chain. */
const paymentsOnChain = () =>
  withDatabase(product(), (db) =>
    db
      .selectFrom('chain_event')
      .select(['action', 'outcome'])
      .where('payer', '=', alice.wallet.address.toLowerCase())
      .where('action', '=', 'repay')
      .execute(),
  )

async function usdtInWallet(): Promise<string> {
  const { rpcUrl, contracts } = product()
  const client = createPublicClient({ transport: http(rpcUrl) })
  const args = [alice.wallet.address] as const
  return fromBaseUnits(
    await client.readContract({ abi: erc20Abi, address: contracts.usdt, functionName: 'balanceOf', args }),
  )
}

const paidOf = (session: BrowserSession): Promise<string> =>
  session.page.locator('main .row:visible dt').nth(3).innerText()

const available = async (): Promise<number> => Number((await balances()).USDT)

const balances = () =>
  withDatabase(product(), async (db) => {
    const { JU, USDT } = await memberBalances(db, await memberIdOf(db, alice))
    return { JU: fromBaseUnits(JU.available), USDT: fromBaseUnits(USDT.available) }
  })
