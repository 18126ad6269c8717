import { parseEther } from 'viem'
import { expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { balancesOf } from '../support/database.ts'
import { dropAnswers, ignoreDroppedRequests } from '@candela/testing/browser/gateway-calls'
import { expectReadable } from '@candela/testing/browser/judge-screen'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { openAnotherSession, shortAddress, signInInvited } from '../support/steps.ts'

const { product, journey } = journeysOf(sharedProduct('production'))

let alice: Newcomer
const aliceWithMoney = async () => {
  alice = await newcomer(product(), { ju: parseEther('50') })
  return { wallets: [alice.pageWallet] }
}

journey(
  'from one wallet to another by UID: signed, both see it, and the books agree',
  aliceWithMoney,
  async (session) => {
    await signInInvited(session, alice)
    await deposit(alice, '20')
    await withSomebodyElse(session, async (bob, bobsSession) => {
      const bobsUid = await uidOf(bobsSession)
      await openTransfer(session)
      const { dialog } = await fill(session, bobsUid, '2.5')
      const found = session.page.locator('.recipient-found')
      await found.getByText(shortAddress(bob.wallet.address)).waitFor()
      await session.button('transfer.next').click()
      expect(await dialog.innerText()).toContain(`UID ${bobsUid}`)
      await expectReadable(session)
      await session.button('transfer.sign', dialog).click()
      const done = session.dialog('transfer.doneTitle')
      await done.waitFor()
      expect(await done.innerText()).toContain('2.5 JU')
      await expectReadable(session)
      await session.button('command.close', done).click()

      const sent = session.page.locator('[data-transfer]')
      expect(await sent.first().innerText()).toContain('−2.5 JU')
      await session.page.getByText('17.5 JU').waitFor()
      const transferNo = await sent.first().getAttribute('data-transfer')

      await openTransfer(bobsSession)
      const received = bobsSession.page.locator(`[data-transfer="${transferNo}"][data-direction="in"]`)
      expect(await received.innerText()).toContain('+2.5 JU')
      expect(await received.innerText()).toContain(shortAddress(alice.wallet.address))
      await received.click()
      expect(await bobsSession.dialog('transfer.receivedFrom').innerText()).toContain(transferNo)
      expect(await balancesOf(product(), alice, bob)).toEqual(['17.5', '2.5'])
    })
    // Signing is all that the wallet was asked for: no transaction, no fee.
    expect(signaturesAsked()).toBe(1)
    expect(alice.wallet.calls).not.toContain('eth_sendTransaction')
    await expectBooksToAgree(product())
  },
)

journey(
  'what does not fit is said first; a refused signature moves nothing, and a lost answer moves it once',
  aliceWithMoney,
  async (session) => {
    await signInInvited(session, alice)
    await deposit(alice, '20')
    await withSomebodyElse(session, async (bob) => {
      await openTransfer(session)
      const said = (text: string) => session.page.locator('.field-error').getByText(text, { exact: false }).waitFor()
      const { recipient, amount, dialog } = await fill(session, '0x00000000000000000000000000000000000000aa', '2.5')
      // The server's error text, in the language of the page.
      await said('收款方尚未註冊')
      await recipient.fill(alice.wallet.address)
      await said(session.text('transfer.toSelf'))
      await recipient.fill(bob.wallet.address)
      await session.page.locator('.recipient-found code').waitFor()
      await amount.fill('30000.000000000000000001')
      await said(session.text('amount.notEnough'))
      // All of it is seen, also while it is typed.
      expect(await amount.evaluate((input) => input.scrollWidth <= input.clientWidth)).toBe(true)
      await amount.fill('0.1')
      await said('1 USDT')
      await amount.fill('2,5')
      await said(session.text('amount.separators'))
      await session.page.getByRole('button', { name: '2.5', exact: true }).click()
      expect(await amount.inputValue()).toBe('2.5')

      alice.wallet.refuseNext('eth_signTypedData_v4')
      await session.button('transfer.next').click()
      await session.button('transfer.sign', dialog).click()
      await dialog.getByText(session.text('transfer.refused')).waitFor()
      expect(await balancesOf(product(), alice, bob)).toEqual(['20', '0'])
      expect(await session.page.locator('[data-transfer]').count()).toBe(0)

      const asked = signaturesAsked()
      // The server does it, and its answer is lost.
      await dropAnswers(session)
      await session.button('transfer.sign', dialog).click()
      await session.dialog('pending.title').getByText(session.text('pending.looking')).waitFor()
      expect(await balancesOf(product(), alice, bob)).toEqual(['17.5', '2.5'])
      await session.page.unrouteAll({ behavior: 'wait' })
      await session.dialog('transfer.doneTitle').waitFor()
      expect(await balancesOf(product(), alice, bob)).toEqual(['17.5', '2.5'])
      expect(signaturesAsked() - asked).toBe(1)
    })
    ignoreDroppedRequests(session)
    await expectBooksToAgree(product())
  },
)

journey(
  'an input method is not fought: what it composes stays, and is read when it is done',
  aliceWithMoney,
  async (session) => {
    await signInInvited(session, alice)
    await openTransfer(session)
    const amount = session.page.getByLabel(session.text('transfer.amount'), { exact: true })
    await amount.focus()
    const device = await session.page.context().newCDPSession(session.page)
    for (const text of ['１', '１２', '１２。', '１２。５']) {
      await device.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
      expect(await amount.inputValue()).toBe(text)
      expect(await amount.getAttribute('aria-invalid')).toBe('false')
    }
    await device.send('Input.insertText', { text: '１２。５' })
    expect(await amount.inputValue()).toBe('１２。５')
    // She has nothing yet, so this is too much: it was read as twelve and a half.
    await session.page.locator('.field-error').getByText(session.text('amount.notEnough')).waitFor()
    await amount.fill('')
    await device.send('Input.imeSetComposition', { text: 'yi', selectionStart: 2, selectionEnd: 2 })
    expect(await amount.getAttribute('aria-invalid')).toBe('false')
    await device.send('Input.insertText', { text: '一' })
    await session.page.locator('.field-error').getByText(session.text('amount.notANumber')).waitFor()
  },
)

const signaturesAsked = (): number => alice.wallet.calls.filter((method) => method === 'eth_signTypedData_v4').length

async function openTransfer(session: BrowserSession): Promise<void> {
  await session.open('#/transfer')
  await session.page.getByRole('heading', { name: session.text('route.transfer'), exact: true }).waitFor()
}

/** Types whom and how much of the native currency. */
async function fill(session: BrowserSession, to: string, howMuch: string) {
  await session.page.getByRole('radio', { name: 'JU', exact: true }).check()
  const recipient = session.page.getByLabel(session.text('transfer.recipient'), { exact: true })
  const amount = session.page.getByLabel(session.text('transfer.amount'), { exact: true })
  await recipient.fill(to)
  // Before the balance is loaded no amount counts as too much.
  await session.page.getByText('20 JU').waitFor()
  await amount.fill(howMuch)
  return { recipient, amount, dialog: session.dialog('transfer.review') }
}

async function deposit(who: Newcomer, ju: string): Promise<void> {
  await payIn(product(), who, ju)
  await expect.poll(() => balancesOf(product(), who)).toEqual([ju])
}

/** Somebody else, signed in with a browser of their own. */
async function withSomebodyElse(
  session: BrowserSession,
  run: (who: Newcomer, theirs: BrowserSession) => Promise<void>,
): Promise<void> {
  const who = await newcomer(product())
  await using theirs = await openAnotherSession(session, { wallets: [who.pageWallet] })
  await signInInvited(theirs, who)
  await run(who, theirs)
  expect(theirs.problems).toEqual([])
}

async function uidOf(session: BrowserSession): Promise<string> {
  const uid = session.page.getByText(/^UID \d+$/).first()
  return (await uid.innerText()).replace('UID ', '')
}
