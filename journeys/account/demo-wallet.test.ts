import { rootInvitation } from '@candela/devnet/seed'
import { parseEther } from 'viem'
import { expect, test } from 'vitest'
import { texts } from '../../web/src/demo-wallet/texts.ts'
import { expectBooksToAgree } from '../support/books.ts'
import { filesWith } from '../support/built-files.ts'
import { journeysOf } from '../support/journey.ts'
import { expectSignedIn, newestOrder, tokenOf, waitForOrder } from '../support/steps.ts'
import type { Stage } from '../support/browser-session.ts'

const { product, journey } = journeysOf('development')

const t = texts.tw

/** A sheet of the demo wallet by its title. */
const sheet = (stage: Stage, title: string) => stage.page.getByRole('dialog', { name: title, exact: true })

const agree = (stage: Stage, title: string, button: string) =>
  sheet(stage, title).getByRole('button', { name: button, exact: true }).click()

journey(
  'without any extension: connect, sign, buy and be somebody else, by the demo wallet',
  () => ({}),
  async (stage) => {
    await stage.open(`#/index?code=${rootInvitation}`)
    await stage.connectButton().click()
    const connect = sheet(stage, t.connectTitle)
    await connect.getByText(t.mark).waitFor()
    expect(await connect.getByRole('radio').count()).toBeGreaterThan(2)
    await agree(stage, t.connectTitle, t.refuse)
    await stage.toast('wallet.refused').waitFor()

    await stage.connectButton().click()
    await agree(stage, t.connectTitle, t.connect)
    await stage.button('invite.confirm', stage.dialog('invite.title')).click()
    const sign = sheet(stage, t.signTitle)
    expect(await sign.innerText()).toContain(new URL(product().origin).host)
    await agree(stage, t.signTitle, t.sign)
    const address = await stage.page.evaluate(
      () =>
        (globalThis as unknown as { localStorage: { getItem(key: string): string } }).localStorage
          .getItem('demo-wallet')
          .split(' ')[0],
    )
    await expectSignedIn(stage, address ?? '')

    await stage.page
      .getByRole('link', { name: stage.text('home.buy'), exact: true })
      .first()
      .click()
    await stage.button('buy.pay').click()
    const pay = sheet(stage, t.payTitle)
    await pay.waitFor()
    const shown = await pay.innerText()
    await agree(stage, t.payTitle, t.pay)
    await expect.poll(() => stage.path()).toMatch(/^\/order\?no=/)
    const orderNo = await newestOrder(stage).getAttribute('data-order')
    expect(shown).toContain('buyPower')
    expect(shown).toContain(orderNo)
    expect(parseEther(/([0-9.]+)\s+JU/.exec(shown)?.[1] ?? '0')).toBeGreaterThan(parseEther('3'))
    await waitForOrder(stage, 'active')
    await expectBooksToAgree(product())

    await stage.page.getByRole('button', { name: t.open }).click()
    const reloaded = stage.page.waitForEvent('load')
    await sheet(stage, t.walletTitle).getByRole('radio').nth(1).click()
    await reloaded
    await stage.dialog('invite.title').waitFor()
    expect(await tokenOf(stage)).toBeNull()
  },
)

test('plain routes work in development, beside the gateway', async () => {
  const answer = (await (await fetch(`${product().origin}/api/v1/home/public`)).json()) as { code: number }
  expect(answer.code).toBe(200)
})

test('the build of the development chain holds the demo wallet', async () => {
  expect((await filesWith(['Demo wallet', 'test test test', 'dw-sheet'], 'dist-devnet')).length).toBeGreaterThan(2)
})
