import { openDatabase, transaction } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { uuidFromName } from '@candela/server/kernel/ids'
import { accountBalance } from '@candela/server/ledger/balances'
import { platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { parseEther } from 'viem'
import { trade } from '../support/market.ts'
import { type Newcomer, payIn } from '../support/people.ts'
import type { Product } from '../support/products/product.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { inSight } from '../support/steps.ts'

type Shoot = (name: string, whole?: boolean) => Promise<void>
type Setting = { product: Product; person: Newcomer; shoot: Shoot }

/** The exchange screen from empty to the receipt, with its errors, and its records. */
export async function exchanging(session: BrowserSession, { product, person, shoot }: Setting): Promise<void> {
  const { page, text, button, dialog } = session
  await session.open('#/exchangeList')
  await page.getByText(text('exchange.empty'), { exact: true }).waitFor()
  await shoot('exchange-list-empty')
  await payIn(product, person, '33.333333')
  await session.open('#/exchange')
  await button('exchange.next').waitFor()
  await page.locator('.amount-input-head:visible', { hasText: /(3[3-9]|[4-9]\d|\d{3,})\.\d+ JU/ }).waitFor()
  await shoot('exchange-empty')
  const amount = inSight(session, 'exchange.amount')
  const quoted = () => page.locator('.exchange-left').waitFor()
  await amount.fill('12.345678901234567891')
  await quoted()
  await shoot('exchange-quote-whole', true)
  await page.locator('.exchange-quote .figure').click()
  await shoot('exchange-received')
  await page.keyboard.press('Escape')
  await page.locator('.exchange-quote .row-button').first().click()
  await shoot('exchange-rate')
  await page.keyboard.press('Escape')
  await page.locator('.exchange-quote .row-button').nth(1).click()
  await shoot('exchange-fee')
  await page.keyboard.press('Escape')
  await amount.fill('0.001')
  await page.locator('.exchange-none').waitFor()
  await shoot('exchange-too-little')
  await withoutStock(product, async () => {
    await page.getByRole('radio', { name: 'HASH', exact: true }).last().check()
    await amount.fill('20')
    await page.locator('.exchange-none-title').getByText(text('exchange.shortTitle')).waitFor()
    await shoot('exchange-desk-short')
  })
  await page.getByRole('radio', { name: 'USDT', exact: true }).last().check()
  await amount.fill('12.345678901234567891')
  await quoted()
  await button('exchange.next').click()
  await dialog('exchange.review').waitFor()
  await shoot('exchange-review')
  await trade(product, { sell: 'JU', amount: parseEther('15000') })
  await button('exchange.confirm', dialog('exchange.review')).click()
  await page.locator('.exchange-moved').getByText(text('exchange.movedTitle')).waitFor()
  await shoot('exchange-moved')
  await button('exchange.confirmNew', dialog('exchange.review')).click()
  await dialog('exchange.doneTitle').waitFor()
  await shoot('exchange-done')
  await button('command.close').click()
  await session.open('#/exchangeList')
  await page.locator('[data-exchange]').waitFor()
  await shoot('exchange-list')
  await page.locator('.exchange-record-figures button').click()
  await shoot('exchange-record')
  await page.keyboard.press('Escape')
  await pausedHash(session, product, shoot)
}

async function pausedHash(session: BrowserSession, product: Product, shoot: Shoot): Promise<void> {
  const { page, text } = session
  await trade(product, { sell: 'HASH', amount: parseEther('900000') })
  await session.open('#/exchange')
  await page.getByRole('radio', { name: 'HASH', exact: true }).last().check()
  await inSight(session, 'exchange.amount').fill('5')
  await page.locator('.exchange-none-title').getByText(text('exchange.pausedTitle')).waitFor()
  await shoot('exchange-paused')
  // About what the sale brought in, so that the price is as before.
  await trade(product, { sell: 'USDT', amount: parseEther('660000'), for: 'HASH' })
}

/** For a moment the desk has nothing but five HASH. */
async function withoutStock({ databaseUrl }: Product, run: () => Promise<void>): Promise<void> {
  const db = openDatabase({ url: databaseUrl, log: silentLog(), poolSize: 1 })
  const [desk, aside] = [platformAccount('deskInventory', 'HASH'), platformAccount('equity', 'HASH')]
  const move = (debit: bigint, credit: bigint, amount: bigint) =>
    transaction(db, (tx) => {
      const id = uuidFromName(`picture ${Date.now()} ${debit}`)
      const legs = [{ debit, credit, amount }]
      return post(tx, {
        id,
        kind: 'reconciliation',
        legs,
        memo: { note: 'a test', block: '0' },
        occurredAt: new Date(),
      })
    })
  try {
    const amount = (await accountBalance(db, desk)) - parseEther('5')
    await move(desk, aside, amount)
    await run()
    await move(aside, desk, amount)
  } finally {
    await db.destroy()
  }
}
