import type { OperatorName } from '@candela/devnet/seed/operators'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { expectReadable } from '@candela/testing/browser/judge-screen'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { operate } from '../support/operator.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import {
  askToWithdraw,
  fillWithdrawal,
  newestWithdrawal,
  depositUsdt,
  openWithdrawal,
  signInInvited,
  waitForWithdrawal,
} from '../support/steps.ts'

const { product, journey } = journeysOf(sharedProduct('production, many confirmations'))

let person: Newcomer
const withUsdt = (usdt: string) => async () => {
  person = await newcomer(product(), { ju: parseEther('10'), usdt: parseEther(usdt) })
  return { wallets: [person.pageWallet] }
}

const inWallet = (): Promise<bigint> =>
  person.wallet.client.readContract({
    abi: erc20Abi,
    address: product().contracts.usdt,
    functionName: 'balanceOf',
    args: [person.wallet.address],
  })

/** The labels that the newest withdrawal shows about itself, also while its details are closed. */
const labels = (session: BrowserSession) => newestWithdrawal(session).locator('.rows dt').allTextContents()

journey(
  'USDT paid in and withdrawn: every step is shown, and the wallet holds on chain what was promised',
  withUsdt('100'),
  async (session) => {
    await signInInvited(session, person)
    await depositUsdt(session, '60')
    expect(await inWallet()).toBe(parseEther('40'))

    await openWithdrawal(session)
    await askToWithdraw(session, '25.5')
    const sheet = session.dialog('withdraw.review')
    expect(await sheet.innerText()).toContain('24.5 USDT')
    expect(await sheet.innerText()).toContain(person.wallet.address)
    await expectReadable(session)
    await session.button('withdraw.confirm', sheet).click()
    const seen = await waitForWithdrawal(session, 'done')
    expect(seen).toContain('confirming')
    // Its steps were shown while it moved, and stay.
    const card = await newestWithdrawal(session).innerText()
    for (const step of ['queued', 'sending', 'done'] as const)
      expect(card).toContain(session.text(`withdraw.step.${step}`))
    expect(card).toContain('24.5 USDT')
    expect(await inWallet()).toBe(parseEther('64.5'))

    const hash = await newestWithdrawal(session).locator('code[title^="0x"]').last().getAttribute('title')
    const { status, to } = await person.wallet.client.getTransactionReceipt({ hash: hash as `0x${string}` })
    expect([status, to]).toEqual(['success', product().contracts.gateway.toLowerCase()])
    // Nothing was asked of the wallet for it: the operator pays the fee of the chain.
    expect(person.wallet.sent).toHaveLength(2)
    await session.open('#/mine')
    await expect.poll(() => session.page.locator('[data-asset="USDT"]').innerText()).toContain('34.5')
    await expectBooksToAgree(product())
  },
)

journey('what cannot be withdrawn is said before it is asked for', withUsdt('100'), async (session) => {
  await signInInvited(session, person)
  await depositUsdt(session, '60')
  await openWithdrawal(session)
  const said = (text: string) => session.page.locator('.field-error').getByText(text, { exact: true }).waitFor()
  await fillWithdrawal(session, '60.000000000000000001')
  await said(session.text('amount.notEnough'))
  await fillWithdrawal(session, '4.999999999999999999')
  await said(session.text('withdraw.tooLittle', { minimum: '5', asset: 'USDT' }))
  // The button looks disabled and can still be tapped: then it says what is missing.
  await session.button('withdraw.next').click({ force: true })
  expect(await session.dialog('withdraw.review').count()).toBe(0)
  expect(await session.page.locator('[data-withdrawal]').count()).toBe(0)
})

journey(
  'a large one waits for two operators; one that is rejected gives the money back',
  withUsdt('60000'),
  async (session) => {
    await signInInvited(session, person)
    await depositUsdt(session, '50000')
    await openWithdrawal(session)
    await fillWithdrawal(session, '26000')
    await session.page.getByText(session.text('withdraw.needsReview')).waitFor()
    await session.button('withdraw.next').click()
    await session.button('withdraw.confirm', session.dialog('withdraw.review')).click()
    await waitForWithdrawal(session, 'review')
    const approve = async (operator: OperatorName) => {
      const number = (await newestWithdrawal(session).getAttribute('data-withdrawal')) ?? ''
      return operate(product(), operator, 'withdrawal', 'approve', number)
    }
    await approve('first')
    await expect(approve('first')).rejects.toThrow(/first has signed this already/)
    expect(await newestWithdrawal(session).getAttribute('data-state')).toBe('review')
    // A withdrawal on its way says what will be received, a paid one what was, and one that was given back neither.
    expect(await labels(session)).toContain(session.text('withdraw.receive'))
    await approve('second')
    await waitForWithdrawal(session, 'done')
    expect(await labels(session)).toContain(session.text('withdraw.received'))
    expect(await inWallet()).toBe(parseEther('35999'))

    await fillWithdrawal(session, '12000')
    await session.button('withdraw.next').click()
    await session.button('withdraw.confirm', session.dialog('withdraw.review')).click()
    await expect.poll(() => newestWithdrawal(session).innerText()).toContain('12,000')
    await waitForWithdrawal(session, 'review')
    const number = (await newestWithdrawal(session).getAttribute('data-withdrawal')) ?? ''
    await operate(product(), 'first', 'withdrawal', 'reject', number, '--note', 'please write to us first')
    await waitForWithdrawal(session, 'rejected')
    const card = await newestWithdrawal(session).innerText()
    expect(card).toContain(session.text('withdraw.reason.operator'))
    expect(card).toContain('please write to us first')
    expect(card).toContain(session.text('withdraw.moneyBack', { amount: '12,000', asset: 'USDT' }))
    expect(await labels(session)).toEqual([session.text('withdraw.to'), session.text('withdraw.no')])
    // The balance above the list is updated too.
    await expect.poll(() => session.page.locator('.amount-input-head:visible').innerText()).toContain('24,000')
    expect(await inWallet()).toBe(parseEther('35999'))
    await session.open('#/mine')
    await expect.poll(() => session.page.locator('[data-asset="USDT"]').innerText()).toContain('24,000')
    await expectBooksToAgree(product())
  },
)
