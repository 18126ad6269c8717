import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import { parseEther } from 'viem'
import { expect, test } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { filesWith } from '../support/products/built-files.ts'
import { journeysOf, sharedProduct } from '../support/journey.ts'
import { expectSignedIn, newestOrder, tokenOf, waitForOrder } from '../support/steps.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { demoWalletTexts } from '@candela/testing/browser/web'

const { product, journey } = journeysOf(sharedProduct('development'))

const t = demoWalletTexts.tw

/** A sheet of the demo wallet by its title. */
const sheet = (session: BrowserSession, title: string) => session.page.getByRole('dialog', { name: title, exact: true })

const agree = (session: BrowserSession, title: string, button: string) =>
  sheet(session, title).getByRole('button', { name: button, exact: true }).click()

journey(
  'without any extension: connect, sign, buy and be somebody else, by the demo wallet',
  () => ({}),
  async (session) => {
    await session.open(`#/index?code=${rootInvitation}`)
    await session.connectButton().click()
    const connect = sheet(session, t.connectTitle)
    await connect.getByText(t.mark).waitFor()
    expect(await connect.getByRole('radio').count()).toBeGreaterThan(2)
    await agree(session, t.connectTitle, t.refuse)
    await session.waitForToast('wallet.refusedConnect')

    await session.connectButton().click()
    await agree(session, t.connectTitle, t.connect)
    await session.button('invite.confirm', session.dialog('invite.title')).click()
    const sign = sheet(session, t.signTitle)
    expect(await sign.innerText()).toContain(new URL(product().origin).host)
    await agree(session, t.signTitle, t.sign)
    const address = await session.page.evaluate(
      () =>
        (globalThis as unknown as { localStorage: { getItem(key: string): string } }).localStorage
          .getItem('demo-wallet')
          .split(' ')[0],
    )
    await expectSignedIn(session, address ?? '')

    await session.page
      .getByRole('link', { name: session.text('home.buy'), exact: true })
      .first()
      .click()
    await session.button('buy.pay').click()
    const pay = sheet(session, t.payTitle)
    await pay.waitFor()
    const shown = await pay.innerText()
    await agree(session, t.payTitle, t.pay)
    await expect.poll(() => session.path()).toMatch(/^\/order\?no=/)
    const orderNo = await newestOrder(session).getAttribute('data-order')
    expect(shown).toContain('buyPower')
    expect(shown).toContain(orderNo)
    expect(parseEther(/([0-9.]+)\s+JU/.exec(shown)?.[1] ?? '0')).toBeGreaterThan(parseEther('3'))
    await waitForOrder(session, 'active')
    await expectBooksToAgree(product())

    await session.page.getByRole('button', { name: t.open }).click()
    const reloaded = session.page.waitForEvent('load')
    await sheet(session, t.walletTitle).getByRole('radio').nth(1).click()
    await reloaded
    await session.dialog('invite.title').waitFor()
    expect(await tokenOf(session)).toBeNull()
  },
)

test('plain routes work in development, beside the gateway', async () => {
  const answer = (await (await fetch(`${product().origin}/api/v1/home/public`)).json()) as { code: number }
  expect(answer.code).toBe(200)
})

test('the build of the development chain holds the demo wallet', async () => {
  expect((await filesWith(['Demo wallet', 'test test test', 'dw-sheet'], 'dist-devnet')).length).toBeGreaterThan(2)
})
