import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import { type Newcomer, walletOf } from '../support/people.ts'
import type { Product } from '../support/products/product.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { openAnotherSession } from '../support/steps.ts'

type Shoot = (name: string, whole?: boolean) => Promise<void>
type OtherSession = Awaited<ReturnType<typeof openAnotherSession>>

const agents = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0',
  'Mozilla/5.0 (Linux; Android 16; SM-X910) AppleWebKit/537.36 SamsungBrowser/30.0 Chrome/150.0.0.0 Safari/537.36',
] as const

const entered = ({ page, text }: BrowserSession) => page.getByText(text('home.power'), { exact: true }).waitFor()

/** One device too many, the list of devices, and the notice on a device that was signed out; each also on a narrow screen. */
export async function signingInEverywhere(
  session: BrowserSession,
  { product, person, shoot }: { product: Product; person: Newcomer; shoot: Shoot },
): Promise<void> {
  const { page, text, button, dialog } = session
  const shootBothWidths = async (name: string) => {
    await shoot(name)
    await page.setViewportSize({ width: 360, height: 740 })
    await shoot(`${name}-narrow`)
    await page.setViewportSize({ width: 390, height: 844 })
  }
  const open = async (userAgent: string): Promise<OtherSession> => {
    const { pageWallet } = walletOf(product, person.account)
    const other = await openAnotherSession(session, { wallets: [pageWallet], userAgent })
    await other.open()
    return other
  }
  const enter = async (other: BrowserSession) => {
    await other.page.locator('.visit-enter').getByRole('button').click()
    await entered(other)
  }
  await session.open()
  await using first = await open(agents[0])
  await using second = await open(agents[1])
  await using third = await open(agents[2])
  await first.open(`#/index?code=${rootInvitation}`)
  await first.connectButton().click()
  await first.button('invite.confirm', first.dialog('invite.title')).click()
  await entered(first)
  await enter(second)
  await enter(third)

  await session.connectButton().click()
  await dialog('devices.title').waitFor()
  await shootBothWidths('devices-too-many')
  await button('ui.cancel', dialog('devices.title')).click()
  await page.getByText(text('visit.tooMany')).waitFor()
  await shootBothWidths('visitor-not-signed-in')
  await button('visit.signIn').click()
  await button('devices.replace', dialog('devices.title')).click()
  await entered(session)
  await session.open('#/devices')
  await page.getByText(text('device.none')).waitFor()
  await shootBothWidths('devices-one')

  for (const other of [first, second]) {
    await other.page.reload()
    await other.page.getByText(other.text('visit.ended')).waitFor()
    await enter(other)
  }
  await page.reload()
  await page.locator('.device').nth(2).waitFor()
  await shootBothWidths('devices-three')
  await second.open('#/devices')
  await second.button('device.endOthers').click()
  await second.page.getByText(second.text('device.none')).waitFor()
  await session.open('#/mine')
  await page.getByText(text('visit.ended')).waitFor()
  await shootBothWidths('visitor-signed-out')
}
