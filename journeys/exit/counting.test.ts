import { testAccounts } from '@candela/testing/chain/accounts'
import { rootInvitation } from '@candela/devnet/seed/seed'
import { paymentGatewayAbi as abi } from '@candela/protocol/abi/payment-gateway'
import { DAY_MS } from '@candela/protocol/units'
import { readFile } from 'node:fs/promises'
import { createPublicClient, encodeFunctionData, http, maxUint256, parseEther, zeroAddress } from 'viem'
import { expect } from 'vitest'
import { letTimePass } from '../support/credit-steps.ts'
import { balancesOf } from '../support/database.ts'
import { journeysOf, ownProduct } from '../support/journey.ts'
import { newcomer, type Newcomer, payIn, transact } from '../support/people.ts'
import { signInInvited } from '../support/steps.ts'
import { waitUntil } from '@candela/testing/browser/wait-until'
import { hostExitPage, latestDay, openExitPage, passMidnight, saveProof, stopService } from './exit-steps.ts'

// The end of the service concerns everybody on the product.
const { product, journey } = journeysOf(ownProduct({ mode: 'development' }))

let person: Newcomer

const accountOf = (wanted: 'owner' | 'payer') => {
  const found = testAccounts().find(({ role }) => role === wanted)
  if (found === undefined) throw new Error(`The development chain has no ${wanted}`)
  return found.account
}

/** The contract pays somebody JU, whatever the service knows of it. */
async function payOut(to: `0x${string}`, amount: bigint, nth: number): Promise<void> {
  const args = [`0x${String(nth).repeat(64)}`, zeroAddress, to, amount] as const
  const data = encodeFunctionData({ abi, functionName: 'pay', args })
  await transact(product(), accountOf('payer'), { to: product().contracts.gateway, value: 0n, data })
}

journey(
  'less is held than was attested: what a member was paid since is counted, then claims open and it gets the rest',
  async () => {
    person = await newcomer(product(), { ju: parseEther('5') })
    return { wallets: [person.pageWallet] }
  },
  async (session) => {
    const { page, text } = session
    const client = createPublicClient({ transport: http(product().rpcUrl) })
    const { gateway } = product().contracts
    await passMidnight(product(), session)
    await signInInvited(session, person, rootInvitation, person.pageWallet.name)
    await payIn(product(), person, '3')
    await waitUntil('the deposit is on the balance', async () => (await balancesOf(product(), person))[0] === '3')
    await waitUntil('a day without the person is attested', async () => (await latestDay(product())) !== null)
    const before = await latestDay(product())
    await letTimePass(product(), session, DAY_MS)
    await waitUntil('the next day is attested', async () => (await latestDay(product())) !== before)
    await session.open('#/solvency')
    await session.button('proof.verify').click()
    const file = await saveProof(session)
    const { root } = JSON.parse(await readFile(file, 'utf8')) as { root: { sums: [string, string, string] } }
    const attested = BigInt(root.sums[2])

    await using host = await hostExitPage()
    await stopService(product(), session)
    // One JU to the person, and all that is not owed to somebody else.
    const data = encodeFunctionData({ abi, functionName: 'setDailyCap', args: [zeroAddress, maxUint256] })
    await transact(product(), accountOf('owner'), { to: gateway, value: 0n, data })
    await payOut(person.wallet.address, parseEther('1'), 1)
    const surplus = (await client.getBalance({ address: gateway })) - attested + parseEther('1')
    await payOut(accountOf('owner').address, surplus, 2)
    await product().passTime(31 * DAY_MS)

    await openExitPage(session, { host, rpcUrl: product().rpcUrl, file })
    await session.button('exit.enter').click()
    await page.getByTestId('exit-note').getByText(text('exit.entered'), { exact: true }).waitFor()
    // When it began and when claims open are times, and nothing can be claimed yet.
    const times = await page.getByTestId('exit-times').textContent()
    expect(times?.match(/\d{1,2}:\d{2}/g)).toHaveLength(2)
    await expect(session.button('exit.claim').count()).resolves.toBe(0)
    await page.getByText(/^1\s*JU$/).waitFor()
    await session.button('exit.count').click()
    await page.getByTestId('exit-note').getByText(text('exit.counted'), { exact: true }).waitFor()
    await session.button('exit.count').waitFor({ state: 'detached' })
    // The payment is no longer owed, so what is held is enough for all of the rest.
    await page.getByText(/^2\s*JU$/).waitFor()

    await product().passTime(7 * DAY_MS)
    const had = await client.getBalance({ address: gateway })
    expect(had).toBe(attested - parseEther('1'))
    await session.button('exit.check').click()
    await session.button('exit.claim').click()
    await page.getByText(text('exit.nothing')).waitFor()
    expect(await client.getBalance({ address: gateway })).toBe(had - parseEther('2'))
  },
)
