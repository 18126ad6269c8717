/** Commands of the person who is signed in, sent past the screens: many of a kind, where a screen would take minutes. */
import { requestIdOf, REQUEST_ID_RANDOM_BYTES } from '@candela/protocol/request-id'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { randomBytes } from 'node:crypto'
import { tokenOf } from '../support/steps.ts'

type Fields = Readonly<Record<string, string>>

export async function commandsOf(session: BrowserSession) {
  const { origin } = new URL(session.page.url())
  const headers = { authorization: (await tokenOf(session)) ?? '', lang: 'en' }

  async function ask<T>(method: 'GET' | 'POST', path: string, fields: Fields): Promise<T> {
    const form = new URLSearchParams(fields)
    const answer = await (method === 'GET'
      ? fetch(`${origin}/api/v1/${path}?${form.toString()}`, { headers })
      : fetch(`${origin}/api/v1/${path}`, { method: 'POST', headers, body: form }))
    const { code, message, data } = (await answer.json()) as { code: number; message: string; data: T }
    if (code !== 200) throw new Error(`${path}: ${code} ${message}`)
    return data
  }
  const command = <T>(path: string, fields: Fields) =>
    ask<T>('POST', path, { ...fields, requestId: requestIdOf(Date.now(), randomBytes(REQUEST_ID_RANDOM_BYTES)) })

  return {
    /** So many loans of 10 USDT on JU. @returns their numbers */
    async borrow(count: number): Promise<string[]> {
      const { items } = await ask<{ items: { projectNo: string; collateralAsset: string }[] }>(
        'GET',
        'project/list',
        {},
      )
      const projectNo = items.find(({ collateralAsset }) => collateralAsset === 'JU')?.projectNo ?? ''
      const wanted = { projectNo, amount: '10', days: '180' }
      const { collateralNeeded } = await ask<{ collateralNeeded: string }>('GET', 'lending/quote', wanted)
      // More than is needed now, because the price moves between them.
      const collateral = String(Math.ceil(Number(collateralNeeded) * 1.2))
      const loanNos: string[] = []
      for (let nth = 0; nth < count; nth += 1) {
        const { loan } = await command<{ loan: { loanNo: string } }>('lending/borrow', { ...wanted, collateral })
        loanNos.push(loan.loanNo)
      }
      return loanNos
    },
    addCollateral: (loanNo: string, amount: string) => command('lending/addCollateral', { loanNo, amount }),
    /** So many withdrawals of 10 USDT. */
    async withdraw(count: number): Promise<void> {
      for (let nth = 0; nth < count; nth += 1) await command('withdraw/apply', { asset: 'USDT', amount: '10' })
    },
  }
}
