import { testAccounts } from '@candela/testing/chain/accounts'
import { rootInvitation } from '@candela/devnet/seed/seed'
import { paymentGatewayAbi as abi } from '@candela/protocol/abi/payment-gateway'
import { DAY_MS } from '@candela/protocol/units'
import { readFile } from 'node:fs/promises'
import { createPublicClient, encodeFunctionData, http, parseEther, zeroAddress } from 'viem'
import { expect } from 'vitest'
import { letTimePass } from '../support/lending-steps.ts'
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

journey(
  'less is held than is owed: a member gets its share, and what is left a year later, up to its leaf',
  async () => {
    person = await newcomer(product(), { ju: parseEther('5') })
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
    const share = (parseEther('3') * held) / attested - parseEther('1')
    await session.button('exit.claim').click()
    await waitUntil('the first share was paid', async () => (await left()) === held - share)

    await product().passTime(365 * DAY_MS)
    await session.button('exit.check').click()
    await session.button('exit.claim').click()
    // Nobody else has claimed, so the person gets what its leaf lacks, as far as it is there.
    const all = held < parseEther('2') ? held : parseEther('2')
    await waitUntil('the rest was paid', async () => (await left()) === held - all)
    await session.button('exit.claim').waitFor({ state: 'detached' })
  },
)
