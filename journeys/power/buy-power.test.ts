import { GATEWAY_PATH } from '@candela/protocol/envelope'
import { parseEther } from 'viem'
import { describe, expect, test } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { filesWith } from '../support/built-files.ts'
import { journeysOf } from '../support/journey.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import { CONFIRMATIONS } from '../support/product.ts'
import type { Stage } from '../support/browser-session.ts'
import {
  askToBuy,
  expectPowerAtHome,
  expectSignedIn,
  forgetEverything,
  newestOrder,
  signInInvited,
  waitForOrder,
} from '../support/steps.ts'

const { product, journey } = journeysOf('production')

let person: Newcomer
const aNewcomer = async () => {
  person = await newcomer(product().rpcUrl, { ju: parseEther('50') })
  return { wallets: [person.pageWallet] }
}

describe('buying power, through the production build with the envelope on', () => {
  journey(
    'invited, signed in, paid, confirmed, active: the power shows in the order and at home',
    aNewcomer,
    async (stage) => {
      await signInInvited(stage, person)
      const letGo = person.wallet.holdPayments()
      await askToBuy(stage)
      await stage.toast('pay.confirming').waitFor()
      // While the wallet is still asking, the order waits for its payment: seen from a second tab.
      await expectPendingInSecondTab(stage)
      letGo()
      await expect.poll(() => stage.path()).toMatch(/^\/order\?no=/)
      expect(await waitForOrder(stage, 'confirming')).not.toContain('active')
      const progress = newestOrder(stage).getByRole('progressbar')
      const counts = Array.from({ length: CONFIRMATIONS }, (_, done) =>
        stage.text('pay.confirmations', { done, needed: CONFIRMATIONS }),
      )
      expect(counts).toContain(await progress.getAttribute('aria-label'))
      await stage.page.locator('.toast').waitFor({ state: 'hidden' })
      expect(await stage.toasts()).toEqual([stage.text('pay.confirming'), stage.text('pay.onChain')])
      await waitForOrder(stage, 'active')
      expect(await newestOrder(stage).innerText()).toContain('1 T')
      await expectPowerAtHome(stage, '1 T')
      expect(person.wallet.sent).toHaveLength(1)
      expectOnlyTheGateway(stage)
      await expectBooksToAgree(product())
    },
  )

  journey(
    'refused, then reverted, then paid: each failure is said and the order stays payable',
    aNewcomer,
    async (stage) => {
      await signInInvited(stage, person)
      person.wallet.refuseNext('eth_sendTransaction')
      await askToBuy(stage)
      await stage.toast('pay.failed').waitFor()
      expect(person.wallet.sent).toEqual([])
      await waitForOrder(stage, 'pending')
      const orderNo = await newestOrder(stage).getAttribute('data-order')

      person.wallet.failNextPayment('revert')
      await stage.button('order.pay', newestOrder(stage)).click()
      await stage.toast('pay.failed').waitFor({ state: 'hidden' })
      await stage.toast('pay.failed').waitFor()
      expect(person.wallet.sent).toHaveLength(1)
      expect(await newestOrder(stage).getAttribute('data-state')).toBe('pending')

      // Any device can pay, also one that knows nothing of the order but its place in the list.
      await forgetEverything(stage)
      await stage.connectButton().click()
      await expectSignedIn(stage, person.wallet.address)
      await stage.open('#/order')
      await stage.button('order.pay', newestOrder(stage)).click()
      await waitForOrder(stage, 'active')
      expect(await newestOrder(stage).getAttribute('data-order')).toBe(orderNo)
      expect(await stage.page.locator('[data-order]').count()).toBe(1)
      expect(person.wallet.sent).toHaveLength(2)
      await expectBooksToAgree(product())
    },
  )

  journey('a reload in mid-confirmation: the order carries on, and cannot be paid twice', aNewcomer, async (stage) => {
    await signInInvited(stage, person)
    await askToBuy(stage)
    await expect.poll(() => stage.path()).toMatch(/^\/order\?no=/)
    await stage.page.reload()
    expect(await waitForOrder(stage, 'confirming')).not.toContain('active')
    expect(await stage.button('order.pay').count()).toBe(0)
    await stage.page.reload()
    await waitForOrder(stage, 'active')
    await expectPowerAtHome(stage, '1 T')
    expect(person.wallet.sent).toHaveLength(1)
    await expectBooksToAgree(product())
  })

  test('plain routes are refused', async () => {
    for (const route of ['home/public', 'power/plans', 'user/info'])
      expect((await fetch(`${product().origin}/api/v1/${route}`)).status).toBe(404)
  })

  test('the production build holds no byte of the demo wallet', async () => {
    const marks = ['demo-wallet', 'Demo wallet', 'test test test', 'dw-sheet']
    expect(await filesWith(marks, 'dist')).toEqual([])
  })
})

async function expectPendingInSecondTab(stage: Stage): Promise<void> {
  const tab = await stage.page.context().newPage()
  await tab.goto(stage.page.url().replace(/#.*/, '#/order'))
  await tab.locator('[data-state="pending"]').getByText(stage.text('order.state.pending')).waitFor()
  await tab.close()
}

function expectOnlyTheGateway(stage: Stage): void {
  const calls = stage.requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)
  expect(new Set(calls.filter((call) => call.includes('/api/')))).toEqual(new Set([`POST ${GATEWAY_PATH}`]))
  const origins = new Set(stage.requests.map(({ url }) => new URL(url).origin).filter((origin) => origin !== 'null'))
  expect(origins).toEqual(new Set([product().origin]))
}
