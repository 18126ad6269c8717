/**
 * Takes pictures of solvency on home and on its own screen at 390 × 844 (or 360 × 740) in each language: covered, short, too old, and
 * failed. Run as `npx node tests/journeys/pictures/solvency-screens.ts <folder> [narrow] [zh|tw|en …]`; what is seen is the production
 * build on a chain with a history of some days.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { testAccounts } from '@candela/testing/chain/accounts'
import { HOLDER } from '@candela/devnet/seed/history'
import { type Language, languages } from '@candela/protocol/language'
import { DAY_MS, HOUR_MS, WHOLE_UNIT } from '@candela/protocol/units'
import type { Database } from '@candela/server/db/open'
import { privateKeyToAccount } from 'viem/accounts'
import { startBrowser } from '@candela/testing/browser/browser'
import { type BrowserSession, openBrowserSession } from '@candela/testing/browser/browser-session'
import { withDatabase } from '../support/database.ts'
import { walletOf } from '../support/people.ts'
import { startProduct } from '../support/products/product.ts'
import { showHelp } from '../../../scripts/usage.ts'

showHelp(import.meta.filename)

const [folder, ...wanted] = process.argv.slice(2)
if (folder === undefined) {
  process.stderr.write(
    'Say where the pictures go: npx node tests/journeys/pictures/solvency-screens.ts <folder> [narrow] [zh|tw|en …]\n',
  )
  process.exit(1)
}
const holder = testAccounts()[HOLDER]
if (holder === undefined) throw new Error('The development chain has too few accounts')

// Seldom, so that a picture shows the comparison it is of and not the next one.
const product = await startProduct({ mode: 'production', env: { SEED_HISTORY: 'full', RECONCILE_INTERVAL_S: '300' } })
const browser = await startBrowser()
const size = wanted.includes('narrow') ? { width: 360, height: 740 } : { width: 390, height: 844 }

async function shoot(session: BrowserSession, language: Language, name: string, whole = false): Promise<void> {
  await session.page.waitForTimeout(400)
  await session.page.screenshot({ path: path.join(folder ?? '', language, `${name}.png`), fullPage: whole })
}

/** A comparison at an instant, with the share of USDT that was held of what was owed, in percent. */
async function compare(db: Database, at: Date, percent: bigint): Promise<void> {
  const row = { block_number: 77n, block_hash: `0x${'ab'.repeat(32)}`, block_at: at, at }
  const { id } = await db
    .insertInto('reconciliation')
    .values({ ...row, paused: false, finding: null, agrees: percent >= 100n })
    .returning('id')
    .executeTakeFirstOrThrow()
  const owed = { JU: 12_345n, USDT: 987_654n, HASH: 55_000n }
  await db
    .insertInto('reconciliation_line')
    .values(
      (['JU', 'USDT', 'HASH'] as const).map((asset) => {
        const members = owed[asset] * WHOLE_UNIT + 123_456_789n
        const found = asset === 'USDT' ? (members * percent) / 100n : members * 3n
        return { reconciliation_id: id, asset, expected: found, found, owed_members: members, owed_unassigned: 0n }
      }),
    )
    .execute()
}

async function pictures(language: Language): Promise<void> {
  await mkdir(path.join(folder ?? '', language), { recursive: true })
  const visitor = await openBrowserSession({ browser: browser.browser, origin: product.origin, language, size })
  const home = async (name: string, whole = false) => {
    await visitor.open('#/index')
    await visitor.page.reload()
    await visitor.page.locator('.visit-solvency').waitFor()
    await shoot(visitor, language, name, whole)
  }
  // The language before this one has left a comparison that is too old.
  await withDatabase(product, (db) => compare(db, new Date(), 130n))
  await home('visitor-covered', true)
  await visitor.page.locator('.visit-solvency button').click()
  await shoot(visitor, language, 'visitor-explained')
  const wallet = walletOf(product, privateKeyToAccount(holder!.privateKey))
  const session = await openBrowserSession({
    browser: browser.browser,
    origin: product.origin,
    language,
    size,
    wallets: [wallet.pageWallet],
  })
  await session.open('#/index')
  await session.connectButton().click()
  await session.page.getByText(session.text('home.power'), { exact: true }).waitFor()
  const open = async (name: string) => {
    await session.open('#/solvency')
    await session.page.reload()
    await session.page.locator('.solvency-summary').waitFor()
    await shoot(session, language, name, true)
  }
  await open('solvency-covered')
  await withDatabase(product, async (db) => {
    const now = Date.now()
    for (let at = now - 7 * DAY_MS; at < now; at += HOUR_MS)
      if (at < now - 60 * HOUR_MS || at > now - 50 * HOUR_MS)
        await compare(db, new Date(at), at < now - 30 * HOUR_MS ? 140n + BigInt(Math.floor(at / HOUR_MS) % 7) : 97n)
    await compare(db, new Date(), 97n)
    await open('solvency-short')
    await home('visitor-short')
    await compare(db, new Date(now - 3 * HOUR_MS), 130n)
    await open('solvency-old')
    await home('visitor-old')
  })
  await session.page.route('**/api/**', (route) => route.abort())
  await session.page.reload()
  await session.page.getByText(session.text('state.failed'), { exact: true }).first().waitFor()
  await shoot(session, language, 'solvency-failed')
  await session.close()
  await visitor.close()
}

try {
  const shown = languages.filter(
    (language) => !languages.some((each) => wanted.includes(each)) || wanted.includes(language),
  )
  for (const language of shown) await pictures(language)
} finally {
  await browser.close()
  await product.stop()
}
