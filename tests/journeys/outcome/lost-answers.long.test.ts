/** Every command in every case that can become of a command whose answer is lost. */
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import { borrowOnJu, intoFund as moveIntoFund } from '../support/lending-steps.ts'
import { journeysOf, ownProduct } from '../support/journey.ts'
import { operate } from '../support/operator.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { depositUsdt, openAnotherSession, signInAgain, signInInvited } from '../support/steps.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import * as acts from './acts.ts'
import { cases, goThrough, ignoreCutConnections } from './cases.ts'

// Trades move its price.
const { product, journey } = journeysOf(ownProduct({ mode: 'development' }))

/** One for all journeys: to get money and to pay it in takes as long as a case. */
let person: Newcomer | undefined
let isPaidIn = false
const everyCase = Object.keys(cases) as (keyof typeof cases)[]

const aPersonWithMoney = async () => {
  person ??= await newcomer(product(), { ju: parseEther('280'), usdt: parseEther('5000') })
  return { wallets: [person.pageWallet] }
}

async function begin(session: BrowserSession, whose: Newcomer): Promise<void> {
  if (isPaidIn) return signInAgain(session, whose)
  // Each journey signs in twice.
  await operate(product(), 'first', 'setting', 'set', 'deviceLimit', '20')
  await signInInvited(session, whose, rootInvitation, whose.pageWallet.name)
  await payIn(product(), whose, '250')
  await depositUsdt(session, '5000')
  await moveIntoFund(session, '3000')
  isPaidIn = true
}

const through =
  (actOf: (session: BrowserSession) => acts.Act | Promise<acts.Act>) =>
  async (session: BrowserSession): Promise<void> => {
    if (person === undefined) throw new Error('Nobody was made')
    await begin(session, person)
    await goThrough({ product: product(), person, session, act: await actOf(session) }, everyCase)
    ignoreCutConnections(session)
  }

/** The number of a loan that has just been made. */
async function newLoan(session: BrowserSession): Promise<string> {
  await borrowOnJu(session, '50')
  const loanNo = new URLSearchParams(session.path().split('?')[1]).get('no')
  expect(loanNo).not.toBeNull()
  return loanNo ?? ''
}

const onNewLoan = (actOf: (loanNo: string) => acts.Act) => async (session: BrowserSession) =>
  actOf(await newLoan(session))

async function toAFriend(session: BrowserSession): Promise<acts.Act> {
  const friend = await newcomer(product())
  await using other = await openAnotherSession(session, { wallets: [friend.pageWallet] })
  await signInInvited(other, friend, rootInvitation, friend.pageWallet.name)
  return acts.transferTo(friend.wallet.address)
}

journey(
  'a withdrawal is done once in every case',
  aPersonWithMoney,
  through(() => acts.withdrawal),
)
journey(
  'money goes into the fund once in every case',
  aPersonWithMoney,
  through(() => acts.intoFund),
)
journey(
  'money goes out of the fund once in every case',
  aPersonWithMoney,
  through(() => acts.outOfFund),
)
journey(
  'a leveraged position is opened once in every case',
  aPersonWithMoney,
  through(() => acts.leverage),
)
journey(
  'a loan is made once in every case',
  aPersonWithMoney,
  through(() => acts.borrowing),
)
journey(
  'an exchange is made once in every case',
  aPersonWithMoney,
  through(() => acts.exchange),
)
journey('a repayment is made once in every case', aPersonWithMoney, through(onNewLoan(acts.repaymentOf)))
journey('collateral is added once in every case', aPersonWithMoney, through(onNewLoan(acts.collateralFor)))
journey('a transfer is made once in every case', aPersonWithMoney, through(toAFriend))
