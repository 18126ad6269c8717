import { parseEther } from 'viem'
import { expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { journeysOf } from '../support/journey.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import { openStage, type Stage } from '../support/browser-session.ts'
import { askToBuy, signInInvited, waitForOrder } from '../support/steps.ts'

const { product, journey } = journeysOf('production')

let ada: Newcomer
const adaAlone = async () => {
  ada = await newcomer(product().rpcUrl)
  return { wallets: [ada.pageWallet] }
}

/** The cheapest plan's least order. */
const PRICE = 20

journey(
  'two levels of friends buy: both lists show everybody’s place and what it is made of',
  adaAlone,
  async (stage) => {
    await signInInvited(stage, ada)
    const adasCode = await codeOf(stage)
    await someone(stage, adasCode, async (bob) => {
      const bobsCode = await codeOf(bob)
      await buy(bob)
      await someone(stage, adasCode, buy)
      await someone(stage, bobsCode, buy)
      // Bob: his own and his friend's today; his team has one branch only.
      await openList(bob)
      await expect.poll(() => own(bob).innerText()).toContain(usdt(2 * PRICE))
      expect(await parts(bob)).toEqual([usdt(PRICE), usdt(PRICE)])
      await bob.button('list.team').click()
      await own(bob).getByText(bob.text('list.noPlace')).waitFor()
      expect(await parts(bob)).toEqual([usdt(PRICE), usdt(PRICE)])
    })
    // Ada: nothing of her own, two direct friends today; of her team of three the larger branch is left out.
    await openList(stage)
    await expect.poll(() => own(stage).getAttribute('data-rank')).toBe('1')
    expect(await parts(stage)).toEqual([usdt(0), usdt(2 * PRICE)])
    expect(await places(stage)).toEqual(['1', '1', '3', '3'])
    await own(stage).getByRole('button').click()
    await stage.dialog('list.amount').getByText(stage.text('list.todayFrom')).waitFor()
    await stage.page.keyboard.press('Escape')

    await stage.button('list.team').click()
    await expect.poll(() => parts(stage)).toEqual([usdt(3 * PRICE), usdt(2 * PRICE)])
    expect(await own(stage).innerText()).toContain(usdt(PRICE))
    expect(await places(stage)).toEqual(['1'])
    await expectBooksToAgree(product())
  },
)

const usdt = (amount: number) => `${amount} USDT`
const own = (stage: Stage) => stage.page.locator('.own-rank')
const parts = (stage: Stage) => own(stage).locator('dd').allInnerTexts()
const places = (stage: Stage) => stage.page.locator('.place').allInnerTexts()

async function openList(stage: Stage): Promise<void> {
  await stage.open('#/list')
  await own(stage).waitFor()
}

async function codeOf(stage: Stage): Promise<string> {
  await stage.open('#/invitation')
  return stage.page.locator('.own-code-text').innerText()
}

async function buy(stage: Stage): Promise<void> {
  await stage.open('#/index')
  await askToBuy(stage)
  await waitForOrder(stage, 'active')
}

/** A newcomer with money of the chain, in a browser of their own, who came by this code. */
async function someone(stage: Stage, code: string, act: (theirs: Stage) => Promise<void>): Promise<void> {
  const person = await newcomer(product().rpcUrl, { ju: parseEther('20') })
  const browser = stage.page.context().browser()
  if (browser === null) throw new Error('The page has no browser')
  const theirs = await openStage({ browser, origin: product().origin, wallets: [person.pageWallet] })
  try {
    await signInInvited(theirs, person, code)
    await act(theirs)
    expect(theirs.problems).toEqual([])
  } finally {
    await theirs.close()
  }
}
