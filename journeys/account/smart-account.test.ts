import { parseEther } from 'viem'
import { expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { journeysOf } from '../support/journey.ts'
import { newcomer, smartNewcomer } from '../support/people.ts'
import {
  askToDeposit,
  newestDeposit,
  openBeside,
  openDeposit,
  signInInvited,
  waitForDeposit,
} from '../support/steps.ts'

const { product, journey } = journeysOf('production', { CONFIRMATIONS: '2', CONFIRMATIONS_LARGE: '2' })

let person: Awaited<ReturnType<typeof smartNewcomer>>

journey(
  'an account that is a contract: signs in by its owner’s key, pays in, and transfers by a signature',
  async () => {
    person = await smartNewcomer(product().rpcUrl, { ju: parseEther('30') })
    return { wallets: [person.pageWallet] }
  },
  async (stage) => {
    const { client, address } = person.wallet
    expect(await client.getCode({ address })).toMatch(/^0x[0-9a-f]{100,}/)
    await signInInvited(stage, person)
    await stage.page
      .getByText(/^UID \d+$/)
      .first()
      .waitFor()

    await stage.open('#/devices')
    await stage.page.locator('.device-this').waitFor()
    await stage.page.getByText(stage.text('device.none')).waitFor()
    expect(await stage.page.locator('.device').count()).toBe(1)

    await openDeposit(stage)
    await askToDeposit(stage, { asset: 'JU', amount: '12' })
    await waitForDeposit(stage, 'credited')
    expect(await newestDeposit(stage).innerText()).toContain('12 JU')
    // The contract paid it, and its owner's key the fee.
    expect(await client.getBalance({ address })).toBe(parseEther('18'))

    const friend = await newcomer(product().rpcUrl)
    await using theirs = await openBeside(stage, { wallets: [friend.pageWallet] })
    await signInInvited(theirs, friend)
    await stage.open('#/transfer')
    await stage.page.getByRole('radio', { name: 'JU', exact: true }).check()
    await stage.page.getByText('12 JU').filter({ visible: true }).first().waitFor()
    await stage.page.getByLabel(stage.text('transfer.recipient'), { exact: true }).fill(friend.wallet.address)
    await stage.page.getByLabel(stage.text('transfer.amount'), { exact: true }).fill('2.5')
    await stage.page.locator('.recipient-found code').waitFor()
    await stage.button('transfer.next').click()
    await stage.button('transfer.sign', stage.dialog('transfer.review')).click()
    const done = stage.dialog('transfer.doneTitle')
    await done.waitFor()
    expect(await done.innerText()).toContain('2.5 JU')
    await stage.button('command.close', done).click()
    expect(await stage.page.locator('[data-transfer]').first().innerText()).toContain('−2.5 JU')
    await theirs.open('#/transfer')
    await theirs.page.locator('[data-transfer][data-direction="in"]').getByText('+2.5 JU').waitFor()

    expect(theirs.problems).toEqual([])
    const asked = (method: string) => person.wallet.calls.filter((call) => call === method).length
    expect([asked('personal_sign'), asked('eth_signTypedData_v4'), asked('eth_sendTransaction')]).toEqual([1, 1, 1])
    await expectBooksToAgree(product())
  },
)
