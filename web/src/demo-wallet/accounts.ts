import { type HDAccount, mnemonicToAccount } from 'viem/accounts'

/** The mnemonic that every development chain uses. Its accounts hold play money, so it need not be secret. */
const MNEMONIC = 'test test test test test test test test test test test junk'

/**
 * Accounts of the mnemonic that are offered to people; those before them belong to the service itself (owner, payer and
 * so on). The first of these is the one that a new visitor gets.
 */
const PEOPLE = [5, 6, 7, 8, 9] as const

export type DemoAccount = { number: number; address: `0x${string}`; account: HDAccount }

let people: DemoAccount[] | undefined

/** The accounts offered to people, derived at first use because that takes a moment. */
export function demoAccounts(): DemoAccount[] {
  people ??= PEOPLE.map((addressIndex, index) => {
    const account = mnemonicToAccount(MNEMONIC, { addressIndex })
    return { number: index + 1, address: account.address.toLowerCase() as `0x${string}`, account }
  })
  return people
}
