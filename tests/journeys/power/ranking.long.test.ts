import { parseEther } from 'viem'
import { expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { journeysOf, ownProduct } from '../support/journey.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { waitUntil } from '@candela/testing/browser/wait-until'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { askToBuy, openAnotherSession, signInInvited, waitForOrder } from '../support/steps.ts'

// The lists show everybody who has bought.
const { product, journey } = journeysOf(ownProduct({ mode: 'production' }))

let ada: Newcomer
const adaAlone = async () => {
  ada = await newcomer(product(), { ju: parseEther('1') })
  return { wallets: [ada.pageWallet] }
}

/** The cheapest plan's least order. */
const PRICE = 20

journey(
  'two levels of friends buy: both lists show everybody’s place and what it is made of',
  adaAlone,
  async (session) => {
    await signInInvited(session, ada)
    await session.open('#/invitation')
    await session.page.getByText(session.text('friends.waits')).waitFor()
    await payIn(product(), ada, '0.2')
    const adasCode = await codeOf(session)
    await someone(session, adasCode, async (bob) => {
      await buy(bob)
      const bobsCode = await codeOf(bob)
      await someone(session, adasCode, buy)
      await someone(session, bobsCode, buy)
      // Bob: his own and his friend's today; his team has one branch only.
      await openList(bob)
      await expect.poll(() => own(bob).innerText()).toContain(usdt(2 * PRICE))
      expect(await parts(bob)).toEqual([usdt(PRICE), usdt(PRICE)])
      await bob.button('list.team').click()
      await own(bob).getByText(bob.text('list.noPlace')).waitFor()
      expect(await parts(bob)).toEqual([usdt(PRICE), usdt(PRICE)])
    })
    // Ada: nothing of her own, two direct friends today; of her team of three the larger branch is left out.
    await openList(session)
    await expect.poll(() => own(session).getAttribute('data-rank')).toBe('1')
    expect(await parts(session)).toEqual([usdt(0), usdt(2 * PRICE)])
    expect(await places(session)).toEqual(['1', '1', '3', '3'])
    await expectAge(session)
    await own(session).getByRole('button').click()
    await session.dialog('list.amount').getByText(session.text('list.todayFrom')).waitFor()
    await session.page.keyboard.press('Escape')

    await session.button('list.team').click()
    await expect.poll(() => parts(session)).toEqual([usdt(3 * PRICE), usdt(2 * PRICE)])
    expect(await own(session).innerText()).toContain(usdt(PRICE))
    expect(await places(session)).toEqual(['1'])
    await expectAge(session)
    await expectBooksToAgree(product())
  },
)

const usdt = (amount: number) => `${amount} USDT`
const own = (session: BrowserSession) => session.page.locator('.own-rank')
const parts = (session: BrowserSession) => own(session).locator('dd').allInnerTexts()
const places = (session: BrowserSession) => session.page.locator('.place').allInnerTexts()

/** The list says up to when purchases are counted, by the server's time. */
async function expectAge(session: BrowserSession): Promise<void> {
  const [before, after] = session.text('list.countedUntil', { time: '|' }).split('|')
  const said = await session.page.locator('.counted-until').innerText()
  expect(said).toMatch(new RegExp(`^${before}.*\\d{1,2}:\\d{2}.*${after}$`))
}

async function openList(session: BrowserSession): Promise<void> {
  await session.open('#/list')
  await own(session).waitFor()
}

async function codeOf(session: BrowserSession): Promise<string> {
  await session.open('#/invitation')
  const code = session.page.locator('.own-code-text')
  await waitUntil('the code is open', async () => {
    await session.page.reload()
    await session.page.locator('.own-code, .no-code').waitFor()
    return code.isVisible()
  })
  return code.innerText()
}

async function buy(session: BrowserSession): Promise<void> {
  await session.open('#/index')
  await askToBuy(session)
  await waitForOrder(session, 'active')
}

/** A newcomer with money of the chain, in a browser of their own, who came by this code. */
async function someone(
  session: BrowserSession,
  code: string,
  act: (theirs: BrowserSession) => Promise<void>,
): Promise<void> {
  const person = await newcomer(product(), { ju: parseEther('20') })
  await using theirs = await openAnotherSession(session, { wallets: [person.pageWallet] })
  await signInInvited(theirs, person, code)
  await act(theirs)
  expect(theirs.problems).toEqual([])
}
