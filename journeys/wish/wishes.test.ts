/** Wishes whose answers are lost, in a real browser: one wish, one deed. The other commands are in `wishes.long.test.ts`. */
import { parseEther } from 'viem'
import { rootInvitation } from '@candela/devnet/seed/seed'
import { intoFund } from '../support/credit-steps.ts'
import { journeysOf, ownProduct } from '../support/journey.ts'
import { newcomer, type Newcomer, payIn } from '../support/people.ts'
import { depositUsdt, signInInvited } from '../support/steps.ts'
import { type Act, borrowing, leverage, withdrawal } from './acts.ts'
import { type cases, goThrough, ignoreCutConnections } from './cases.ts'

// Trades move its price.
const { product, journey } = journeysOf(ownProduct({ mode: 'development' }))

let person: Newcomer

function wish(name: string, act: Act, names: readonly (keyof typeof cases)[]): void {
  journey(
    name,
    async () => {
      person = await newcomer(product(), { ju: parseEther('80'), usdt: parseEther('1000') })
      return { wallets: [person.pageWallet] }
    },
    async (session) => {
      await signInInvited(session, person, rootInvitation, person.pageWallet.name)
      await payIn(product(), person, '50')
      await depositUsdt(session, '1000')
      await intoFund(session, '400')
      await goThrough({ product: product(), person, session, act }, names)
      ignoreCutConnections(session)
    },
  )
}

wish('a leveraged position that is asked for again at another price is opened once', leverage, [
  'the price moves meanwhile',
])
wish('a loan that is asked for again at another price is made once', borrowing, ['the price moves meanwhile'])
wish('a withdrawal is made once: lost, late, reloaded, in another tab; and twice from two devices', withdrawal, [
  'its answer is lost',
  'it arrives after it was given up',
  'the page is reloaded meanwhile',
  'another tab wants the same',
  'another device wants the same',
])
