import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { checkPath, type ProofFile } from '@candela/protocol/proof/proof-file'
import { DAY_MS } from '@candela/protocol/units'
import { readFile } from 'node:fs/promises'
import { createPublicClient, type Hex, http, parseEther, type PublicClient } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { borrowOnJu, intoFund, letTimePass } from '../support/lending-steps.ts'
import { apiTexts } from '@candela/protocol/texts/api-texts'
import { codes } from '@candela/protocol/codes/codes'
import { balancesOf } from '../support/database.ts'
import { ignoreDroppedRequests } from '@candela/testing/browser/gateway-calls'
import { journeysOf, ownProduct } from '../support/journey.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { depositUsdt, shortAddress, signInInvited } from '../support/steps.ts'
import { waitUntil } from '@candela/testing/browser/wait-until'
import {
  hostExitPage,
  latestDay,
  mirrorTree,
  openExitPage,
  passMidnight,
  saveProof,
  stopService,
} from './exit-steps.ts'

// Proofs, the end of the service and 31 days concern everybody on the product.
const { product, journey } = journeysOf(ownProduct({ mode: 'development' }))

let person: Newcomer
const withMoney = async () => {
  person = await newcomer(product(), { ju: parseEther('205'), usdt: parseEther('1500') })
  return { wallets: [person.pageWallet] }
}

type Saved = {
  leaf: { owed: [string, string, string] }
  parts: { debt: string; shares: string; collateral: { JU: string } }
}
const steps = ['path', 'root', 'sums', 'held', 'own', 'owed', 'statement'] as const

const waitForSteps = async (
  { page }: BrowserSession,
  expected: Partial<Record<(typeof steps)[number], string>> = {},
) => {
  for (const step of steps)
    await page.locator(`[data-step="${step}"][data-result="${expected[step] ?? 'good'}"]`).waitFor()
}

journey(
  'a proof of a member with loans is verified and saved; the service ends days later, and the money comes by the old proof and a mirror',
  withMoney,
  async (session) => {
    await passMidnight(product(), session)
    await signInInvited(session, person, rootInvitation, person.pageWallet.name)
    await payIn(product(), person, '200')
    await depositUsdt(session, '1400')
    await waitUntil('the deposit is on the balance', async () => (await balancesOf(product(), person))[0] === '200')
    await intoFund(session, '1000')
    await borrowOnJu(session, '400')
    await waitUntil('a day is attested', async () => (await latestDay(product())) !== null)
    const before = await latestDay(product())
    await letTimePass(product(), session, DAY_MS)
    await waitUntil('the next day is attested', async () => (await latestDay(product())) !== before)

    await session.open('#/solvency')
    await session.button('proof.verify').click()
    await waitForSteps(session)
    const file = await saveProof(session)
    const saved = await readFile(file, 'utf8')
    const proof = JSON.parse(saved) as Saved
    const [usdt, , ju] = proof.leaf.owed.map(BigInt) as [bigint, bigint, bigint]
    expect(ju).toBe(parseEther('200'))
    // 1,400 with what the fund earned by the loan to the person itself; 400 were lent and are owed.
    expect(BigInt(proof.parts.debt)).toBeGreaterThan(parseEther('400'))
    expect(usdt).toBeGreaterThan(parseEther('1399'))
    expect(usdt).toBeLessThan(parseEther('1400.1'))

    await lies(session, saved)
    await using host = await hostExitPage()
    // No member saves the proofs of later days; somebody keeps the tree that everybody can download.
    const savedOn = await latestDay(product())
    await letTimePass(product(), session, DAY_MS)
    await waitUntil('a later day is attested', async () => (await latestDay(product())) !== savedOn)
    const last = await latestDay(product())
    const mirror = await mirrorTree(product(), last ?? '')
    await sentToTheWayOut(session)
    await stopService(product(), session)
    await exitAtOnce(session, host, { file, mirror, last: last ?? '', ju })
  },
)

type Data = Record<string, unknown>

/** From now on the service tells something else about what the leaf was computed from. Development has no envelope. */
async function tell(session: BrowserSession, change: (data: Data) => void) {
  await session.page.unrouteAll()
  await session.page.route('**/api/v1/solvency/owed*', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: Data }
    change(answer.data)
    await route.fulfill({ response, json: answer })
  })
}

/** Tries what the app says when the file or the service is not honest, and when the service does not answer. */
async function lies(session: BrowserSession, saved: string) {
  const { page } = session
  const open = (name: string, content: string) =>
    page
      .locator('.proof-open input')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) })
  // One who is told of less is told so: the same file with another amount.
  const less = JSON.parse(saved) as Saved
  less.leaf.owed[2] = String(parseEther('199'))
  await open('altered.json', JSON.stringify(less))
  await waitForSteps(session, { path: 'bad', owed: 'bad' })
  const changes = [
    (data: Data) => void (data['debt'] = `${String(data['debt'])}0`),
    (data: Data) => void (data['shares'] = '1'),
  ]
  for (const change of changes) {
    await tell(session, change)
    await session.button('proof.verify').click()
    await waitForSteps(session, { owed: 'bad' })
  }
  // Two balances that are wrong by the same amount leave their sum as it is: the statement tells.
  await tell(session, (data) => {
    const { available, held } = data as Record<'available' | 'held', { USDT: string }>
    held.USDT = '1'
    available.USDT = String(BigInt(available.USDT) - 1n)
  })
  await session.button('proof.verify').click()
  await waitForSteps(session, { statement: 'bad' })
  // Without an answer the file's own parts are counted.
  await page.unrouteAll()
  await page.route('**/api/v1/solvency/owed*', (route) => route.abort())
  await open('saved.json', saved)
  await waitForSteps(session, { statement: 'unknown' })
  await page.unrouteAll()
  ignoreDroppedRequests(session)
  await open('saved.json', saved)
  await waitForSteps(session)
}

type Kept = { file: string; mirror: Awaited<ReturnType<typeof mirrorTree>>; last: string; ju: bigint }

/** As much is held as is owed: claims are open at once. */
async function exitAtOnce(session: BrowserSession, host: { url: string }, { file, mirror, last, ju }: Kept) {
  const { page, text } = session
  await product().passTime(31 * DAY_MS)
  await openExitPage(session, { host, rpcUrl: product().rpcUrl, file })
  await refuseDecoys(session, file)
  const tree = page.getByLabel(text('exit.tree.file', { last }))
  const [part, ...others] = mirror
  const altered = JSON.parse(String(part?.buffer)) as { items: { hash: string }[] }
  for (const item of altered.items) item.hash = `0x${'ab'.repeat(32)}`
  await tree.setInputFiles([{ ...part!, buffer: Buffer.from(JSON.stringify(altered)) }, ...others])
  await page.getByText(text('exit.tree.otherRoot')).waitFor()
  await tree.setInputFiles(mirror)
  await page.getByText(text('exit.tree.found', { last })).waitFor()
  const found = JSON.parse(await readFile(await saveProof(session), 'utf8')) as ProofFile
  expect([found.day, found.leaf.member, checkPath(found)]).toEqual([last, person.wallet.address.toLowerCase(), null])
  expect(BigInt(found.leaf.owed[2])).toBe(ju)
  await session.button('exit.enter').click()
  await session.button('exit.claim').waitFor()
  await page.getByText(text('exit.entered'), { exact: true }).waitFor()
  await page.getByTestId('exit-times').waitFor()
  await page.getByText(/^200\s*JU$/).waitFor()
  const client = createPublicClient({ transport: http(product().rpcUrl) })
  const { gateway } = product().contracts
  const usdtBefore = await usdtOf(client, person.wallet.address)
  const [heldBefore, hadBefore] = await Promise.all([
    client.getBalance({ address: gateway }),
    client.getBalance({ address: person.wallet.address }),
  ])
  const stranger = privateKeyToAccount(generatePrivateKey())
  person.wallet.useAccount(stranger)
  await session.button('exit.claim').click()
  const member = person.account.address.toLowerCase()
  const told = page.getByTestId('exit-note').getByText(text('exit.otherAccount', { address: stranger.address, member }))
  await told.waitFor()
  person.wallet.useAccount(person.account)
  await session.button('exit.claim').click()
  await page.getByText(text('exit.nothing')).waitFor()
  await page
    .getByTestId('exit-note')
    .getByText(text('exit.done', { address: shortAddress(member) }))
    .waitFor()
  expect((await usdtOf(client, person.wallet.address)) - usdtBefore).toBe(BigInt(found.leaf.owed[0]))
  const after = await client.getBalance({ address: person.wallet.address })
  const block = await client.getBlock()
  expect(heldBefore - (await client.getBalance({ address: gateway }))).toBe(ju)
  // To the unit: what came less the fee of the transaction that brought it.
  const nonce = await client.getTransactionCount({ address: person.wallet.address })
  const fee = await feeOfLast(person.wallet.address, nonce - 1, Number(block.number))
  expect(after).toBe(hadBefore + ju - fee)
}

/** Files that name another chain or another contract are not asked about, and the contract that is known is named. */
async function refuseDecoys({ page, text, button }: BrowserSession, file: string) {
  const proof = JSON.parse(await readFile(file, 'utf8')) as ProofFile
  const open = (name: string, change: Partial<ProofFile>) =>
    page.getByLabel(text('exit.file')).setInputFiles({
      name,
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ ...proof, ...change })),
    })
  await open('chain.json', { chainId: 1 })
  await page.getByText(text('exit.otherChain', { chainId: 1 })).waitFor()
  await open('decoy.json', { gateway: `0x${'ab'.repeat(20)}` })
  const warning = page.getByTestId('exit-confirm')
  await warning.getByText(proof.gateway).waitFor()
  await page
    .getByTestId('exit-parties')
    .getByText(`0x${'ab'.repeat(20)}`)
    .waitFor()
  expect(await button('exit.check').count()).toBe(0)
  await open('own.json', {})
  await warning.waitFor({ state: 'detached' })
  // Pasted, for a browser that opens no files; what is far too large for a proof is none.
  await open('decoy.json', { gateway: `0x${'ab'.repeat(20)}` })
  await button('proof.paste').click()
  await page.getByLabel(text('proof.pasteHere')).fill(JSON.stringify(proof))
  await button('proof.pasteOpen').click()
  await warning.waitFor({ state: 'detached' })
  await page
    .getByLabel(text('exit.file'))
    .setInputFiles({ name: 'large.json', mimeType: 'application/json', buffer: Buffer.alloc(1_000_000, ' ') })
  await page.getByTestId('exit-note').getByText(text('proof.notAProof')).waitFor()
  await open('own.json', {})
  await button('exit.check').click()
}

async function chooseLanguage(session: BrowserSession, language: 'tw' | 'zh' | 'en'): Promise<void> {
  await session.page.evaluate(
    (lang) => (globalThis as unknown as { localStorage: Storage }).localStorage.setItem('lang', lang),
    language,
  )
  session.setLanguage(language)
  await session.page.reload()
}

type Storage = { setItem(key: string, value: string): void }

/** As when the service has seen that the contract is in exit mode: what it refuses then leads to where the money is. */
async function sentToTheWayOut(session: BrowserSession): Promise<void> {
  for (const language of ['tw', 'zh', 'en'] as const) {
    await chooseLanguage(session, language)
    const message = apiTexts[language].codes.exitMode
    await session.page.route('**/api/v1/finance/transferIn', (route) =>
      route.fulfill({ json: { code: codes.exitMode, message, data: null } }),
    )
    await session.open('#/finance')
    await session.button('finance.in').click()
    await session.page.getByLabel(session.text('finance.quantity'), { exact: true }).fill('100')
    await session.button('finance.confirmIn').click()
    await session.page.locator('.toast').getByText(message).waitFor()
    await session.button('state.toExit').click()
    await expect.poll(() => session.path()).toBe('/exit')
    await session.page.getByText(session.text('exit.file')).waitFor()
    await session.page.unrouteAll()
  }
  await chooseLanguage(session, 'tw')
}

const usdtOf = (client: PublicClient, owner: Hex): Promise<bigint> =>
  client.readContract({ address: product().contracts.usdt, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })

/** Reads what the sender's transaction with this nonce cost. */
async function feeOfLast(from: string, nonce: number, newest: number): Promise<bigint> {
  const client = createPublicClient({ transport: http(product().rpcUrl) })
  for (let number = newest; number > 0; number--) {
    const { transactions } = await client.getBlock({ blockNumber: BigInt(number), includeTransactions: true })
    const found = transactions.find((one) => one.from === from.toLowerCase() && one.nonce === nonce)
    if (found === undefined) continue
    const { gasUsed, effectiveGasPrice } = await client.getTransactionReceipt({ hash: found.hash })
    return gasUsed * effectiveGasPrice
  }
  throw new Error('no block has the transaction')
}
