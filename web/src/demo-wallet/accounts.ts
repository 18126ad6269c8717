import { type HDAccount, mnemonicToAccount } from 'viem/accounts'

/** The words that every development chain shares. Whatever they hold is play money, so they may stand here. */
const MNEMONIC = 'test test test test test test test test test test test junk'

/**
 * Accounts of the words that stand for people; the first ones belong to the service itself (owner, payer and so on).
 * The first of these is the one that a newcomer gets.
 */
const PEOPLE = [5, 6, 7, 8, 9] as const

export type DemoAccount = { number: number; address: `0x${string}`; account: HDAccount }

let people: DemoAccount[] | undefined

/** The people to be, derived on first use because stretching the words takes a moment. */
export function demoAccounts(): DemoAccount[] {
  people ??= PEOPLE.map((addressIndex, index) => {
    const account = mnemonicToAccount(MNEMONIC, { addressIndex })
    return { number: index + 1, address: account.address.toLowerCase() as `0x${string}`, account }
  })
  return people
}
