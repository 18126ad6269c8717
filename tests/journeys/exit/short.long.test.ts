import { testAccounts } from '@candela/testing/chain/accounts'
import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { paymentGatewayAbi as abi } from '@candela/protocol/abi/payment-gateway'
import { DAY_MS } from '@candela/protocol/units'
import { readFile } from 'node:fs/promises'
import { createPublicClient, encodeFunctionData, http, parseEther, zeroAddress } from 'viem'
import { expect } from 'vitest'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { borrowOnJu, intoFund, letTimePass, tellTime } from '../support/lending-steps.ts'
import { balancesOf } from '../support/database.ts'
import { journeysOf, ownProduct } from '../support/journey.ts'
import { newcomer, type Newcomer, payIn, transact } from '../support/people.ts'
import {
  askToWithdraw,
  depositUsdt,
  openAnotherSession,
  openWithdrawal,
  shortAddress,
  signInInvited,
  waitForWithdrawal,
} from '../support/steps.ts'
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

/** The contract pays somebody JU, whatever the service knows of it, as much a day as its cap lets it. */
async function payOut(to: `0x${string}`, amount: bigint): Promise<void> {
  const client = createPublicClient({ transport: http(product().rpcUrl) })
  const { gateway } = product().contracts
  for (let left = amount; left > 0n;) {
    const cap = await client.readContract({ address: gateway, abi, functionName: 'leftOfCap', args: [zeroAddress] })
    const part = left < cap ? left : cap
    if (part > 0n) {
      const id = `0x${part.toString(16).padStart(40, '0')}${left.toString(16).padStart(24, '0')}` as const
      const data = encodeFunctionData({ abi, functionName: 'pay', args: [id, zeroAddress, to, part] })
      await transact(product(), accountOf('payer'), { to: gateway, value: 0n, data })
    }
    left -= part
    if (left > 0n) await product().passTime(DAY_MS)
  }
}

/** Somebody borrows the fund's money on JU, and takes it out of the contract. */
async function lendOut(session: BrowserSession, usdt: string): Promise<void> {
  const borrower = await newcomer(product(), { ju: parseEther('1005') })
  await using other = await openAnotherSession(session, { wallets: [borrower.pageWallet] })
  await tellTime(product(), other)
  await signInInvited(other, borrower, rootInvitation, borrower.pageWallet.name)
  await payIn(product(), borrower, '1000')
  await waitUntil('the collateral is on the balance', async () => (await balancesOf(product(), borrower))[0] === '1000')
  await borrowOnJu(other, usdt)
  await openWithdrawal(other)
  await askToWithdraw(other, usdt)
  await other.button('withdraw.confirm', other.dialog('withdraw.review')).click()
  await waitForWithdrawal(other, 'done')
}

journey(
  'lent money is out, a payment is not counted and a stolen key has paid: a member gets its share, and what is left a year later, up to its leaf',
  async () => {
    person = await newcomer(product(), { ju: parseEther('5'), usdt: parseEther('1000') })
    return { wallets: [person.pageWallet] }
  },
  async (session) => {
    const { page } = session
    const client = createPublicClient({ transport: http(product().rpcUrl) })
    const { gateway } = product().contracts
    await passMidnight(product(), session)
    await signInInvited(session, person, rootInvitation, person.pageWallet.name)
    await payIn(product(), person, '3')
    await waitUntil('the deposit is on the balance', async () => (await balancesOf(product(), person))[0] === '3')
    await depositUsdt(session, '1000')
    await intoFund(session, '1000')
    await lendOut(session, '400')
    await waitUntil('a day without the person is attested', async () => (await latestDay(product())) !== null)
    const before = await latestDay(product())
    await letTimePass(product(), session, DAY_MS)
    await waitUntil('the next day is attested', async () => (await latestDay(product())) !== before)
    await session.open('#/solvency')
    await session.button('proof.verify').click()
    const file = await saveProof(session)
    const { root, leaf } = JSON.parse(await readFile(file, 'utf8')) as {
      root: { sums: [string, string, string] }
      leaf: { owed: [string, string, string] }
    }
    const attested = BigInt(root.sums[2])
    // Lent money is owed in kind: what is left of the fund in USDT, and the collateral that pays for the rest, with what both earned.
    const [usdt, , ju] = leaf.owed.map(BigInt) as [bigint, bigint, bigint]
    expect(usdt).toBeGreaterThanOrEqual(parseEther('599'))
    expect(usdt).toBeLessThan(parseEther('601'))
    expect(ju).toBeGreaterThan(parseEther('4'))
    expect(ju).toBeLessThan(parseEther('1003'))

    await using host = await hostExitPage()
    await stopService(product(), session)
    // One JU to the person, and with a stolen key of the payer all that is not owed, and a quarter more.
    await payOut(person.wallet.address, parseEther('1'))
    const stolen = (await client.getBalance({ address: gateway })) - attested + parseEther('1.25')
    await payOut(accountOf('owner').address, stolen)
    const held = await client.getBalance({ address: gateway })
    expect(held).toBe(attested - parseEther('1.25'))
    await product().passTime(31 * DAY_MS)

    await openExitPage(session, { host, rpcUrl: product().rpcUrl, file })
    await session.button('exit.enter').click()
    // When it began, and when what is left is shared.
    const times = page.getByTestId('exit-times')
    await times.waitFor()
    expect((await times.textContent())?.match(/\d{1,2}:\d{2}/g)).toHaveLength(2)
    // The wallet pays for gas as well, so what the contract has left tells how much was claimed.
    const left = () => client.getBalance({ address: gateway })
    const done = session.text('exit.done', { address: shortAddress(person.wallet.address) })
    const saysDone = () => expect.poll(() => page.getByTestId('exit-note').textContent()).toBe(done)
    const share = (ju * held) / attested - parseEther('1')
    await session.button('exit.claim').click()
    await saysDone()
    expect(await left()).toBe(held - share)
    // No thief has taken USDT, so there it is the whole leaf.
    const address = product().contracts.usdt
    const args = [person.wallet.address] as const
    expect(await client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args })).toBe(usdt)

    await product().passTime(365 * DAY_MS)
    await session.button('exit.check').click()
    await session.button('exit.claim').click()
    // No other member has claimed, so the person gets what its leaf lacks, as far as it is there.
    const all = held < ju - parseEther('1') ? held : ju - parseEther('1')
    await saysDone()
    expect(await left()).toBe(held - all)
    await session.button('exit.claim').waitFor({ state: 'detached' })
  },
)
