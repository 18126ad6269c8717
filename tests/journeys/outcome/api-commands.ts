/** Commands of the person who is signed in, sent past the screens: many of a kind, where a screen would take minutes. */
import { openClient } from '@candela/client/client'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { tokenOf } from '../support/steps.ts'

export async function commandsOf(session: BrowserSession) {
  const { origin } = new URL(session.page.url())
  const client = openClient({ origin, token: (await tokenOf(session)) ?? '', envelope: false })

  return {
    /** So many loans of 10 USDT on JU. @returns their numbers */
    async borrow(count: number): Promise<string[]> {
      const { items } = await client.call('GET project/list', {})
      const projectNo = items.find(({ collateralAsset }) => collateralAsset === 'JU')?.projectNo ?? ''
      const wanted = { projectNo, amount: '10', days: '180' } as const
      const { collateralNeeded } = await client.call('GET lending/quote', wanted)
      // More than is needed now, because the price moves between them.
      const collateral = String(Math.ceil(Number(collateralNeeded) * 1.2))
      const loanNos: string[] = []
      for (let nth = 0; nth < count; nth += 1) {
        const requestId = client.requestId()
        const { loan } = await client.call('POST lending/borrow', { ...wanted, collateral, requestId })
        loanNos.push(loan.loanNo)
      }
      return loanNos
    },
    addCollateral: (loanNo: string, amount: string) =>
      client.call('POST lending/addCollateral', { loanNo, amount, requestId: client.requestId() }),
    /** So many withdrawals of 10 USDT. */
    async withdraw(count: number): Promise<void> {
      for (let nth = 0; nth < count; nth += 1)
        await client.call('POST withdraw/apply', { asset: 'USDT', amount: '10', requestId: client.requestId() })
    },
  }
}
