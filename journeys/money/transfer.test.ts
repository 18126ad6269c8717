import { fromBaseUnits } from '@candela/protocol/money'
import { silentLog } from '@candela/server/kernel/log'
import { openDatabase } from '@candela/server/db/open'
import { memberBalances } from '@candela/server/ledger/balances'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { journeysOf } from '../support/journey.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { openStage, type Stage } from '../support/browser-session.ts'
import { shortAddress, signInInvited } from '../support/steps.ts'

const { product, journey } = journeysOf('production')

let alice: Newcomer
const aliceWithMoney = async () => {
  alice = await newcomer(product().rpcUrl, { ju: parseEther('50') })
  return { wallets: [alice.pageWallet] }
}

journey(
  'from one wallet to another by UID: signed, both see it, and the books agree',
  aliceWithMoney,
  async (stage) => {
    await signInInvited(stage, alice)
    await deposit(alice, '20')
    await withSomebodyElse(stage, async (bob, bobsStage) => {
      const bobsUid = await uidOf(bobsStage)
      await openTransfer(stage)
      const { dialog } = await fill(stage, bobsUid, '2.5')
      const found = stage.page.locator('.recipient-found')
      await found.getByText(shortAddress(bob.wallet.address)).waitFor()
      await stage.button('transfer.next').click()
      expect(await dialog.innerText()).toContain(`UID ${bobsUid}`)
      await stage.button('transfer.sign', dialog).click()
      const done = stage.dialog('transfer.doneTitle')
      await done.waitFor()
      expect(await done.innerText()).toContain('2.5 JU')
      await stage.button('command.close', done).click()

      const sent = stage.page.locator('[data-transfer]')
      expect(await sent.first().innerText()).toContain('−2.5 JU')
      await stage.page.getByText('17.5 JU').waitFor()
      const transferNo = await sent.first().getAttribute('data-transfer')

      await openTransfer(bobsStage)
      const received = bobsStage.page.locator(`[data-transfer="${transferNo}"][data-direction="in"]`)
      expect(await received.innerText()).toContain('+2.5 JU')
      expect(await received.innerText()).toContain(shortAddress(alice.wallet.address))
      await received.click()
      expect(await bobsStage.dialog('transfer.receivedFrom').innerText()).toContain(transferNo)
      expect(await balancesOf(alice, bob)).toEqual(['17.5', '2.5'])
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
  async (stage) => {
    await signInInvited(stage, alice)
    await deposit(alice, '20')
    await withSomebodyElse(stage, async (bob) => {
      await openTransfer(stage)
      const said = (text: string) => stage.page.locator('.field-error').getByText(text, { exact: false }).waitFor()
      const { recipient, amount, dialog } = await fill(stage, '0x00000000000000000000000000000000000000aa', '2.5')
      // The server's own words, in the language of the page.
      await said('收款方尚未註冊')
      await recipient.fill(alice.wallet.address)
      await said(stage.text('transfer.toSelf'))
      await recipient.fill(bob.wallet.address)
      await stage.page.locator('.recipient-found code').waitFor()
      await amount.fill('20.000000000000000001')
      await said(stage.text('amount.notEnough'))
      await amount.fill('0.1')
      await said('1 USDT')
      await amount.fill('2,5')
      await said(stage.text('amount.separators'))
      await stage.page.getByRole('button', { name: '2.5', exact: true }).click()
      expect(await amount.inputValue()).toBe('2.5')

      alice.wallet.refuseNext('eth_signTypedData_v4')
      await stage.button('transfer.next').click()
      await stage.button('transfer.sign', dialog).click()
      await dialog.getByText(stage.text('transfer.refused')).waitFor()
      expect(await balancesOf(alice, bob)).toEqual(['20', '0'])
      expect(await stage.page.locator('[data-transfer]').count()).toBe(0)

      const asked = signaturesAsked()
      // The server does it, and the line breaks before it can say so.
      await stage.page.route('**/api/**', async (route) => {
        await route.fetch()
        await route.abort()
      })
      await stage.button('transfer.sign', dialog).click()
      await dialog.getByText(stage.text('transfer.unanswered')).waitFor()
      expect(await balancesOf(alice, bob)).toEqual(['17.5', '2.5'])
      await stage.page.unroute('**/api/**')
      await stage.page.reload()
      await stage.button('command.askAgain', dialog).click()
      await stage.dialog('transfer.doneTitle').waitFor()
      expect(await balancesOf(alice, bob)).toEqual(['17.5', '2.5'])
      expect(signaturesAsked() - asked).toBe(1)
    })
    // What the broken line made the browser say is what was played here.
    stage.problems.splice(0, stage.problems.length, ...stage.problems.filter((line) => !line.includes('ERR_FAILED')))
    await expectBooksToAgree(product())
  },
)

journey(
  'an input method is not fought: what it composes stays, and is read when it is done',
  aliceWithMoney,
  async (stage) => {
    await signInInvited(stage, alice)
    await openTransfer(stage)
    const amount = stage.page.getByLabel(stage.text('transfer.amount'), { exact: true })
    await amount.focus()
    const device = await stage.page.context().newCDPSession(stage.page)
    for (const text of ['１', '１２', '１２。', '１２。５']) {
      await device.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
      expect(await amount.inputValue()).toBe(text)
      expect(await amount.getAttribute('aria-invalid')).toBe('false')
    }
    await device.send('Input.insertText', { text: '１２。５' })
    expect(await amount.inputValue()).toBe('１２。５')
    // She has nothing yet, so this is too much: it was read as twelve and a half.
    await stage.page.locator('.field-error').getByText(stage.text('amount.notEnough')).waitFor()
    await amount.fill('')
    await device.send('Input.imeSetComposition', { text: 'yi', selectionStart: 2, selectionEnd: 2 })
    expect(await amount.getAttribute('aria-invalid')).toBe('false')
    await device.send('Input.insertText', { text: '一' })
    await stage.page.locator('.field-error').getByText(stage.text('amount.notANumber')).waitFor()
  },
)

const signaturesAsked = (): number => alice.wallet.calls.filter((method) => method === 'eth_signTypedData_v4').length

async function openTransfer(stage: Stage): Promise<void> {
  await stage.open('#/transfer')
  await stage.page.getByRole('heading', { name: stage.text('route.transfer'), exact: true }).waitFor()
}

/** Types whom and how much of the native currency. */
async function fill(stage: Stage, to: string, howMuch: string) {
  await stage.page.getByRole('radio', { name: 'JU', exact: true }).check()
  const recipient = stage.page.getByLabel(stage.text('transfer.recipient'), { exact: true })
  const amount = stage.page.getByLabel(stage.text('transfer.amount'), { exact: true })
  await recipient.fill(to)
  // Until the balance is here, nothing is more than there is.
  await stage.page.getByText('20 JU').waitFor()
  await amount.fill(howMuch)
  return { recipient, amount, dialog: stage.dialog('transfer.review') }
}

async function deposit(who: Newcomer, ju: string): Promise<void> {
  await payIn(product(), who, ju)
  await expect.poll(() => balancesOf(who), { timeout: 40_000, interval: 250 }).toEqual([ju])
}

/** Somebody else, signed in with a browser of their own. */
async function withSomebodyElse(stage: Stage, play: (who: Newcomer, theirs: Stage) => Promise<void>): Promise<void> {
  const who = await newcomer(product().rpcUrl)
  const browser = stage.page.context().browser()
  if (browser === null) throw new Error('The page has no browser')
  const theirs = await openStage({ browser, origin: product().origin, wallets: [who.pageWallet] })
  try {
    await signInInvited(theirs, who)
    await play(who, theirs)
    expect(theirs.problems).toEqual([])
  } finally {
    await theirs.close()
  }
}

async function uidOf(stage: Stage): Promise<string> {
  const uid = stage.page.getByText(/^UID \d+$/).first()
  return (await uid.innerText()).replace('UID ', '')
}

/** Available JU of members, as the books have it. */
async function balancesOf(...people: Newcomer[]): Promise<string[]> {
  const db = openDatabase({ url: product().databaseUrl, log: silentLog(), poolSize: 1 })
  try {
    const balances: string[] = []
    for (const { wallet } of people) {
      const { id } = await db
        .selectFrom('member')
        .select('id')
        .where('address', '=', wallet.address)
        .executeTakeFirstOrThrow()
      balances.push(fromBaseUnits((await memberBalances(db, id)).JU.available))
    }
    return balances
  } finally {
    await db.destroy()
  }
}
