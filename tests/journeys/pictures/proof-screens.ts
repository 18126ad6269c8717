/**
 * Takes pictures of a member's own proof and of the way out at 390 × 844 in each language: verified, of another wallet, with a lie, and
 * each state of the exit. Run as `npx node tests/journeys/pictures/proof-screens.ts <folder> [zh|tw|en …]`. The proof is that of a member with
 * fund shares and loans; of the exit's states the wallet tells what a chain would say.
 */
import { testAccounts } from '@candela/testing/chain/accounts'
import { BORROWER } from '@candela/devnet/seed/history'
import { paymentGatewayAbi as abi } from '@candela/protocol/abi/payment-gateway'
import { type Language, languages } from '@candela/protocol/language'
import { DAY_MS } from '@candela/protocol/units'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { encodeFunctionResult, numberToHex, parseEther, toFunctionSelector } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { startBrowser } from '@candela/testing/browser/browser'
import { type BrowserSession, openBrowserSession } from '@candela/testing/browser/browser-session'
import { walletOf } from '../support/people.ts'
import { startProduct } from '../support/products/product.ts'
import { waitUntil } from '@candela/testing/browser/wait-until'
import { showHelp } from '../../../scripts/usage.ts'

showHelp(import.meta.filename)

const [folder, ...wanted] = process.argv.slice(2)
if (folder === undefined) {
  process.stderr.write(
    'Say where the pictures go: npx node tests/journeys/pictures/proof-screens.ts <folder> [zh|tw|en …]\n',
  )
  process.exit(1)
}
const borrower = testAccounts()[BORROWER]
if (borrower === undefined) throw new Error('The development chain has too few accounts')

const product = await startProduct({ mode: 'development', env: { SEED_HISTORY: 'full' } })
const browser = await startBrowser()

async function shoot({ page }: BrowserSession, language: Language, name: string): Promise<void> {
  await page.evaluate(() => (globalThis as unknown as { scrollTo: (x: number, y: number) => void }).scrollTo(0, 0))
  await page.waitForTimeout(400)
  await page.screenshot({ path: path.join(folder ?? '', language, `${name}.png`), fullPage: true })
}

type Exit = Partial<Record<'exitedAt' | 'sharedAtExit' | 'claimable' | 'isClaimed' | 'lastAttestation', unknown>> & {
  /** Unix seconds of the newest block. */
  now_s: number
  canClaim?: boolean
}

/** Has the wallet tell a state of the exit that this chain is not in. */
function pretend(wallet: ReturnType<typeof walletOf>['wallet']) {
  const honest = wallet.request
  let exit: Exit | null = null
  const selectors = new Map(
    abi.flatMap((item) => (item.type === 'function' ? [[toFunctionSelector(item), item.name] as const] : [])),
  )
  wallet.request = async (method, params) => {
    if (exit === null) return honest(method, params)
    if (method === 'eth_getBlockByNumber') return { timestamp: numberToHex(exit.now_s) }
    if (method !== 'eth_call') return honest(method, params)
    const [{ data }] = params as [{ data: `0x${string}` }]
    const name = selectors.get(data.slice(0, 10) as `0x${string}`)
    if (name === 'claim' && exit.canClaim !== true) throw new Error('execution reverted')
    if (name === 'claim') return '0x'
    const result = name === undefined ? undefined : (exit as Record<string, unknown>)[name]
    if (result === undefined) return honest(method, params)
    const answer: unknown = { abi, functionName: name, result }
    return encodeFunctionResult(answer as Parameters<typeof encodeFunctionResult>[0])
  }
  return (next: Exit | null) => {
    exit = next
  }
}

/** So much is held of each asset, and nobody has claimed yet. */
function sharedOf(held: bigint) {
  const shared = { held, sharedAgainAt: 0n, lacking: 0n, left: 0n }
  return [shared, shared, shared]
}

/** An attestation of a day that nobody has a proof of. */
const laterDay = (now_s: number) => ({
  root: `0x${'00'.repeat(32)}`,
  sums: [0n, 0n, 0n],
  subcoin: `0x${'11'.repeat(20)}`,
  attestedAt: now_s,
  day: Math.floor(now_s / (DAY_MS / 1_000)),
  blockNumber: 16,
  depth: 0,
  ledgerSequence: 1n,
})

async function pictures(language: Language): Promise<void> {
  await mkdir(path.join(folder ?? '', language), { recursive: true })
  const { wallet, pageWallet } = walletOf(product, privateKeyToAccount(borrower!.privateKey))
  const tell = pretend(wallet)
  const session = await openBrowserSession({
    browser: browser.browser,
    origin: product.origin,
    language,
    size: { width: 390, height: 844 },
    wallets: [pageWallet],
  })
  const { page } = session
  await session.open('#/index')
  await session.connectButton().click()
  await session.dialog('wallet.choose').getByRole('button', { name: pageWallet.name }).click()
  await page.getByText(session.text('home.power'), { exact: true }).waitFor()
  await session.open('#/solvency')
  await session.button('proof.verify').click()
  await page.locator('[data-step="statement"][data-result="good"]').waitFor()
  await shoot(session, language, 'proof-verified')
  const card = page.locator('.card', { has: page.locator('.proof-steps') })
  await card.screenshot({ path: path.join(folder ?? '', language, 'proof-card.png') })
  await page.locator('.proof-owed .row-button').first().click()
  await page.getByRole('dialog').waitFor()
  await page.waitForTimeout(400)
  await page.screenshot({ path: path.join(folder ?? '', language, 'proof-explained.png') })
  await page.keyboard.press('Escape')
  const download = page.waitForEvent('download')
  await session.button('proof.save').click()
  const file = await (await download).path()
  await page.route('**/api/v1/solvency/owed*', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: { debt: string } }
    answer.data.debt += '0'
    await route.fulfill({ response, json: answer })
  })
  await session.button('proof.verify').click()
  await page.locator('[data-step="statement"][data-result="good"]').waitFor()
  await shoot(session, language, 'proof-lie')
  await page.unrouteAll()
  const other = JSON.parse(await readFile(file, 'utf8')) as { leaf: { member: string } }
  other.leaf.member = `0x${'ab'.repeat(20)}`
  const content = { name: 'other.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(other)) }
  await page.locator('.proof-open input').setInputFiles(content)
  await page.locator('[data-step="statement"][data-result="unknown"]').waitFor()
  await shoot(session, language, 'proof-of-another')

  await session.open('#/exit')
  const now_s = Math.floor(Date.now() / 1_000) + 40 * (DAY_MS / 1_000)
  const began = now_s - 7_200
  const amounts = [parseEther('1234.567890123456789012'), 0n, parseEther('200')]
  const none = { isClaimed: [false, false, false], claimable: [0n, 0n, 0n] }
  const [short, enough] = [sharedOf(1n), sharedOf(parseEther('1000000000'))]
  const states: Record<string, Exit | null> = {
    'exit-not-yet': null,
    'exit-other-day': { ...none, now_s, lastAttestation: laterDay(now_s) },
    'exit-can-begin': { ...none, now_s },
    'exit-short': { ...none, now_s, exitedAt: began, sharedAtExit: short, claimable: amounts, canClaim: true },
    'exit-take-part': { ...none, now_s, exitedAt: began, sharedAtExit: short, canClaim: true },
    'exit-open': { ...none, now_s, exitedAt: began, sharedAtExit: enough, claimable: amounts, canClaim: true },
    'exit-done': { ...none, now_s, exitedAt: began, sharedAtExit: enough, isClaimed: [true, false, true] },
  }
  for (const [name, state] of Object.entries(states)) {
    tell(state)
    await page.locator('.exit-file input').first().setInputFiles(file)
    await session.button('exit.check').click()
    await page.waitForTimeout(800)
    await shoot(session, language, name)
  }
  await session.close()
}

try {
  await waitUntil('a day is attested', async () => {
    const answer = await fetch(`${product.origin}/api/v1/solvency/latest`)
    return ((await answer.json()) as { data: { attestation: unknown } }).data.attestation !== null
  })
  const shown = languages.filter(
    (language) => !languages.some((each) => wanted.includes(each)) || wanted.includes(language),
  )
  for (const language of shown) await pictures(language)
} finally {
  await browser.close()
  await product.stop()
}
