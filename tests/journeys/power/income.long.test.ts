import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { operatorProgram } from '@candela/testing/build/build-server'
import { testAccounts } from '@candela/testing/chain/accounts'
import { keyFileOf } from '@candela/devnet/seed/operators'
import { HOLDER } from '@candela/devnet/seed/history'
import { shareOf } from '@candela/protocol/money/income'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { addDays, utcDay } from '@candela/protocol/calendar'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect } from 'vitest'
import { grouped } from '../support/grouped.ts'
import { expectBooksToAgree } from '../support/books.ts'
import { journeysOf, ownProduct } from '../support/journey.ts'
import { walletOf } from '../support/people.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { expectSignedIn } from '../support/steps.ts'
import { FACT_MS } from '@candela/testing/browser/timeouts'

// On this chain somebody has held power for days, and none of these days is closed.
const { product, journey } = journeysOf(ownProduct({ mode: 'production', env: { SEED_HISTORY: 'power' } }))

/** An amount that these units do not divide. */
const REVENUE = '1234.567890123456789'
const run = promisify(execFile)
const [operator] = testAccounts()
const holder = testAccounts()[HOLDER]

/** The operator's command line as a process of its own, with a key in its environment. */
async function candela(...words: string[]): Promise<string> {
  const { databaseUrl, dataDir, rpcUrl, contracts } = product()
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    RPC_URL: rpcUrl,
    GATEWAY_ADDRESS: contracts.gateway,
    HASH_ADDRESS: contracts.hash,
    CONFIRMATIONS_LARGE: '2',
    CANDELA_KEY_FILE: keyFileOf(dataDir, 'first'),
    OPERATOR_KEY: operator?.privateKey,
  }
  const { stdout } = await run(process.execPath, [operatorProgram, ...words], { env, timeout: FACT_MS })
  return stdout
}

const holdersWallet = () => {
  if (holder === undefined) throw new Error('The development chain has too few accounts')
  return walletOf(product(), privateKeyToAccount(holder.privateKey))
}

/** 40 units at 8 % and 25 at 6 %, of 65. */
function expectedIncome(): string {
  const sharing = { pool: toBaseUnits(REVENUE), totalUnits: 65n }
  return fromBaseUnits(shareOf(sharing, 80_000n, 40n) + shareOf(sharing, 60_000n, 25n))
}

describe('income', () => {
  journey(
    'revenue posted and a day closed by the operator: the income card agrees to the last unit',
    () => ({ wallets: [holdersWallet().pageWallet] }),
    async (session) => {
      const yesterday = addDays(utcDay(new Date()), -1)
      await session.open('#/index')
      await session.connectButton().click()
      await expectSignedIn(session, holder?.address ?? '')
      await session.open('#/incomeList')
      await session.page.getByText(session.text('income.none'), { exact: true }).waitFor()

      const posted = await candela('revenue', 'post', '--day', yesterday, '--amount', REVENUE)
      expect(posted).not.toContain(operator?.privateKey.slice(2))
      const isClosed = new RegExp(`${yesterday} +closed`)
      await expect.poll(() => candela('close').catch(String)).toMatch(isClosed)
      expect(await candela('close', '--day', yesterday)).toContain('closed before')

      await session.page.reload()
      const row = session.page.locator(`[data-income][data-day="${yesterday}"]`)
      await row.click()
      const card = session.dialog('income.output')
      await card.getByText(session.text('income.agrees'), { exact: true }).waitFor()
      expect(await card.locator('.income-verdict').getAttribute('role')).toBeNull()
      expect(await card.locator('.explain-value').innerText()).toBe(`${grouped(expectedIncome())} HASH`)
      await expect.poll(() => card.locator('.chain-link').count()).toBe(1)
      await session.button('ui.close', card).click()

      await expectLoudDifference(session, yesterday)
      await expectPowerRecords(session)
      await expectBooksToAgree(product())
    },
  )
})

/** A published figure is changed by one base unit before the page reads it, and the card says that it differs. */
async function expectLoudDifference(session: BrowserSession, day: string): Promise<void> {
  await session.page.addInitScript((revenue) => {
    const page = globalThis as unknown as { JSON: { parse(text: string): unknown } }
    const parse = page.JSON.parse.bind(page.JSON)
    page.JSON.parse = (text: string) => {
      const value = parse(text) as { data?: { carriedOut?: string; revenue?: string } } | null
      if (value?.data?.carriedOut !== undefined) value.data.revenue = revenue
      return value
    }
  }, '1234.567890123456788')
  await session.page.reload()
  await session.page.locator(`[data-income][data-day="${day}"]`).click()
  const card = session.dialog('income.output')
  await card.getByRole('alert').getByText(session.text('income.differs'), { exact: true }).waitFor()
  await session.button('ui.close', card).click()
}

async function expectPowerRecords(session: BrowserSession): Promise<void> {
  await session.open('#/hashList')
  const records = session.page.locator('[data-change]')
  await expect.poll(() => records.count()).toBe(2)
  expect(await session.page.locator('.hash-now .figure-value').innerText()).toBe('65 T')
  await records.first().locator('.hash-order').click()
  await expect.poll(() => session.path()).toMatch(/^\/order\?no=/)
}
