import { erc20Abi } from '@candela/protocol/abi/erc20'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import type { BrowserSession } from '../support/browser-session.ts'
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

const { product, journey } = journeysOf(sharedProduct('production, many confirmations'))

let person: Newcomer
const aNewcomer = async () => {
  person = await newcomer(product(), { ju: parseEther('10') })
  return { wallets: [person.pageWallet] }
}
const withUsdt = async () => {
  person = await newcomer(product(), { ju: parseEther('10'), usdt: parseEther('200') })
  return { wallets: [person.pageWallet] }
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

const standing = (session: BrowserSession) => session.page.locator('[data-allowance]')
const toastsFrom = async (session: BrowserSession, count: number) => (await session.toasts()).slice(count)

journey(
  'USDT with exactly its approval, then with the maximum; the approval taken back; and out to the wallet again',
  withUsdt,
  async (session) => {
    await signInInvited(session, person)
    await openDeposit(session)
    await askToDeposit(session, { asset: 'USDT', amount: '30' })
    await waitForDeposit(session, 'confirming')
    await waitForDeposit(session, 'credited')
    expect(await newestDeposit(session).innerText()).toContain('30 USDT')
    expect(await session.toasts()).toEqual(
      (['pay.approve', 'pay.approveOnChain', 'pay.confirming', 'pay.onChain'] as const).map((key) => session.text(key)),
    )
    // What was approved is used up.
    expect(await allowance()).toBe(0n)
    await expect.poll(() => standing(session).getAttribute('data-allowance')).toBe('0')

    await session.page.getByRole('radio', { name: session.text('allow.max') }).check()
    await askToDeposit(session, { asset: 'USDT', amount: '20' })
    await expect.poll(() => newestDeposit(session).innerText()).toContain('20 USDT')
    await waitForDeposit(session, 'credited')
    expect(await allowance()).toBe(2n ** 256n - 1n)
    await standing(session).getByText(session.text('allow.unlimited')).waitFor()

    const said = (await session.toasts()).length
    await askToDeposit(session, { asset: 'USDT', amount: '5' })
    await expect.poll(() => newestDeposit(session).innerText()).toContain('5 USDT')
    await waitForDeposit(session, 'credited')
    expect(await toastsFrom(session, said)).toEqual([session.text('pay.confirming'), session.text('pay.onChain')])

    await session.button('allow.revoke').click()
    await expect.poll(allowance).toBe(0n)
    await expect.poll(() => standing(session).getAttribute('data-allowance')).toBe('0')
    expect(await session.button('allow.revoke').count()).toBe(0)

    // All of it is withdrawn to the wallet again.
    await openWithdrawal(session)
    await askToWithdraw(session, '55')
    await session.button('withdraw.confirm', session.dialog('withdraw.review')).click()
    await waitForWithdrawal(session, 'done')
    expect(await inWallet()).toBe(parseEther('199'))
    await expectBooksToAgree(product())
  },
)

journey('an approval refused pays nothing, and asks for no second deposit', withUsdt, async (session) => {
  await signInInvited(session, person)
  await openDeposit(session)
  person.wallet.refuseNext('eth_sendTransaction')
  await askToDeposit(session, { asset: 'USDT', amount: '30' })
  await session.waitForToast('pay.failed')
  expect(person.wallet.sent).toEqual([])
  expect(await allowance()).toBe(0n)
  await waitForDeposit(session, 'announced')
  await expectBooksToAgree(product())
})

journey('a payment that was sped up in the wallet is followed to its replacement', aNewcomer, async (session) => {
  await signInInvited(session, person)
  await openDeposit(session)
  person.wallet.failNextPayment('speed-up')
  await askToDeposit(session, { asset: 'JU', amount: '2' })
  await waitForDeposit(session, 'credited')
  expect(person.wallet.sent).toHaveLength(2)
  const [first, second] = person.wallet.sent
  expect(await newestDeposit(session).locator('code').first().getAttribute('title')).toBe(second)
  await expect(person.wallet.client.getTransactionReceipt({ hash: first ?? '0x' })).rejects.toThrow(/not be found/)
  expect(await session.toasts()).toEqual([session.text('pay.confirming'), session.text('pay.onChain')])
  await expectBooksToAgree(product())
})

journey('one that was cancelled there is said to be, and can be made anew', aNewcomer, async (session) => {
  await signInInvited(session, person)
  await openDeposit(session)
  person.wallet.failNextPayment('cancel')
  await askToDeposit(session, { asset: 'JU', amount: '2' })
  await session.waitForToast('pay.cancelled')
  await newestDeposit(session).getByText(session.text('deposit.announcedText')).waitFor()
  await session.button('deposit.pay').click()
  await waitForDeposit(session, 'credited')
  expect(person.wallet.sent).toHaveLength(3)
  await expectBooksToAgree(product())
})

journey('one that takes long is still being checked, never failed, and ends well', aNewcomer, async (session) => {
  await makeImpatient(session)
  await signInInvited(session, person)
  await openDeposit(session)
  person.wallet.failNextPayment('late')
  await askToDeposit(session, { asset: 'JU', amount: '2' })
  await newestDeposit(session).getByText(session.text('pay.onItsWay')).waitFor()
  await expect.poll(() => session.toasts()).toContain(session.text('pay.stillChecking'))
  expect(await newestDeposit(session).innerText()).toContain(session.text('pay.onItsWay'))
  await person.wallet.releaseLatePayment()
  await waitForDeposit(session, 'credited')
  expect(await session.toasts()).not.toContain(session.text('pay.failed'))
  await expectBooksToAgree(product())
})

/** Shortens the three minutes that the page waits for a receipt, and nothing else. */
const makeImpatient = (session: BrowserSession) =>
  session.page.addInitScript(() => {
    const page = globalThis as unknown as {
      setTimeout: (act: () => void, after_ms?: number, ...rest: unknown[]) => number
    }
    const wait = page.setTimeout.bind(page)
    page.setTimeout = (act, after_ms, ...rest) => wait(act, after_ms === 180_000 ? 3_000 : after_ms, ...rest)
  })
