import { erc20Abi } from '@candela/protocol/abi/erc20'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { parseEther, parseEventLogs } from 'viem'
import { expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
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
    // The approved amount is used up.
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

journey('an approval refused pays nothing, and the same deposit can be paid after it', withUsdt, async (session) => {
  await signInInvited(session, person)
  await openDeposit(session)
  person.wallet.refuseNext('eth_sendTransaction')
  await askToDeposit(session, { asset: 'USDT', amount: '30' })
  await session.waitForToast('pay.approvalRefused')
  expect(person.wallet.sent).toEqual([])
  expect(await allowance()).toBe(0n)
  await waitForDeposit(session, 'announced')
  // The same one can be paid after all.
  await session.button('deposit.payNow', newestDeposit(session)).click()
  await waitForDeposit(session, 'credited')
  expect(await session.page.locator('[data-deposit]').count()).toBe(1)
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

journey(
  'JU by a plain transfer to the contract, with its gas limit, until it is credited',
  aNewcomer,
  async (session) => {
    await signInInvited(session, person)
    await openDeposit(session)
    await session.page.getByRole('radio', { name: 'JU', exact: true }).check()
    await session.page.getByRole('radio', { name: session.text('deposit.way.plain') }).check()
    // For those who send it by hand.
    await session.page.locator('.plain-address').getByText(product().contracts.gateway).waitFor()
    // In a block when the test says so: until then the screen shows what the wallet has sent.
    person.wallet.failNextPayment('late')
    await askToDeposit(session, { asset: 'JU', amount: '3' })
    const onItsWay = session.page.locator('[data-plain-transfer]')
    await onItsWay.getByText(session.text('pay.onItsWay')).waitFor()
    const [hash] = person.wallet.sent
    expect(await onItsWay.getAttribute('data-plain-transfer')).toBe(hash)
    await session.page.reload()
    await onItsWay.waitFor()
    await person.wallet.releaseLatePayment()
    await waitForDeposit(session, 'confirming')
    await onItsWay.waitFor({ state: 'detached' })
    await waitForDeposit(session, 'credited')
    expect(await newestDeposit(session).innerText()).toContain(session.text('deposit.unannounced'))
    expect(await newestDeposit(session).innerText()).toContain('3 JU')
    expect(await remarks(hash ?? '0x')).toEqual(['native:'])
    const { gas, input, to, value } = await person.wallet.client.getTransaction({ hash: hash ?? '0x' })
    expect({ gas, input, to, value }).toEqual({
      gas: 2_000_000n,
      input: '0x',
      to: product().contracts.gateway.toLowerCase(),
      value: parseEther('3'),
    })
    await expectBooksToAgree(product())
  },
)

journey('one that was cancelled there is said to be, and can be paid anew', aNewcomer, async (session) => {
  await signInInvited(session, person)
  await openDeposit(session)
  person.wallet.failNextPayment('cancel')
  await askToDeposit(session, { asset: 'JU', amount: '2' })
  await session.waitForToast('pay.cancelled')
  await newestDeposit(session).getByText(session.text('deposit.announcedText')).waitFor()
  await session.button('deposit.payNow', newestDeposit(session)).click()
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
  await expect.poll(() => session.toasts()).toContain(session.text('pay.stillChecking.deposit'))
  expect(await newestDeposit(session).innerText()).toContain(session.text('pay.onItsWay'))
  await person.wallet.releaseLatePayment()
  await waitForDeposit(session, 'credited')
  expect(await session.toasts()).not.toContain(session.text('pay.failed'))
  await expectBooksToAgree(product())
})

/** Reads what the contract wrote about the payments of one transaction. */
async function remarks(hash: `0x${string}`): Promise<string[]> {
  const { logs } = await person.wallet.client.getTransactionReceipt({ hash })
  return parseEventLogs({ abi: paymentGatewayAbi, logs, eventName: 'TransactionDetails' }).map(
    ({ args }) => args.remark,
  )
}

/** Shortens the three minutes that the page waits for a receipt, and nothing else. */
const makeImpatient = (session: BrowserSession) =>
  session.page.addInitScript(() => {
    const page = globalThis as unknown as {
      setTimeout: (act: () => void, after_ms?: number, ...rest: unknown[]) => number
    }
    const wait = page.setTimeout.bind(page)
    page.setTimeout = (act, after_ms, ...rest) => wait(act, after_ms === 180_000 ? 3_000 : after_ms, ...rest)
  })
