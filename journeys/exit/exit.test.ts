import { rootInvitation } from '@candela/devnet/seed/seed'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { DAY_MS } from '@candela/protocol/units'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { createPublicClient, http, parseEther } from 'viem'
import { expect } from 'vitest'
import { journeysOf, ownProduct } from '../support/journey.ts'
import { balancesOf } from '../support/database.ts'
import { letTimePass } from '../support/credit-steps.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { signInInvited } from '../support/steps.ts'
import { waitUntil } from '../support/wait-until.ts'

// Proofs, the end of the service and 31 days concern everybody on the product.
const { product, journey } = journeysOf(ownProduct({ mode: 'development' }))

const web = path.join(import.meta.dirname, '..', '..', 'web')

/** Builds the page of one file and serves it from an origin that has nothing to do with the product. */
async function hostExitPage(): Promise<{ url: string } & AsyncDisposable> {
  const vite = path.join(web, '..', 'node_modules', '.bin', 'vite')
  await promisify(execFile)(vite, ['build', '-c', 'vite.exit.config.ts'], { cwd: web })
  const page = await readFile(path.join(web, 'dist-exit', 'exit.html'))
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/exit.html`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

let person: Newcomer
const withMoney = async () => {
  person = await newcomer(product(), { ju: parseEther('5') })
  return { wallets: [person.pageWallet] }
}

async function latestDay(): Promise<string | null> {
  const answer = await fetch(`${product().origin}/api/v1/solvency/latest`)
  const { data } = (await answer.json()) as { data: { attestation: { day: string } | null } }
  return data.attestation?.day ?? null
}

journey(
  'a proof is verified and saved; the service ends, and the money comes by the proof alone',
  withMoney,
  async (session) => {
    const { page, text } = session
    await signInInvited(session, person, rootInvitation, person.pageWallet.name)
    await payIn(product(), person, '3')
    await waitUntil('the deposit is on the balance', async () => (await balancesOf(product(), person))[0] === '3')
    await waitUntil('a day without the person is attested', async () => (await latestDay()) !== null)
    const before = await latestDay()
    await letTimePass(product(), session, DAY_MS)
    await waitUntil('the next day is attested', async () => (await latestDay()) !== before)

    await session.open('#/solvency')
    await session.button('proof.verify').click()
    for (const step of ['path', 'root', 'sums', 'held', 'own'])
      await page.locator(`[data-step="${step}"][data-result="good"]`).waitFor()
    await page.locator('[data-step="statement"][data-result]').waitFor()
    const download = page.waitForEvent('download')
    await session.button('proof.save').click()
    const file = await (await download).path()
    const proof = JSON.parse(await readFile(file, 'utf8')) as { leaf: { owed: string[] } }
    expect(proof.leaf.owed).toEqual(['0', '0', String(parseEther('3'))])

    // One who is told of less is told so: the same file with another amount.
    const altered = JSON.stringify(proof).replace(String(parseEther('3')), String(parseEther('2')))
    await page
      .locator('.proof-open input')
      .setInputFiles({ name: 'altered.json', mimeType: 'application/json', buffer: Buffer.from(altered) })
    await page.locator('[data-step="path"][data-result="bad"]').waitFor()

    await using host = await hostExitPage()
    await page.goto('about:blank')
    await product().stopServer()
    await product().passTime(31 * DAY_MS)
    await expect(fetch(product().origin)).rejects.toThrow('fetch failed')

    await page.goto(host.url)
    await page.getByLabel(text('exit.file')).setInputFiles(file)
    await page.getByLabel(text('exit.rpc')).fill(product().rpcUrl)
    await session.button('exit.check').click()
    await session.button('exit.enter').click()
    await session.button('exit.claim').waitFor()
    await page.getByText(/^3\s*JU$/).waitFor()
    const client = createPublicClient({ transport: http(product().rpcUrl) })
    const { gateway } = product().contracts
    const [heldBefore, hadBefore] = await Promise.all([
      client.getBalance({ address: gateway }),
      client.getBalance({ address: person.wallet.address }),
    ])
    await session.button('exit.claim').click()
    await page.getByText(text('exit.nothing')).waitFor()
    const after = await client.getBalance({ address: person.wallet.address })
    const block = await client.getBlock()
    expect(heldBefore - (await client.getBalance({ address: gateway }))).toBe(parseEther('3'))
    // To the unit: what came less the fee of the transaction that brought it.
    const nonce = await client.getTransactionCount({ address: person.wallet.address })
    const fee = await feeOfLast(person.wallet.address, nonce - 1, Number(block.number))
    expect(after).toBe(hadBefore + parseEther('3') - fee)
  },
)

/** What the sender's transaction with this nonce cost. */
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
