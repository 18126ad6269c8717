import { erc20Abi } from '@candela/protocol/abi/erc20'
import { GATEWAY_PATH } from '@candela/protocol/envelope/envelope'
import { parseEther } from 'viem'
import { describe, expect, test } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { filesWith } from '../support/products/built-files.ts'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import { MANY_CONFIRMATIONS } from '../support/products/product.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import {
  askToBuy,
  expectPowerAtHome,
  expectSignedIn,
  forgetEverything,
  newestOrder,
  scrolled,
  scrollToEnd,
  signInInvited,
  waitForOrder,
} from '../support/steps.ts'

const { product, journey } = journeysOf(sharedProduct('production, many confirmations'))

let person: Newcomer
const aNewcomer = async () => {
  person = await newcomer(product(), { ju: parseEther('50') })
  return { wallets: [person.pageWallet] }
}

describe('buying power, through the production build with the envelope on', () => {
  journey(
    'invited, signed in, paid, confirmed, active: the power shows in the order and at home',
    aNewcomer,
    async (session) => {
      await signInInvited(session, person)
      const letGo = person.wallet.holdPayments()
      await askToBuy(session)
      await session.waitForToast('pay.confirming')
      // While the wallet is still asking, the order waits for its payment: seen from a second tab.
      await expectPendingInSecondTab(session)
      letGo()
      await expect.poll(() => session.path()).toMatch(/^\/order\?no=/)
      expect(await waitForOrder(session, 'confirming')).not.toContain('active')
      const progress = newestOrder(session).getByRole('progressbar')
      const counts = Array.from({ length: MANY_CONFIRMATIONS }, (_, done) =>
        session.text('pay.confirmations', { done, needed: MANY_CONFIRMATIONS }),
      )
      expect(counts).toContain(await progress.getAttribute('aria-label'))
      await session.page.locator('.toast').waitFor({ state: 'hidden' })
      expect(await session.toasts()).toEqual([session.text('pay.confirming'), session.text('pay.onChain')])
      await waitForOrder(session, 'active')
      expect(await newestOrder(session).innerText()).toContain('1 T')
      await expectPowerAtHome(session, '1 T')
      expect(person.wallet.sent).toHaveLength(1)
      expectOnlyTheGateway(session)
      await expectBooksToAgree(product())
    },
  )

  journey(
    'with USDT and exactly its approval; home shows the power as soon as the order is active',
    async () => {
      person = await newcomer(product(), { ju: parseEther('10'), usdt: parseEther('200') })
      return { wallets: [person.pageWallet] }
    },
    async (session) => {
      await withoutSlowPolling(session)
      await signInInvited(session, person)
      await session.page
        .getByRole('link', { name: session.text('home.buy'), exact: true })
        .first()
        .click()
      await session.page.getByRole('radio', { name: 'USDT', exact: true }).check()
      await session.page.locator('.pay-amount').getByText('USDT').waitFor()
      await session.page.setViewportSize({ width: 390, height: 480 })
      await scrollToEnd(session)
      await session.button('buy.pay').click()
      await expect.poll(() => session.path()).toMatch(/^\/order\?no=/)
      await waitForOrder(session, 'confirming')
      expect(await scrolled(session)).toBe(0)
      expect(await session.toasts()).toEqual(
        (['pay.approve', 'pay.approveOnChain', 'pay.confirming', 'pay.onChain'] as const).map((key) =>
          session.text(key),
        ),
      )
      await expectPowerAtHome(session, '0 T')
      await session.page.locator('.next-step').waitFor()
      await expectPowerAtHome(session, '1 T')
      await session.page.locator('.next-step').waitFor({ state: 'detached' })
      const allowance = await person.wallet.client.readContract({
        abi: erc20Abi,
        address: product().contracts.usdt,
        functionName: 'allowance',
        args: [person.wallet.address, product().contracts.gateway],
      })
      expect(allowance).toBe(0n)
      await expectBooksToAgree(product())
    },
  )

  journey(
    'refused, then reverted, then paid: each failure is said and the order stays payable',
    aNewcomer,
    async (session) => {
      await signInInvited(session, person)
      person.wallet.refuseNext('eth_sendTransaction')
      await askToBuy(session)
      await session.waitForToast('pay.refused')
      expect(person.wallet.sent).toEqual([])
      await waitForOrder(session, 'pending')
      const orderNo = await newestOrder(session).getAttribute('data-order')

      person.wallet.failNextPayment('revert')
      await session.button('order.pay', newestOrder(session)).click()
      await session.waitForToast('pay.reverted')
      expect(person.wallet.sent).toHaveLength(1)
      expect(await newestOrder(session).getAttribute('data-state')).toBe('pending')

      // Any device can pay, also one that knows nothing of the order but its place in the list.
      await forgetEverything(session)
      await session.connectButton().click()
      await expectSignedIn(session, person.wallet.address)
      await session.open('#/order')
      await session.button('order.pay', newestOrder(session)).click()
      await waitForOrder(session, 'active')
      expect(await newestOrder(session).getAttribute('data-order')).toBe(orderNo)
      expect(await session.page.locator('[data-order]').count()).toBe(1)
      expect(person.wallet.sent).toHaveLength(2)
      await expectBooksToAgree(product())
    },
  )

  journey(
    'a reload in mid-confirmation: the order carries on, and cannot be paid twice',
    aNewcomer,
    async (session) => {
      await signInInvited(session, person)
      await askToBuy(session)
      await expect.poll(() => session.path()).toMatch(/^\/order\?no=/)
      await session.page.reload()
      expect(await waitForOrder(session, 'confirming')).not.toContain('active')
      expect(await session.button('order.pay').count()).toBe(0)
      await session.page.reload()
      await waitForOrder(session, 'active')
      await expectPowerAtHome(session, '1 T')
      expect(person.wallet.sent).toHaveLength(1)
      await expectBooksToAgree(product())
    },
  )

  test('plain routes are refused', async () => {
    for (const route of ['home/public', 'power/plans', 'user/info'])
      expect((await fetch(`${product().origin}/api/v1/${route}`)).status).toBe(404)
  })

  test('the production build holds no byte of the demo wallet', async () => {
    const marks = ['demo-wallet', 'Demo wallet', 'test test test', 'dw-sheet']
    expect(await filesWith(marks, 'dist')).toEqual([])
  })
})

/** Takes the page's half-minute refreshes away, so that only what is told of a change is read again. */
const withoutSlowPolling = (session: BrowserSession) =>
  session.page.addInitScript(() => {
    const page = globalThis as unknown as {
      setInterval: (act: () => void, each_ms?: number, ...rest: unknown[]) => number
    }
    const repeat = page.setInterval.bind(page)
    page.setInterval = (act, each_ms, ...rest) => repeat(act, each_ms === 30_000 ? 100_000_000 : each_ms, ...rest)
  })

async function expectPendingInSecondTab(session: BrowserSession): Promise<void> {
  const tab = await session.page.context().newPage()
  await tab.goto(session.page.url().replace(/#.*/, '#/order'))
  await tab.locator('[data-state="pending"]').getByText(session.text('order.state.pending')).waitFor()
  await tab.close()
}

function expectOnlyTheGateway(session: BrowserSession): void {
  const calls = session.requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)
  expect(new Set(calls.filter((call) => call.includes('/api/')))).toEqual(new Set([`POST ${GATEWAY_PATH}`]))
  const origins = new Set(session.requests.map(({ url }) => new URL(url).origin).filter((origin) => origin !== 'null'))
  expect(origins).toEqual(new Set([product().origin]))
}
