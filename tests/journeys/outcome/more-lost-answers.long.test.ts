/** The commands of `lost-answers.long.test.ts` are every other one: these need a loan, a position, a payment or a withdrawal that waits. */
import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { parseEther } from 'viem'
import { borrowOnJu, intoFund, openPosition } from '../support/lending-steps.ts'
import { journeysOf, ownProduct } from '../support/journey.ts'
import { operate } from '../support/operator.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { depositUsdt, signInInvited } from '../support/steps.ts'
import * as acts from './acts.ts'
import { commandsOf } from './api-commands.ts'
import { cases, goThrough, ignoreCutConnections } from './cases.ts'

// Trades move its price.
const { product, journey } = journeysOf(ownProduct({ mode: 'development' }))

let person: Newcomer
const everyCase = Object.keys(cases) as (keyof typeof cases)[]
/** As many as the cases of a command that is done once to each ask for. */
const ENOUGH = 12

const aPersonWithMoney = async () => {
  person = await newcomer(product(), { ju: parseEther('600'), usdt: parseEther('2000') })
  return { wallets: [person.pageWallet] }
}

async function begin(session: BrowserSession): Promise<void> {
  // Each command signs in one more.
  await operate(product(), 'first', 'setting', 'set', 'deviceLimit', '20')
  await signInInvited(session, person, rootInvitation, person.pageWallet.name)
  await payIn(product(), person, '200')
  await depositUsdt(session, '2000')
}

async function everyCaseOf(session: BrowserSession, act: acts.Act): Promise<void> {
  await goThrough({ product: product(), person, session, act }, everyCase)
}

journey(
  'of loans and positions: installments, collateral back, margin and closing are done once in every case',
  aPersonWithMoney,
  async (session) => {
    await begin(session)
    await intoFund(session, '800')
    await everyCaseOf(session, acts.installmentsOf(await (await commandsOf(session)).borrow(ENOUGH)))
    await borrowOnJu(session, '50')
    const loanNo = new URLSearchParams(session.path().split('?')[1]).get('no') ?? ''
    await (await commandsOf(session)).addCollateral(loanNo, '30')
    await everyCaseOf(session, acts.collateralBackOf(loanNo))
    await openPosition(session, { margin: '100', tenths: 20 })
    await everyCaseOf(session, acts.margin)
    await everyCaseOf(session, acts.closing)
    ignoreCutConnections(session)
  },
)

journey(
  'of payments: an announced deposit, an order and taking a withdrawal back are done once in every case',
  aPersonWithMoney,
  async (session) => {
    await begin(session)
    await everyCaseOf(session, acts.announcement)
    await everyCaseOf(session, acts.order)
    // A withdrawal that waits for an operator is not paid meanwhile.
    await operate(product(), 'first', 'setting', 'set', 'withdrawReviewUsdt', '1')
    await (await commandsOf(session)).withdraw(ENOUGH)
    await everyCaseOf(session, acts.takingBack)
    ignoreCutConnections(session)
  },
)
