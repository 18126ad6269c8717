import { erc20Abi } from '@candela/protocol/abi/erc20'
import { openDatabase } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { sql } from 'kysely'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { journeysOf } from '../support/journey.ts'
import { operate } from '../support/operator.ts'
import { giveToken, newcomer, type Newcomer } from '../support/people.ts'
import type { Stage } from '../support/browser-session.ts'
import {
  askToDeposit,
  askToWithdraw,
  fillWithdrawal,
  newestWithdrawal,
  openDeposit,
  openWithdrawal,
  signInInvited,
  waitForDeposit,
  waitForWithdrawal,
} from '../support/steps.ts'

const { product, journey } = journeysOf('production')

let person: Newcomer
const withUsdt = (usdt: string) => async () => {
  person = await newcomer(product().rpcUrl, { ju: parseEther('10') })
  await giveToken(product().rpcUrl, product().contracts.usdt, person.wallet.address, parseEther(usdt))
  return { wallets: [person.pageWallet] }
}

const inWallet = (): Promise<bigint> =>
  person.wallet.client.readContract({
    abi: erc20Abi,
    address: product().contracts.usdt,
    functionName: 'balanceOf',
    args: [person.wallet.address],
  })

journey(
  'USDT paid in and withdrawn: every step is shown, and the wallet holds on chain what was promised',
  withUsdt('100'),
  async (stage) => {
    await signInInvited(stage, person)
    await payIn(stage, '60')
    expect(await inWallet()).toBe(parseEther('40'))

    await openWithdrawal(stage)
    await askToWithdraw(stage, '25.5')
    const sheet = stage.dialog('withdraw.review')
    expect(await sheet.innerText()).toContain('24.5 USDT')
    expect(await sheet.innerText()).toContain(person.wallet.address)
    await stage.button('withdraw.confirm', sheet).click()
    const seen = await waitForWithdrawal(stage, 'done')
    expect(seen).toContain('confirming')
    await newestWithdrawal(stage).locator('summary').click()
    const card = await newestWithdrawal(stage).innerText()
    for (const step of ['queued', 'sending', 'done'] as const)
      expect(card).toContain(stage.text(`withdraw.step.${step}`))
    expect(card).toContain('24.5 USDT')
    expect(await inWallet()).toBe(parseEther('64.5'))

    const hash = await newestWithdrawal(stage).locator('code[title^="0x"]').last().getAttribute('title')
    const { status, to } = await person.wallet.client.getTransactionReceipt({ hash: hash as `0x${string}` })
    expect([status, to]).toEqual(['success', product().contracts.gateway.toLowerCase()])
    // Nothing was asked of the wallet for it: the operator pays the fee of the chain.
    expect(person.wallet.sent).toHaveLength(2)
    await stage.open('#/mine')
    await expect.poll(() => stage.page.locator('[data-asset="USDT"]').innerText()).toContain('34.5')
    await expectBooksToAgree(product())
  },
)

journey('what cannot be withdrawn is said before it is asked for', withUsdt('100'), async (stage) => {
  await signInInvited(stage, person)
  await payIn(stage, '60')
  await openWithdrawal(stage)
  const said = (text: string) => stage.page.locator('.field-error').getByText(text, { exact: true }).waitFor()
  await fillWithdrawal(stage, '60.000000000000000001')
  await said(stage.text('amount.notEnough'))
  await fillWithdrawal(stage, '4.999999999999999999')
  await said(stage.text('withdraw.tooLittle', { minimum: '5', asset: 'USDT' }))
  // Dimmed, and still to be tapped: then it says what is missing.
  await stage.button('withdraw.next').click({ force: true })
  expect(await stage.dialog('withdraw.review').count()).toBe(0)
  expect(await stage.page.locator('[data-withdrawal]').count()).toBe(0)
})

journey(
  'a large one waits for two operators; one that is rejected gives the money back',
  withUsdt('60000'),
  async (stage) => {
    await signInInvited(stage, person)
    await payIn(stage, '50000')
    await openWithdrawal(stage)
    await fillWithdrawal(stage, '26000')
    await stage.page.getByText(stage.text('withdraw.needsReview')).waitFor()
    await stage.button('withdraw.next').click()
    await stage.button('withdraw.confirm', stage.dialog('withdraw.review')).click()
    await waitForWithdrawal(stage, 'review')
    const approve = async (operator: string) => {
      const number = (await newestWithdrawal(stage).getAttribute('data-withdrawal')) ?? ''
      return operate(product().databaseUrl, operator, 'withdrawal', 'approve', number)
    }
    await approve('ada')
    // The same name twice is one opinion.
    await expect(approve('ada')).rejects.toThrow(/ada/)
    expect(await newestWithdrawal(stage).getAttribute('data-state')).toBe('review')
    await approve('grace')
    await waitForWithdrawal(stage, 'done')
    expect(await inWallet()).toBe(parseEther('35999'))

    await askToWithdraw(stage, '12000')
    await stage.button('withdraw.confirm', stage.dialog('withdraw.review')).click()
    await expect.poll(() => newestWithdrawal(stage).innerText()).toContain('12,000')
    await waitForWithdrawal(stage, 'review')
    const number = (await newestWithdrawal(stage).getAttribute('data-withdrawal')) ?? ''
    await operate(product().databaseUrl, 'ada', 'withdrawal', 'reject', number, '--note', 'please write to us first')
    await waitForWithdrawal(stage, 'rejected')
    const card = await newestWithdrawal(stage).innerText()
    expect(card).toContain(stage.text('withdraw.reason.operator'))
    expect(card).toContain('please write to us first')
    expect(card).toContain(stage.text('withdraw.moneyBack', { amount: '12,000', asset: 'USDT' }))
    // What stands above the list follows it.
    await expect.poll(() => stage.page.locator('.amount-input-head:visible').innerText()).toContain('24,000')
    expect(await inWallet()).toBe(parseEther('35999'))
    await stage.open('#/mine')
    await expect.poll(() => stage.page.locator('[data-asset="USDT"]').innerText()).toContain('24,000')
    await expectBooksToAgree(product())
  },
)

journey('a pause is said, and the next comparison that agrees ends it', withUsdt('100'), async (stage) => {
  await signInInvited(stage, person)
  await payIn(stage, '60')
  await openWithdrawal(stage)
  const said = stage.page.getByText(stage.text('withdraw.pausedText'))
  // A comparison of the service's own may come right behind ours.
  await expect
    .poll(
      async () => {
        await pause()
        await stage.page.reload()
        await stage.page.getByRole('heading', { name: stage.text('withdraw.records') }).waitFor()
        await stage.page.getByText(stage.text('withdraw.minimum', { minimum: '5', asset: 'USDT' })).waitFor()
        return said.count()
      },
      { timeout: 40_000 },
    )
    .toBe(1)
  expect(await stage.button('withdraw.next').isDisabled()).toBe(true)
  // The service compares every few seconds.
  await said.waitFor({ state: 'detached', timeout: 90_000 })
  await askToWithdraw(stage, '10')
  await stage.button('withdraw.confirm', stage.dialog('withdraw.review')).click()
  await waitForWithdrawal(stage, 'done')
  await expectBooksToAgree(product())
})

/** What a comparison writes down that finds a difference for the third time. */
async function pause(): Promise<void> {
  const db = openDatabase({ url: product().databaseUrl, log: silentLog(), poolSize: 1 })
  try {
    await sql`insert into reconciliation (block_number, block_hash, at, paused, finding)
      select block_number, block_hash, now(), true, 'USDT differs' from reconciliation order by id desc limit 1`.execute(
      db,
    )
  } finally {
    await db.destroy()
  }
}

async function payIn(stage: Stage, amount: string): Promise<void> {
  await openDeposit(stage)
  await askToDeposit(stage, { asset: 'USDT', amount })
  await waitForDeposit(stage, 'credited')
}
