import { parseEther } from 'viem'
import { expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, smartNewcomer } from '../support/people.ts'
import {
  askToDeposit,
  newestDeposit,
  openAnotherSession,
  openDeposit,
  signInInvited,
  waitForDeposit,
} from '../support/steps.ts'

const { product, journey } = journeysOf(sharedProduct('production'))

let person: Awaited<ReturnType<typeof smartNewcomer>>

journey(
  'an account that is a contract: signs in by its owner’s key, pays in, and transfers by a signature',
  async () => {
    person = await smartNewcomer(product(), { ju: parseEther('30') })
    return { wallets: [person.pageWallet] }
  },
  async (session) => {
    const { client, address } = person.wallet
    expect(await client.getCode({ address })).toMatch(/^0x[0-9a-f]{100,}/)
    await signInInvited(session, person)
    await session.page
      .getByText(/^UID \d+$/)
      .first()
      .waitFor()

    await session.open('#/devices')
    await session.page.locator('.device-this').waitFor()
    await session.page.getByText(session.text('device.none')).waitFor()
    expect(await session.page.locator('.device').count()).toBe(1)

    await openDeposit(session)
    await askToDeposit(session, { asset: 'JU', amount: '12' })
    await waitForDeposit(session, 'credited')
    expect(await newestDeposit(session).innerText()).toContain('12 JU')
    // The contract paid it, and its owner's key the fee.
    expect(await client.getBalance({ address })).toBe(parseEther('18'))

    const friend = await newcomer(product())
    await using theirs = await openAnotherSession(session, { wallets: [friend.pageWallet] })
    await signInInvited(theirs, friend)
    await session.open('#/transfer')
    await session.page.getByRole('radio', { name: 'JU', exact: true }).check()
    await session.page.getByText('12 JU').filter({ visible: true }).first().waitFor()
    await session.page.getByLabel(session.text('transfer.recipient'), { exact: true }).fill(friend.wallet.address)
    await session.page.getByLabel(session.text('transfer.amount'), { exact: true }).fill('2.5')
    await session.page.locator('.recipient-found code').waitFor()
    await session.button('transfer.next').click()
    await session.button('transfer.sign', session.dialog('transfer.review')).click()
    const done = session.dialog('transfer.doneTitle')
    await done.waitFor()
    expect(await done.innerText()).toContain('2.5 JU')
    await session.button('command.close', done).click()
    expect(await session.page.locator('[data-transfer]').first().innerText()).toContain('−2.5 JU')
    await theirs.open('#/transfer')
    await theirs.page.locator('[data-transfer][data-direction="in"]').getByText('+2.5 JU').waitFor()

    expect(theirs.problems).toEqual([])
    const asked = (method: string) => person.wallet.calls.filter((call) => call === method).length
    expect([asked('personal_sign'), asked('eth_signTypedData_v4'), asked('eth_sendTransaction')]).toEqual([1, 1, 1])
    await expectBooksToAgree(product())
  },
)
