/** Every command in every case that can become of a wish whose answer is lost. */
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { rootInvitation } from '@candela/devnet/seed/seed'
import { borrowOnJu, intoFund as moveIntoFund } from '../support/credit-steps.ts'
import { journeysOf, ownProduct } from '../support/journey.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { depositUsdt, openAnotherSession, signInInvited } from '../support/steps.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import * as acts from './acts.ts'
import { cases, goThrough, ignoreCutConnections } from './cases.ts'

// Trades move its price.
const { product, journey } = journeysOf(ownProduct({ mode: 'development' }))

let person: Newcomer
const everyCase = Object.keys(cases) as (keyof typeof cases)[]

function wish(name: string, actOf: (session: BrowserSession) => acts.Act | Promise<acts.Act>): void {
  journey(
    `${name}: one wish, one deed`,
    async () => {
      person = await newcomer(product(), { ju: parseEther('80'), usdt: parseEther('2000') })
      return { wallets: [person.pageWallet] }
    },
    async (session) => {
      await signInInvited(session, person, rootInvitation, person.pageWallet.name)
      await payIn(product(), person, '60')
      await depositUsdt(session, '2000')
      await moveIntoFund(session, '800')
      const act = await actOf(session)
      await goThrough({ product: product(), person, session, act }, everyCase)
      ignoreCutConnections(session)
    },
  )
}

/** The number of a loan that has just been made. */
async function newLoan(session: BrowserSession): Promise<string> {
  await borrowOnJu(session, '50')
  const loanNo = new URLSearchParams(session.path().split('?')[1]).get('no')
  expect(loanNo).not.toBeNull()
  return loanNo ?? ''
}

wish('a withdrawal', () => acts.withdrawal)
wish('money into the fund', () => acts.intoFund)
wish('money out of the fund', () => acts.outOfFund)
wish('a leveraged position', () => acts.leverage)
wish('a loan', () => acts.borrowing)
wish('an exchange', () => acts.exchange)
wish('a repayment', async (session) => acts.repaymentOf(await newLoan(session)))
wish('collateral', async (session) => acts.collateralFor(await newLoan(session)))
wish('a transfer', async (session) => {
  const friend = await newcomer(product())
  await using other = await openAnotherSession(session, { wallets: [friend.pageWallet] })
  await signInInvited(other, friend, rootInvitation, friend.pageWallet.name)
  return acts.transferTo(friend.wallet.address)
})
