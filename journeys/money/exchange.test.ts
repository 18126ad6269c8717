import { assetCodes } from '@candela/protocol/assets'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money'
import { openDatabase } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { accountBalance, memberBalances } from '@candela/server/ledger/balances'
import { platformAccount } from '@candela/server/ledger/chart'
import type { Route } from 'playwright-core'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { journeysOf } from '../support/journey.ts'
import { trade } from '../support/market.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import type { Stage } from '../support/browser-session.ts'
import { signInInvited } from '../support/steps.ts'

const { product, journey } = journeysOf('production')

let alice: Newcomer
const aliceWithMoney = async () => {
  alice = await newcomer(product().rpcUrl, { ju: parseEther('60') })
  return { wallets: [alice.pageWallet] }
}

journey(
  'at a quote: what is shown is what happens, to the last unit; after a lost answer it is asked for again and done once',
  aliceWithMoney,
  async (stage) => {
    await signInInvited(stage, alice)
    await deposit('50')
    const before = await books()
    await openExchange(stage)
    await fill(stage, '12.345678901234567891')
    const quoted = await shownWhole(stage)
    expect(await stage.page.locator('.exchange-left b').innerText()).toMatch(/^0:[0-3]\d$/)

    // Turned round and back, the quote is another and then the same again.
    await stage.button('exchange.turn').click()
    await stage.page.getByText(stage.text('amount.notEnough')).waitFor()
    await stage.button('exchange.turn').click()
    expect(await shownWhole(stage)).toBe(quoted)

    const dialog = stage.dialog('exchange.review')
    await stage.button('exchange.next').click()
    await stage.button('exchange.confirm', dialog).click()
    const done = stage.dialog('exchange.doneTitle')
    await done.waitFor()
    await stage.button('command.close', done).click()

    const after = await books()
    expect(after.alice).toEqual({ JU: '37.654321098765432109', USDT: quoted, HASH: '0' })
    // What she gave is in the desk's stock, what she got and the fee came out of it.
    expect(after.desk.JU - before.desk.JU).toBe(parseEther('12.345678901234567891'))
    const fee = after.fees.USDT - before.fees.USDT
    expect(before.desk.USDT - after.desk.USDT).toBe(toBaseUnits(quoted) + fee)
    const gross = toBaseUnits(quoted) + fee
    expect(fee - (gross * 3_000n) / 1_000_000n).toBeLessThanOrEqual(1n)

    await stage.page.getByRole('link', { name: stage.text('route.exchangeList') }).click()
    const record = stage.page.locator('[data-exchange]')
    await record.waitFor()
    expect(await record.innerText()).toContain('−12.345678 JU')
    await record.locator('.exchange-record-figures button').click()
    const card = stage.dialog('exchange.got')
    expect(await card.innerText()).toContain(stage.text('exchange.recomputed'))
    expect(await card.innerText()).toContain(stage.text('exchange.byQuote'))
    expect(await card.locator('.explain-value').innerText()).toBe(`${grouped(quoted)} USDT`)
    await stage.page.keyboard.press('Escape')

    // Once more, and this time the server does it and the line breaks before it can say so.
    await stage.page.getByRole('button', { name: stage.text('nav.back'), exact: true }).click()
    await fill(stage, '5')
    await stage.button('exchange.next').click()
    await stage.page.route('**/api/**', lose)
    await stage.button('exchange.confirm', dialog).click()
    await dialog.getByText(stage.text('exchange.unanswered')).waitFor()
    await expect.poll(async () => (await books()).alice.JU).toBe('32.654321098765432109')
    await stage.page.unrouteAll({ behavior: 'wait' })
    // Not even a reload makes anybody exchange twice.
    await stage.page.reload()
    await dialog.getByText(stage.text('exchange.unanswered')).waitFor()
    await stage.button('command.askAgain', dialog).click()
    await done.waitFor()
    expect((await books()).alice.JU).toBe('32.654321098765432109')
    await stage.button('command.close', done).click()
    await stage.page.reload()
    await stage.page.locator('.exchange-form').waitFor()
    expect(await dialog.count()).toBe(0)
    // What the broken line made the browser say is what was played here.
    stage.problems.splice(0, stage.problems.length, ...stage.problems.filter((line) => !line.includes('ERR_FAILED')))
    await expectBooksToAgree(product())
  },
)

journey(
  'a real trade moves the price between quote and exchange: old and new are shown, and nothing moves before another yes',
  aliceWithMoney,
  async (stage) => {
    await signInInvited(stage, alice)
    await deposit('50')
    await openExchange(stage)
    await fill(stage, '10')
    const dialog = stage.dialog('exchange.review')
    await stage.button('exchange.next').click()
    await dialog.waitFor()
    const promised = await received(stage)
    // Falls by one percent and a half, which is more than the half that was agreed to.
    await trade(product(), { sell: 'JU', amount: parseEther('15000') })
    const before = await books()
    await stage.button('exchange.confirm', dialog).click()
    const moved = dialog.locator('.exchange-moved')
    await moved.getByText(stage.text('exchange.movedTitle')).waitFor()
    const [old, now] = (await moved.locator('dd').allInnerTexts()).map((text) => Number(text.replace(' USDT', '')))
    expect(old).toBe(Number(promised))
    expect(now).toBeLessThan(Number(promised) * 0.995)
    expect(await books()).toEqual(before)

    await stage.button('exchange.confirmNew', dialog).click()
    await stage.dialog('exchange.doneTitle').waitFor()
    const after = await books()
    expect(after.alice.JU).toBe('40')
    expect(Number(after.alice.USDT)).toBeCloseTo(now ?? 0, 5)
    await expectBooksToAgree(product())
  },
)

/** Done by the server, and never heard of. */
async function lose(route: Route): Promise<void> {
  await route.fetch()
  await route.abort()
}

async function openExchange(stage: Stage): Promise<void> {
  await stage.open('#/exchange')
  await stage.page.getByRole('heading', { name: stage.text('route.exchange'), exact: true }).waitFor()
  await stage.page.getByText(/^50 JU$/).waitFor()
}

/** Types how much JU is to become USDT, and waits for the quote. */
async function fill(stage: Stage, amount: string): Promise<void> {
  await stage.page.getByLabel(stage.text('exchange.amount'), { exact: true }).fill(amount)
  await stage.page.locator('.exchange-left').waitFor()
}

/** The whole figure behind the one that is shown, as its card has it. */
async function shownWhole(stage: Stage): Promise<string> {
  await stage.page.locator('.exchange-left').waitFor()
  await stage.page.locator('.exchange-quote .figure').click()
  const card = stage.dialog('exchange.received')
  await card.getByText(stage.text('exchange.recomputed')).waitFor()
  const text = await card.locator('.explain-value').innerText()
  await stage.page.keyboard.press('Escape')
  return text.replace(' USDT', '').replaceAll(',', '')
}

const received = async (stage: Stage): Promise<string> =>
  (await stage.page.locator('.exchange-from-to button .amount').innerText()).replace(' USDT', '')

const grouped = (amount: string): string => amount.replace(/\B(?=(\d{3})+(?=\.))/g, ',')

async function deposit(ju: string): Promise<void> {
  await payIn(product(), alice, ju)
  await expect.poll(async () => (await books()).alice.JU, { timeout: 40_000, interval: 250 }).toBe(ju)
}

/** What the books say of Alice, of the desk and of the fees. */
async function books() {
  const db = openDatabase({ url: product().databaseUrl, log: silentLog(), poolSize: 1 })
  try {
    const { id } = await db
      .selectFrom('member')
      .select('id')
      .where('address', '=', alice.wallet.address)
      .executeTakeFirstOrThrow()
    const balances = await memberBalances(db, id)
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
  } finally {
    await db.destroy()
  }
}
