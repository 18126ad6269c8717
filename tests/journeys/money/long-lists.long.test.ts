import { addMember, WHOLE } from '@candela/server/modules/power/testing'
import { transaction } from '@candela/server/db/open'
import { systemClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { postBatch } from '@candela/server/ledger/post'
import { transferPosting } from '@candela/server/modules/transfer/postings'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect } from 'vitest'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { balancesOf, memberIdOf, withDatabase } from '../support/database.ts'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { signInInvited } from '../support/steps.ts'

const { product, journey } = journeysOf(sharedProduct('production'))

/** Twelve pages. */
const LINES = 240
const MAX_NODES = 800

let alice: Newcomer

journey(
  'a long statement has few elements however far it is scrolled, keeps the focus, and says which line is which',
  async () => {
    alice = await newcomer(product(), { ju: parseEther('10') })
    return { wallets: [alice.pageWallet] }
  },
  async (session) => {
    await signInInvited(session, alice)
    await payIn(product(), alice, '5')
    await expect.poll(() => balancesOf(product(), alice)).toEqual(['5'])
    await sendOften()
    await session.open('#/statement')
    const { page } = session
    await lineAt(session, 1).waitFor()

    // A person who goes through it with the keyboard goes line by line.
    await lineAt(session, 1).getByRole('button').focus()
    for (let line = 2; line <= 25; line++) {
      await lineAt(session, line).waitFor({ state: 'attached' })
      await page.keyboard.press('Tab')
      expect(await focusedLine(session)).toBe(line)
    }
    // The line that has the focus stays, however far it is scrolled away.
    const largest = await scrollToEnd(session)
    expect(largest).toBeLessThanOrEqual(MAX_NODES)
    expect(await focusedLine(session)).toBe(25)
    // The payment that was sent in is the oldest of the lines.
    const last = lineAt(session, LINES + 1)
    expect(await last.getAttribute('aria-setsize')).toBe(String(LINES + 1))
    expect(await last.innerText()).toContain('+5')
    const shown = await page.locator('ul.list > li').evaluateAll((all) => all.map((one) => Number(one.ariaPosInSet)))
    expect(shown).toEqual(shown.toSorted((a, b) => a - b))
    expect(shown).not.toContain(100)
    await page.keyboard.press('Tab')
    expect(await focusedLine(session)).toBe(26)
  },
)

const lineAt = (session: BrowserSession, line: number) => session.page.locator(`ul.list > li[aria-posinset="${line}"]`)

const focusedLine = (session: BrowserSession): Promise<number> =>
  session.page.evaluate(() =>
    Number(
      (
        globalThis as unknown as {
          document: { activeElement: { closest(selector: string): { ariaPosInSet: string } | null } }
        }
      ).document.activeElement.closest('li')?.ariaPosInSet,
    ),
  )

/** Scrolls until the last line is there. @returns the largest number of elements that the page had meanwhile */
async function scrollToEnd(session: BrowserSession): Promise<number> {
  let largest = 0
  await expect
    .poll(async () => {
      await session.page.mouse.wheel(0, 1_500)
      const elements = await session.page.locator('body *').count()
      largest = Math.max(largest, elements)
      return lineAt(session, LINES + 1).count()
    })
    .toBe(1)
  return largest
}

/** Alice sends a hundredth of a JU to somebody, again and again. */
async function sendOften(): Promise<void> {
  await withDatabase(product(), async (db) => {
    const ids = systemIds(systemClock)
    const stranger = privateKeyToAddress(generatePrivateKey()).toLowerCase()
    await addMember(db, stranger)
    const memberId = await memberIdOf(db, alice)
    const rows = await db
      .selectFrom('member')
      .select(['id', 'uid', 'address'])
      .where('address', 'in', [alice.wallet.address, stranger])
      .execute()
    const partyOf = (row: (typeof rows)[number]) => ({ ...row, address: row.address as `0x${string}` })
    const [sender, recipient] = [rows.find(({ id }) => id === memberId), rows.find(({ id }) => id !== memberId)]
    if (sender === undefined || recipient === undefined) throw new Error('There is nobody to send to')
    const postings = Array.from({ length: LINES }, () =>
      transferPosting(
        {
          transferNo: ids.orderNumber(),
          sender: partyOf(sender),
          recipient: partyOf(recipient),
          asset: 'JU',
          amount: WHOLE / 100n,
          requestId: ids.uuid(),
          deadline: systemClock.now(),
          signature: '0x00',
        },
        systemClock.now(),
      ),
    )
    const outcomes = await transaction(db, (tx) => postBatch(tx, postings))
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['posted']))
  })
}
