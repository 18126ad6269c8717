import { erc20Abi } from '@candela/protocol/abi/erc20'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { journeysOf } from '../support/journey.ts'
import { giveToken, newcomer, type Newcomer } from '../support/people.ts'
import type { Stage } from '../support/browser-session.ts'
import {
  askToDeposit,
  askToWithdraw,
  newestDeposit,
  openDeposit,
  openWithdrawal,
  signInInvited,
  waitForDeposit,
  waitForWithdrawal,
} from '../support/steps.ts'

const { product, journey } = journeysOf('production')

let person: Newcomer
const aNewcomer = async () => {
  person = await newcomer(product().rpcUrl, { ju: parseEther('10') })
  return { wallets: [person.pageWallet] }
}
const withUsdt = async () => {
  const prepared = await aNewcomer()
  await giveToken(product().rpcUrl, product().contracts.usdt, person.wallet.address, parseEther('200'))
  return prepared
}

const allowance = (): Promise<bigint> =>
  person.wallet.client.readContract({
    abi: erc20Abi,
    address: product().contracts.usdt,
    functionName: 'allowance',
    args: [person.wallet.address, product().contracts.gateway],
  })

const inWallet = (): Promise<bigint> =>
  person.wallet.client.readContract({
    abi: erc20Abi,
    address: product().contracts.usdt,
    functionName: 'balanceOf',
    args: [person.wallet.address],
  })

const standing = (stage: Stage) => stage.page.locator('[data-allowance]')
const toastsFrom = async (stage: Stage, count: number) => (await stage.toasts()).slice(count)

journey(
  'USDT with exactly its approval, then with the maximum; the approval taken back; and out to the wallet again',
  withUsdt,
  async (stage) => {
    await signInInvited(stage, person)
    await openDeposit(stage)
    await askToDeposit(stage, { asset: 'USDT', amount: '30' })
    await waitForDeposit(stage, 'confirming')
    await waitForDeposit(stage, 'credited')
    expect(await newestDeposit(stage).innerText()).toContain('30 USDT')
    expect(await stage.toasts()).toEqual(
      (['pay.approve', 'pay.approveOnChain', 'pay.confirming', 'pay.onChain'] as const).map((key) => stage.text(key)),
    )
    // What was approved is used up.
    expect(await allowance()).toBe(0n)
    await expect.poll(() => standing(stage).getAttribute('data-allowance')).toBe('0')

    await stage.page.getByRole('radio', { name: stage.text('allow.max') }).check()
    await askToDeposit(stage, { asset: 'USDT', amount: '20' })
    await expect.poll(() => newestDeposit(stage).innerText(), { timeout: 20_000 }).toContain('20 USDT')
    await waitForDeposit(stage, 'credited')
    expect(await allowance()).toBe(2n ** 256n - 1n)
    await standing(stage).getByText(stage.text('allow.unlimited')).waitFor()

    const said = (await stage.toasts()).length
    await askToDeposit(stage, { asset: 'USDT', amount: '5' })
    await expect.poll(() => newestDeposit(stage).innerText(), { timeout: 20_000 }).toContain('5 USDT')
    await waitForDeposit(stage, 'credited')
    expect(await toastsFrom(stage, said)).toEqual([stage.text('pay.confirming'), stage.text('pay.onChain')])

    await stage.button('allow.revoke').click()
    await expect.poll(allowance, { timeout: 20_000 }).toBe(0n)
    await expect.poll(() => standing(stage).getAttribute('data-allowance')).toBe('0')
    expect(await stage.button('allow.revoke').count()).toBe(0)

    // And back to where it came from.
    await openWithdrawal(stage)
    await askToWithdraw(stage, '55')
    await stage.button('withdraw.confirm', stage.dialog('withdraw.review')).click()
    await waitForWithdrawal(stage, 'done')
    expect(await inWallet()).toBe(parseEther('199'))
    await expectBooksToAgree(product())
  },
)

journey('an approval refused pays nothing, and asks for no second deposit', withUsdt, async (stage) => {
  await signInInvited(stage, person)
  await openDeposit(stage)
  person.wallet.refuseNext('eth_sendTransaction')
  await askToDeposit(stage, { asset: 'USDT', amount: '30' })
  await stage.toast('pay.failed').waitFor()
  expect(person.wallet.sent).toEqual([])
  expect(await allowance()).toBe(0n)
  await waitForDeposit(stage, 'announced')
  await expectBooksToAgree(product())
})

journey('a payment that was sped up in the wallet is followed to its replacement', aNewcomer, async (stage) => {
  await signInInvited(stage, person)
  await openDeposit(stage)
  person.wallet.failNextPayment('speed-up')
  await askToDeposit(stage, { asset: 'JU', amount: '2' })
  await waitForDeposit(stage, 'credited')
  expect(person.wallet.sent).toHaveLength(2)
  const [first, second] = person.wallet.sent
  expect(await newestDeposit(stage).locator('code').first().getAttribute('title')).toBe(second)
  await expect(person.wallet.client.getTransactionReceipt({ hash: first ?? '0x' })).rejects.toThrow(/not be found/)
  expect(await stage.toasts()).toEqual([stage.text('pay.confirming'), stage.text('pay.onChain')])
  await expectBooksToAgree(product())
})

journey('one that was cancelled there is said to be, and can be made anew', aNewcomer, async (stage) => {
  await signInInvited(stage, person)
  await openDeposit(stage)
  person.wallet.failNextPayment('cancel')
  await askToDeposit(stage, { asset: 'JU', amount: '2' })
  await stage.toast('pay.cancelled').waitFor()
  await newestDeposit(stage).getByText(stage.text('deposit.announcedText')).waitFor()
  await stage.button('deposit.pay').click()
  await waitForDeposit(stage, 'credited')
  expect(person.wallet.sent).toHaveLength(3)
  await expectBooksToAgree(product())
})

journey('one that takes long is still being checked, never failed, and ends well', aNewcomer, async (stage) => {
  await makeImpatient(stage)
  await signInInvited(stage, person)
  await openDeposit(stage)
  person.wallet.failNextPayment('late')
  await askToDeposit(stage, { asset: 'JU', amount: '2' })
  await newestDeposit(stage).getByText(stage.text('pay.onItsWay')).waitFor()
  await expect.poll(() => stage.toasts(), { timeout: 20_000 }).toContain(stage.text('pay.stillChecking'))
  expect(await newestDeposit(stage).innerText()).toContain(stage.text('pay.onItsWay'))
  await person.wallet.letThrough()
  await waitForDeposit(stage, 'credited')
  expect(await stage.toasts()).not.toContain(stage.text('pay.failed'))
  await expectBooksToAgree(product())
})

/** Shortens the three minutes that the page waits for a receipt, and nothing else. */
const makeImpatient = (stage: Stage) =>
  stage.page.addInitScript(() => {
    const page = globalThis as unknown as {
      setTimeout: (act: () => void, after_ms?: number, ...rest: unknown[]) => number
    }
    const wait = page.setTimeout.bind(page)
    page.setTimeout = (act, after_ms, ...rest) => wait(act, after_ms === 180_000 ? 3_000 : after_ms, ...rest)
  })
