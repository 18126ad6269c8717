import { readFile } from 'node:fs/promises'
import { addMember, WHOLE } from '@candela/server/modules/power/testing'
import { transaction } from '@candela/server/db/open'
import { systemClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { post } from '@candela/server/ledger/post'
import { readPauseReason } from '@candela/server/modules/reconcile/pause'
import { readStatement } from '@candela/server/modules/statement/read-statement'
import { transferPosting } from '@candela/server/modules/transfer/postings'
import { applyForWithdrawal } from '@candela/server/modules/withdraw/apply'
import { apiTexts } from '@candela/protocol/texts/api-texts'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { memberIdOf, withDatabase } from '../support/database.ts'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer, payIn, walletOf } from '../support/people.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { expectSignedIn, openAnotherSession, signInInvited, tokenOf } from '../support/steps.ts'

const { product, journey } = journeysOf(sharedProduct('production'))

let alice: Newcomer

/** "2026-03-01 12:00:00". */
const spreadsheetTime = (iso: string) => iso.slice(0, 19).replace('T', ' ')
const aliceWithMoney = async () => {
  alice = await newcomer(product(), { ju: parseEther('50') })
  return { wallets: [alice.pageWallet] }
}

journey(
  'a statement of several kinds: on the screen, filtered, opened, and the same as a file',
  aliceWithMoney,
  async (session) => {
    await signInInvited(session, alice)
    await moveMoney()
    await session.open('#/statement')
    const lines = session.page.locator('.statement-line')
    await expect.poll(() => lines.count()).toBe(6)
    const shown = await withDatabase(
      product(),
      async (db) => (await readStatement(db, await memberIdOf(db, alice), {}, 100)).items,
    )
    expect(new Set(shown.map(({ kind }) => kind))).toEqual(
      new Set(['deposit', 'transfer', 'withdrawal-hold', 'withdrawal']),
    )
    expect(await kindsOf(session)).toEqual(shown.map(({ kind }) => kind))
    // The newest available balance is what she has: 20 − 2 − 5.
    expect(shown.find(({ account }) => account === 'available')?.balance).toBe('13')

    // An arrow into a tray, whose tip is below its two ends.
    expect(await session.page.locator('.csv-button path').getAttribute('d')).toMatch(/l4 4 4-4/)
    const [file] = await Promise.all([
      session.page.waitForEvent('download'),
      session.button('statement.csv', session.page).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^candela-statement-\d{4}-\d\d-\d\d\.csv$/)
    const text = await readFile(await file.path(), 'utf8')
    expect(text.startsWith('\uFEFF入帳時間（UTC）,起息時間（UTC）,類型,')).toBe(true)
    const rows = text.trimEnd().split('\r\n').slice(1)
    // Behind the lines is the sum of each asset; the numbers have at most six decimals, and are the amounts here.
    expect(rows.slice(6)).toEqual([`${apiTexts.tw.csvSum},,,,JU,JU 13,13`])
    expect(rows.slice(0, 6).map((row) => row.split(','))).toEqual(
      shown.map(({ bookedAt, at, kind, isFee, account, asset, amount, balance, reference, counterparty, txHash }) => [
        spreadsheetTime(bookedAt),
        spreadsheetTime(at),
        isFee ? apiTexts.tw.withdrawalFee : apiTexts.tw.postings[kind],
        account === 'held' ? '預留' : '可用',
        asset,
        `${asset} ${amount}`,
        amount,
        `${asset} ${balance}`,
        reference === null ? '' : `No. ${reference.no}`,
        counterparty === null ? '' : `UID ${counterparty.uid} ${counterparty.maskedAddress}`,
        txHash ?? '',
      ]),
    )
    // Whether the browser has saved it the page cannot know, so it says nothing of the kind, and offers other ways.
    const other = session.page.getByRole('dialog', { name: session.text('statement.csvDone', { lines: 6 }) })
    await session.button('keep.copy', other).waitFor()
    expect(await session.toasts()).toEqual([])
    await takeByLink(session, text)
    await session.button('ui.close', other).click()

    await session.button('statement.group.transfer').click()
    await expect.poll(() => kindsOf(session)).toEqual(['transfer'])
    await lines.first().click()
    const details = session.page.getByRole('dialog', { name: apiTexts.tw.postings.transfer })
    expect(await details.innerText()).toContain('−2 JU')
    await session.button('statement.open', details).click()
    await expect.poll(() => session.path()).toBe('/transfer')
    await session.page.goBack()
    await session.button('statement.group.all').click()
    await session.page.getByLabel(session.text('statement.asset'), { exact: true }).selectOption('HASH')
    await session.page.getByText(session.text('statement.emptyFilter')).waitFor()
    await expectBooksToAgree(product())
  },
)

journey('what happened is told, counted, opened and read', aliceWithMoney, async (session) => {
  await signInInvited(session, alice)
  await session.open('#/notices')
  await session.page.getByText(session.text('notice.empty')).waitFor()
  await moveMoney()
  await session.page.reload()
  await bell(session, 2).click()
  const notices = session.page.locator('.notice')
  await expect.poll(() => notices.count()).toBe(2)
  const kinds = await notices.evaluateAll((all) => all.map((one) => one.getAttribute('data-notice')))
  expect(kinds).toEqual(['withdrawalDone', 'deposit'])
  expect(await notices.nth(1).innerText()).toContain('20 JU')
  await notices.nth(1).click()
  await expect.poll(() => session.path()).toBe('/statement')
  await bell(session, 1).click()
  await expect.poll(() => session.page.locator('.notice[data-unread]').count()).toBe(1)
  await session.button('notice.readAll').click()
  await session.page.getByText(session.text('notice.allRead'), { exact: true }).waitFor()
  await session.page
    .getByRole('banner')
    .getByRole('button', { name: session.text('notice.bell'), exact: true })
    .waitFor()
})

journey(
  'a device is ended from another one, which says that it came, and is signed out',
  aliceWithMoney,
  async (session) => {
    await signInInvited(session, alice)
    const { pageWallet } = walletOf(product(), alice.account)
    await using other = await openAnotherSession(session, { wallets: [pageWallet] })
    await other.open()
    await other.connectButton().click()
    await expectSignedIn(other, alice.wallet.address)
    await session.open('#/devices')
    const devices = session.page.locator('.device')
    await expect.poll(() => devices.count()).toBe(2)
    expect(await devices.first().innerText()).toContain(session.text('device.this'))
    await session.page.reload()
    await bell(session, 1).click()
    await session.page.locator('[data-notice="newDevice"]').click()
    await expect.poll(() => session.path()).toBe('/devices')
    await devices.nth(1).getByRole('button').click()
    await session.waitForToast('device.ended')
    await expect.poll(() => devices.count()).toBe(1)
    // The device that was signed out learns it from the answer to its next call.
    await other.open('#/statement')
    await expect.poll(() => tokenOf(other)).toBeNull()
    await expect.poll(() => other.path()).toBe('/index')
    expect(await tokenOf(session)).toMatch(/.{20,}/)
  },
)

/** As in browsers inside apps: scripts may use neither. */
function refuseClipboardAndShare(): void {
  const { navigator } = globalThis as unknown as { navigator: { clipboard: object } }
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs inside of the page, with nothing around it
  const refuse = () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'))
  Object.defineProperty(navigator.clipboard, 'writeText', { value: refuse })
  Object.defineProperty(navigator, 'canShare', { value: () => true })
  Object.defineProperty(navigator, 'share', { value: refuse })
}

/** The same file in a browser that is not signed in, where the wallet's own saves none. */
async function takeByLink(session: BrowserSession, expected: string): Promise<void> {
  await session.button('keep.link').click()
  const field = session.page.locator('[data-file-link]')
  await field.waitFor()
  const link = await field.inputValue()
  await session.button('keep.show').click()
  expect(await session.page.locator('.keep-text').inputValue()).toBe(expected.replaceAll('\r\n', '\n'))
  await using other = await openAnotherSession(session, { language: 'en' })
  await other.page.goto(link)
  const sheet = other.dialog('file.title')
  await sheet.waitFor()
  // A person who sees the address later has no token.
  expect(other.page.url()).not.toContain(new URL(link).hash.split('=')[1])
  await other.page.evaluate(refuseClipboardAndShare)
  const [file] = await Promise.all([other.page.waitForEvent('download'), other.button('file.take', sheet).click()])
  expect(file.suggestedFilename()).toMatch(/^candela-statement-.*\.csv$/)
  expect(await readFile(await file.path(), 'utf8')).toBe(expected)
  expect(await tokenOf(other)).toBeNull()
  await other.button('keep.share', sheet).click()
  await sheet.getByText(other.text('keep.shareFailed')).waitFor()
  await other.button('keep.copy', sheet).click()
  await sheet.getByText(other.text('keep.copied')).waitFor()
  const field2 = other.page.locator('#pasted')
  await sheet.evaluate((dialog: { append(element: unknown): void }) => {
    const page = globalThis as unknown as { document: { createElement(name: string): { id: string } } }
    dialog.append(Object.assign(page.document.createElement('textarea'), { id: 'pasted' }))
  })
  await field2.focus()
  await other.page.keyboard.press('Control+V')
  expect(await field2.inputValue()).toBe(expected.replaceAll('\r\n', '\n'))
  // Only the gateway was asked, and no address has the token.
  expect(other.requests.filter(({ url }) => url.includes(new URL(link).hash.split('=')[1] ?? ''))).toEqual([])
  await other.page.goto('about:blank')
  await other.page.goto(link)
  await other.button('file.take', sheet).click()
  await sheet.getByText(other.text('file.over')).waitFor()
  expect(other.problems).toEqual([])
}

const bell = (session: BrowserSession, count: number) =>
  session.page
    .getByRole('banner')
    .getByRole('button', { name: session.text('notice.bellUnread', { count }), exact: true })

const kindsOf = (session: BrowserSession) =>
  session.page.locator('.statement-line').evaluateAll((all) => all.map((one) => one.getAttribute('data-kind')))

/** Alice pays 20 in, sends 2 to somebody and has 5 paid out by the running service. */
async function moveMoney(): Promise<void> {
  await payIn(product(), alice, '20')
  await withDatabase(product(), async (db) => {
    const ids = systemIds(systemClock)
    const memberId = await memberIdOf(db, alice)
    const kinds = async () => (await readStatement(db, memberId, {}, 100)).items.map(({ kind }) => kind)
    await expect.poll(kinds).toEqual(['deposit'])
    const stranger = privateKeyToAddress(generatePrivateKey()).toLowerCase()
    await addMember(db, stranger)
    const addresses = [alice.wallet.address, stranger]
    const members = db.selectFrom('member').select(['id', 'uid', 'address']).where('address', 'in', addresses)
    const parties = await members.execute()
    const partyOf = ({ id, uid, address }: (typeof parties)[number]) => ({ id, uid, address: address as `0x${string}` })
    const [sender, recipient] = [parties.find(({ id }) => id === memberId), parties.find(({ id }) => id !== memberId)]
    if (sender === undefined || recipient === undefined) throw new Error('There is nobody to send to')
    const transfer = {
      transferNo: ids.orderNumber(),
      sender: partyOf(sender),
      recipient: partyOf(recipient),
      asset: 'JU' as const,
      amount: 2n * WHOLE,
      requestId: ids.uuid(),
      deadline: systemClock.now(),
      signature: '0x00' as const,
    }
    await transaction(db, (tx) => post(tx, transferPosting(transfer, systemClock.now())))
    // Until its first comparison of books and chain the service pays nothing out.
    await expect.poll(() => readPauseReason(db, systemClock.now())).toBeNull()
    await applyForWithdrawal(
      {
        db,
        ids,
        confirmations: { normal: 1, large: 1, largeAbove: 0n },
      },
      { asset: 'JU', amount: 5n * WHOLE, requestId: ids.uuid() },
      { memberId, now: systemClock.now() },
    )
    await expect.poll(async () => (await kinds()).length).toBe(6)
  })
}
